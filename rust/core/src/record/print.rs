//! Names of nodes and values, and a program as text.

use super::graph::{End, Graph};
use super::{Node, Read};
use crate::op::Attr;
use crate::shape::Tuple;
use std::collections::HashMap;
use std::fmt::{Display, Formatter, Result};

impl Display for Attr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Attr::Bool(v) => write!(f, "{v}"),
            Attr::Int(v) => write!(f, "{v}"),
            Attr::Float(v) => write!(f, "{v:?}"),
            Attr::Str(v) => write!(f, "{v:?}"),
            Attr::DType(d) => f.write_str(d.name()),
            Attr::Ints(v) => write!(f, "{v:?}"),
            Attr::Bools(v) => write!(f, "{v:?}"),
        }
    }
}

impl Graph {
    /// `scope.op_k` for each node, counted per scope and op.
    pub fn node_names(&self) -> Vec<String> {
        let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
        self.nodes
            .iter()
            .map(|n| {
                if let Some(name) = &n.source.name {
                    return name.to_string();
                }
                let scope = n.source.scope.as_deref().unwrap_or("");
                let k = counts.entry((scope, n.op.name())).or_insert(0);
                *k += 1;
                let dot = if scope.is_empty() { "" } else { "." };
                format!("{scope}{dot}{}_{k}", n.op.name())
            })
            .collect()
    }

    /// Names of values: those of the nodes that make them, `input_0`, and `constant_0` or the number itself.
    pub fn value_names(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.values.len()];
        for (k, &v) in self.inputs.iter().enumerate() {
            names[v as usize] = format!("input_{k}");
        }
        for (node, name) in self.nodes.iter().zip(self.node_names()) {
            for (k, &v) in node.outs.iter().enumerate() {
                names[v as usize] = if node.outs.len() == 1 { name.clone() } else { format!("{name}:{k}") };
            }
        }
        let mut constants = 0;
        for name in &mut names {
            if name.is_empty() {
                *name = format!("constant_{constants}");
                constants += 1;
            }
        }
        names
    }

    fn write_node(&self, f: &mut Formatter<'_>, indent: &str, node: &Node, names: &[String]) -> Result {
        let list = |vs: &[u32]| vs.iter().map(|&v| &names[v as usize][..]).collect::<Vec<_>>().join(", ");
        let types: Vec<_> = node.outs.iter().map(|&v| self.type_name(v)).collect();
        let attrs: String = node.op.attrs().iter().map(|(k, v)| format!(", {k}={v}")).collect();
        write!(
            f,
            "{indent}{}: {} = {}({}{attrs})",
            list(&node.outs),
            types.join(", "),
            node.op.name(),
            list(&node.ins)
        )?;
        if node.source.file.is_some() {
            write!(f, "  # {}", node.source)?;
        }
        writeln!(f)
    }

    /// `float64(3, 4)`.
    pub fn type_name(&self, v: u32) -> String {
        format!("{}{}", self.meta(v).dtype.name(), Tuple(&self.meta(v).shape))
    }

    /// Whether a value is the number of elements that a `nonzero` finds.
    fn decides_shapes(&self, value: u32) -> bool {
        let Some(count) = self.nodes.iter().find(|n| n.outs[..] == [value]) else { return false };
        count.op.name() == "count_nonzero" && self.nodes.iter().any(|n| n.op.name() == "nonzero" && n.ins == count.ins)
    }

    /// What is read at the end of a segment, and where: `int(sum_1) at file:12`.
    pub fn guard_text(&self, segment: usize) -> Option<String> {
        let End::Guard { value, read, source, .. } = &self.segments.get(segment)?.end else { return None };
        Some(format!("{} at {source}", read_text(*read, &self.value_names()[*value as usize])))
    }

    fn write_segment(&self, f: &mut Formatter<'_>, s: usize, depth: usize, names: &[String]) -> Result {
        let indent = "    ".repeat(depth);
        for &i in &self.plan.live[s] {
            self.write_node(f, &indent, &self.nodes[i as usize], names)?;
        }
        match &self.segments[s].end {
            End::Done { outputs, .. } => {
                let list: Vec<&str> = outputs.iter().map(|&v| &names[v as usize][..]).collect();
                writeln!(f, "{indent}return {}", list.join(", "))
            }
            End::Guard { value, read, ways, source } => {
                let shapes = if self.decides_shapes(*value) { ": ends a segment, shapes depend on values" } else { "" };
                for (seen, next) in ways {
                    let seen = match read {
                        Read::Bool => (*seen != 0).to_string(),
                        Read::Int => seen.to_string(),
                    };
                    write!(f, "{indent}if {} == {seen}:", read_text(*read, &names[*value as usize]))?;
                    if source.file.is_some() {
                        write!(f, "  # {source}{shapes}")?;
                    }
                    writeln!(f)?;
                    self.write_segment(f, *next as usize, depth + 1, names)?;
                }
                Ok(())
            }
            End::Open => Ok(()),
        }
    }
}

impl Display for Graph {
    /// One line per node: `exp_1: float64(3,) = exp(input_0)`.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let names = self.value_names();
        for (k, &v) in self.inputs.iter().enumerate() {
            writeln!(f, "input_{k}: {}", self.type_name(v))?;
        }
        for (v, value) in self.values.iter().enumerate() {
            if let (Some(c), true) = (&value.constant, names[v].starts_with("constant_")) {
                write!(f, "{}: {}", names[v], self.type_name(v as u32))?;
                if c.size() == 1 && c.device().is_cpu() {
                    write!(f, " = {}", scalar_text(c.get(0)))?;
                }
                writeln!(f)?;
            }
        }
        if !self.segments.is_empty() {
            self.write_segment(f, 0, 0, &names)?;
        }
        Ok(())
    }
}

fn read_text(read: Read, name: &str) -> String {
    format!("{}({name})", if read == Read::Bool { "bool" } else { "int" })
}

fn scalar_text(v: crate::Scalar) -> String {
    use crate::Scalar::*;
    match v {
        Bool(b) => b.to_string(),
        Int(i) => i.to_string(),
        UInt(u) => u.to_string(),
        Float(x) => format!("{x:?}"),
        Complex(z) => format!("{:?}{:+?}j", z.re, z.im),
    }
}
