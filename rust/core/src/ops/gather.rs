use smallvec::*;
use crate::op::*; use crate::{Array,Result};
use crate::shape::Axes;
macro_rules! t {($n:ident)=>{
#[derive(Clone,Debug)] pub struct $n { pub axes: Axes }
impl Op for $n { fn name(&self)->&str{"gather"} fn infer(&self,_:&[MetaRef])->Result<Metas>{todo!()} fn eval(&self,_:&[&Array],_:&[Meta])->Result<Outs>{todo!()} fn rule(&self)->Rule{Rule::Constant} crate::shared_handle!(); }
}}
t!(Gather); t!(ScatterSet);
