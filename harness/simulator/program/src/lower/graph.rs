//! The call graph: which functions can be inlined, and which can be called through a pointer.

use std::collections::{BTreeSet, HashMap};

use ptx::ast::{File, Function, Initial, Instruction, Operand, Statement};

/// The call graph of a file; functions by index.
#[derive(Debug)]
pub struct Graph<'a> {
    by_name: HashMap<&'a str, usize>,
    /// Instructions and registers of each function with all that it calls; `None` if it is recursive or allocates on its
    /// stack.
    sizes: Vec<Option<Size>>,
    /// Functions with a body whose address is taken.
    pub pointed: BTreeSet<usize>,
}

/// What inlining a function adds to a kernel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub instructions: u64,
    pub registers: u64,
}

/// The references of a function body.
#[derive(Default)]
struct Uses<'a> {
    size: Size,
    calls: Vec<&'a str>,
    /// Whether it calls through a pointer.
    indirect: bool,
    /// Whether it allocates on its stack, which its return gives back.
    allocates: bool,
    names: Vec<&'a str>,
}

impl<'a> Graph<'a> {
    pub fn new(file: &'a File) -> Graph<'a> {
        let by_name: HashMap<&str, usize> =
            file.functions.iter().enumerate().map(|(index, f)| (f.name.as_str(), index)).collect();
        let uses: Vec<Uses> = file.functions.iter().map(|f| Uses::of(f, &by_name)).collect();
        let initials = file.variables.iter().flat_map(|v| &v.initial).filter_map(|i| match i {
            Initial::Address { name, .. } => Some(name.as_str()),
            Initial::Value(_) => None,
        });
        let pointed: BTreeSet<usize> = uses
            .iter()
            .flat_map(|uses| uses.names.iter().copied())
            .chain(initials)
            .filter_map(|name| by_name.get(name).copied())
            .filter(|&f| !file.functions[f].is_kernel && file.functions[f].body.is_some())
            .collect();
        let sizes = sizes(&uses, &by_name, &pointed);
        Graph { by_name, sizes, pointed }
    }

    /// The index of a function, kernels included.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The cost of inlining a function; `None` if it may call itself or allocates on its stack.
    pub fn size(&self, function: usize) -> Option<Size> {
        self.sizes[function]
    }
}

/// Sizes, from the functions that call none up to their callers. The remaining functions are recursive.
fn sizes(
    uses: &[Uses],
    by_name: &HashMap<&str, usize>,
    pointed: &BTreeSet<usize>,
) -> Vec<Option<Size>> {
    let callees: Vec<Vec<usize>> = uses
        .iter()
        .map(|uses| {
            let direct = uses.calls.iter().filter_map(|name| by_name.get(name).copied());
            let indirect = pointed.iter().copied().filter(|_| uses.indirect);
            direct.chain(indirect).collect()
        })
        .collect();
    let mut callers = vec![Vec::new(); uses.len()];
    for (caller, callees) in callees.iter().enumerate() {
        callees.iter().for_each(|&callee| callers[callee].push(caller));
    }
    let mut left: Vec<usize> = callees.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..uses.len()).filter(|&f| left[f] == 0).collect();
    let mut sizes = vec![None; uses.len()];
    while let Some(function) = ready.pop() {
        let Uses { size: own, calls, .. } = &uses[function];
        let inlined = calls.iter().filter_map(|name| sizes[*by_name.get(name)?]);
        let sum = inlined.fold(*own, |sum: Size, one: Size| Size {
            instructions: sum.instructions.saturating_add(one.instructions),
            registers: sum.registers.saturating_add(one.registers),
        });
        sizes[function] = Some(sum).filter(|_| !uses[function].allocates);
        for &caller in &callers[function] {
            left[caller] -= 1;
            if left[caller] == 0 {
                ready.push(caller);
            }
        }
    }
    sizes
}

impl<'a> Uses<'a> {
    fn of(function: &'a Function, by_name: &HashMap<&'a str, usize>) -> Uses<'a> {
        let mut uses = Uses::default();
        let mut open: Vec<&[Statement]> = function.body.iter().map(Vec::as_slice).collect();
        while let Some(statements) = open.pop() {
            for statement in statements {
                match statement {
                    Statement::Scope(inner) => open.push(inner),
                    Statement::Registers { count, .. } => {
                        uses.size.registers += u64::from(count.unwrap_or(1));
                    }
                    Statement::Instruction(i) => uses.instruction(i, by_name),
                    Statement::Targets { functions, .. } => {
                        uses.names.extend(functions.iter().map(String::as_str));
                    }
                    Statement::Label(..)
                    | Statement::Variable(_)
                    | Statement::BranchTargets { .. }
                    | Statement::Prototype { .. } => {}
                }
            }
        }
        uses
    }

    fn instruction(&mut self, i: &'a Instruction, by_name: &HashMap<&'a str, usize>) {
        self.size.instructions += 1;
        self.allocates |= i.opcode.starts_with("alloca");
        let is_call = i.opcode == "call" || i.opcode.starts_with("call.");
        if is_call {
            let callee = i.operands.iter().find_map(|o| match o {
                Operand::Name(name) => Some(name.as_str()),
                _ => None,
            });
            match callee {
                Some(name) if by_name.contains_key(name) => self.calls.push(name),
                _ => self.indirect = true,
            }
        } else {
            let names = i.operands.iter().filter_map(|o| match o {
                Operand::Name(name) => Some(name.as_str()),
                _ => None,
            });
            self.names.extend(names.filter(|name| by_name.contains_key(name)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx::parse;

    #[test]
    fn what_may_call_itself_has_no_size_and_all_else_adds_up() {
        let text = "
            .global .u64 table[2] = {leaf, 0};
            .func leaf() { .reg .b32 %r<3>; ret; }
            .func twice() { call leaf, (); call leaf, (); ret; }
            .func even() { call odd, (); ret; }
            .func odd() { call even, (); ret; }
            .func above() { call even, (); ret; }
            .func any() { .reg .b64 %f; call %f, (), p; ret; }
            .func own() { .reg .b64 %f; mov.u64 %f, own; call %f, (), p; ret; }
            .func declared();";
        let file = parse(text).unwrap();
        let graph = Graph::new(&file);
        let size = |name: &str| {
            let size = graph.size(graph.find(name).unwrap());
            size.map(|size| (size.instructions, size.registers))
        };
        assert_eq!(size("leaf"), Some((1, 3)));
        assert_eq!(size("twice"), Some((3 + 2, 6)));
        assert_eq!(["even", "odd", "above", "own"].map(size), [None; 4]);
        // A pointer may call `own`, which then may call itself.
        assert_eq!(size("any"), None);
        let pointed: Vec<_> =
            graph.pointed.iter().map(|&f| file.functions[f].name.as_str()).collect();
        assert_eq!(pointed, ["leaf", "own"]);
        assert_eq!(graph.find("missing"), None);
    }
}
