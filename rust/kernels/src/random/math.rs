pub fn log(x: f64) -> f64 {
    x.ln()
}
pub fn log1p(x: f64) -> f64 {
    x.ln_1p()
}
pub fn exp(x: f64) -> f64 {
    x.exp()
}
