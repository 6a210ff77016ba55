//! From LLVM IR to PTX.

mod access;
mod address;
mod aggregates;
mod arithmetic;
mod assembly;
mod atomics;
mod bits;
mod calls;
mod choices;
mod context;
mod conversions;
mod copying;
mod floats;
mod function;
mod globals;
mod intrinsics;
mod names;
mod nvvm;
mod parameters;
mod part;
mod spaces;
mod text;
mod tiles;
mod values;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::rc::Rc;

use self::context::Context;
use crate::error::IrError;
use crate::options::Options;
use crate::syntax::{Function, Global, Module};

/// The PTX of a module.
pub(crate) fn translate(module: &Module, options: &Options) -> Result<String, IrError> {
    let mut context = Context {
        module,
        options,
        globals: module.globals.iter().map(|it| (it.name.as_str(), it)).collect(),
        functions: module.functions.iter().map(|it| (it.name.as_str(), it)).collect(),
        has_constant_addresses: module.globals.iter().any(globals::has_constant_address),
        files: HashMap::new(),
    };
    for node in module.metadata.values().filter(|node| node.kind == "DIFile") {
        let number = context.files.len() as u32 + 1;
        context.files.entry(node.filename.clone()).or_insert(number);
    }
    let mut needed = Needed::default();
    for function in module.functions.iter().filter(|it| it.is_kernel && !it.blocks.is_empty()) {
        needed.add(&context, &function.name);
    }
    let mut text = header(&context, &needed);
    for global in &module.globals {
        if globals::is_visible(global) {
            needed.add(&context, &global.name);
        }
    }
    // Initial values of variables name functions.
    let others = needed.functions.iter().filter(|it| !it.is_kernel);
    for function in others {
        text += &format!(
            "{};\n",
            function::header(&context, function).map_err(|it| it.at(function.line))?
        );
    }
    for global in module.globals.iter().filter(|it| needed.globals.contains(it.name.as_str())) {
        if !needed.is_in_kernels(global) {
            text += &globals::declare(&context, global).map_err(|it| it.at(global.line))?;
        }
    }
    for (number, function) in
        needed.functions.iter().enumerate().filter(|(_, it)| !it.blocks.is_empty())
    {
        let own = module.globals.iter().filter(|it| needed.is_in_kernels(it));
        let own = own.filter(|it| needed.shared[it.name.as_str()].contains(function.name.as_str()));
        let mut declarations = String::new();
        for global in own {
            declarations += &format!(
                "\t{}",
                globals::declare(&context, global).map_err(|it| it.at(global.line))?
            );
        }
        text += &function::translate(&context, function, number, &declarations)?;
    }
    let mut files: Vec<_> = context.files.iter().map(|(name, number)| (number, name)).collect();
    files.sort();
    for (number, name) in files {
        let _ = writeln!(text, "\t.file\t{number} \"{}\"", name.replace(['"', '\\', '\n'], "_"));
    }
    Ok(text)
}

/// What the kernels need.
#[derive(Default)]
struct Needed<'a> {
    functions: Vec<&'a Function>,
    globals: HashSet<&'a str>,
    /// The functions that name a variable in shared memory.
    shared: HashMap<&'a str, HashSet<&'a str>>,
    others: HashSet<&'a str>,
    known: HashSet<&'a str>,
}

impl<'a> Needed<'a> {
    /// Adds a variable or a function, and all that it names.
    fn add(&mut self, context: &Context<'a>, name: &str) {
        let mut open: Vec<Rc<str>> = vec![name.into()];
        while let Some(name) = open.pop() {
            if let Some(global) = context.globals.get(name.as_ref())
                && self.globals.insert(&global.name)
            {
                open.extend(global.initial.iter().flat_map(names::of_constant));
            }
            if let Some(function) = context.functions.get(name.as_ref())
                && !name.starts_with("llvm.")
                && self.known.insert(&function.name)
            {
                self.functions.push(function);
                let named = names::of_function(function);
                named.iter().for_each(|name| self.note_shared(context, function, name));
                open.extend(named);
            }
        }
    }

    /// Notes that a function names a variable, if that is in shared memory.
    fn note_shared(&mut self, context: &Context<'a>, function: &'a Function, name: &str) {
        let Some(global) = context.globals.get(name).filter(|it| globals::is_shared(it)) else {
            return;
        };
        self.shared.entry(&global.name).or_default().insert(&function.name);
        if !function.is_kernel {
            self.others.insert(&global.name);
        }
    }

    /// Whether kernels declare a variable, each its own: shared memory that no function names but they.
    fn is_in_kernels(&self, global: &Global) -> bool {
        let name = global.name.as_str();
        self.shared.contains_key(name) && !self.others.contains(name) && global.initial.is_some()
    }
}

/// What stands before everything.
fn header(context: &Context, needed: &Needed) -> String {
    let attributes = |key: &str| needed.functions.iter().find_map(|it| context.attribute(it, key));
    let target = attributes("target-cpu")
        .filter(|it| it.starts_with("sm_"))
        .unwrap_or_else(|| "sm_80".to_string());
    let features = attributes("target-features").unwrap_or_default();
    let version =
        features.split(',').find_map(|it| it.strip_prefix("+ptx")?.parse().ok()).unwrap_or(78_u32);
    let (major, minor) = (version / 10, version % 10);
    let origin = "//\n// Generated by LLVM's front end and the crate ir\n//\n\n";
    format!("{origin}.version {major}.{minor}\n.target {target}\n.address_size 64\n\n")
}
