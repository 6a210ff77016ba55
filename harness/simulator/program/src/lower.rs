//! Lowers the syntax tree to the program that the executor runs.
//!
//! Device functions are inlined at each call, with their parameters in local memory. Functions that are recursive or
//! called through pointers have code of their own. Every kernel is lowered when its module is parsed, so that
//! unsupported PTX is an error before anything runs.

mod addresses;
mod arithmetic;
mod atomics;
mod builder;
mod bytes;
mod call_state;
mod calls;
mod cluster;
mod control;
mod copying;
mod elsewhere;
mod functions;
pub mod graph;
mod half;
mod maps;
mod matrix;
mod mbarrier;
mod memory;
mod names;
mod opcode;
mod operands;
mod pairs;
mod registers;
mod remote;
mod stack;
mod tensor;
mod texture;
mod variables;
mod video;
mod warp;

use crate::kernel::Kernel;
use builder::Builder;
use graph::Graph;
use ptx::Error;
use ptx::ast::{File, Initial, Variable};

/// Lowers the kernels of a file, each with its name.
pub fn lower<'a>(
    file: &'a File,
    graph: &'a Graph<'a>,
) -> Result<impl Iterator<Item = (String, Result<Kernel, Error>)> + 'a, Error> {
    for variable in &file.variables {
        check(file, graph, variable)?;
    }
    let kernels = file.functions.iter().filter(|f| f.is_kernel && f.body.is_some());
    Ok(kernels.map(|kernel| (kernel.name.clone(), Builder::new(file, graph).kernel(kernel))))
}

/// Refuses an initialiser that is too long, or names something without an address.
fn check(file: &File, graph: &Graph, variable: &Variable) -> Result<(), Error> {
    let length = variable.initial.len() as u64 * u64::from(variable.element.bytes());
    if length > variable.bytes {
        let message = format!("the initialiser of `{}` is longer than the variable", variable.name);
        return Err(Error::new(variable.line, message));
    }
    for initial in &variable.initial {
        if let Initial::Address { name, .. } = initial
            && !file.variables.iter().any(|v| v.name == *name)
            && graph.find(name).is_none()
        {
            return Err(Error::new(variable.line, format!("`{name}` is not declared")));
        }
    }
    Ok(())
}
