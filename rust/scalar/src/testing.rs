//! Points and comparisons for the tests of scalar functions.

/// Equal bits, where all NaNs count as one.
pub fn same_bits(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Functions that integrate or iterate for long on arguments without sense: they are tested on fewer.
pub fn is_slow(name: &str, arguments: usize) -> bool {
    arguments > 2 || ["stdtr", "hyp", "struve", "modstruve"].iter().any(|start| name.starts_with(start))
}

/// Zeros, infinities, NaN, the ends of the range, thresholds of the functions, with both signs.
fn edge_cases() -> Vec<f64> {
    let magnitudes = [
        0.0,
        f64::INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        1e-310,
        1.0,
        0.5,
        0.25,
        2.0,
        3.0,
        1.5,
        2.5,
        1.0 + f64::EPSILON,
        1.0 - f64::EPSILON / 2.0,
        std::f64::consts::FRAC_1_SQRT_2,
        std::f64::consts::SQRT_2,
        std::f64::consts::FRAC_PI_4,
        std::f64::consts::FRAC_PI_2,
        std::f64::consts::PI,
        0.34657359027997264,
        22.0,
        37.0,
        44.0,
        170.6,
        709.7,
        709.79,
        710.5,
        745.2,
        746.0,
        1023.0,
        1074.0,
        1075.0,
        308.3,
        324.0,
        4194304.0,
        4194305.5,
        (1u64 << 52) as f64,
        (1u64 << 53) as f64,
        (1u64 << 53) as f64 + 2.0,
        1e22,
        1e300,
        1e-300,
        6381956970095103.0 * 2f64.powi(797),
    ];
    let mut all: Vec<f64> = magnitudes.iter().flat_map(|&v| [v, -v]).collect();
    all.push(f64::NAN);
    all
}

/// Half of them any finite double, half of moderate size; the same for the same seed (Steele, Lea, Flood: SplitMix64, 2014).
fn random_doubles(seed: u64, n: usize) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e3779b97f4a7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    };
    let mut out = Vec::with_capacity(n);
    while out.len() < n {
        let bits = next();
        let moderate = (bits & !(0x7ff << 52)) | ((1010 + (bits >> 52) % 24) << 52);
        let v = f64::from_bits(if out.len() % 2 == 0 { bits } else { moderate });
        if v.is_finite() {
            out.push(v);
        }
    }
    out
}

/// Four columns: every pair of edge cases, then random doubles; a multiple of eight rows.
pub fn points(random: usize) -> Vec<Vec<f64>> {
    let edges = edge_cases();
    let pairs = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b)));
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = pairs.unzip();
    x.extend(random_doubles(1, random));
    y.extend(random_doubles(2, random));
    let whole = x.len() / 8 * 8;
    x.truncate(whole);
    y.truncate(whole);
    let mut more = [x.clone(), y.clone()];
    more[0].rotate_right(8);
    more[1].rotate_right(16);
    let [z, w] = more;
    vec![x, y, z, w]
}
