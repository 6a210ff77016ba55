//! Fuses a product and a sum, as LLVM does for this target: in each block from its end to its beginning, whatever else reads
//! the product; of two products the one that fewer read.

use super::{Code, Form, Instruction, Operand, Register};

pub(super) fn fuse(code: &mut Code) {
    let mut readers = vec![0_u32; code.classes.len()];
    for block in &code.blocks {
        let registers = block.instructions.iter().flat_map(Instruction::reads);
        let incoming =
            block.phis.iter().flat_map(|phi| phi.incoming.iter().filter_map(|it| it.1.register()));
        registers.chain(incoming).for_each(|it| readers[it as usize] += 1);
    }
    for block in 0..code.blocks.len() {
        fuse_block(code, block, &mut readers);
    }
}

/// A product in the block: where it is.
type Products = std::collections::HashMap<Register, usize>;

fn fuse_block(code: &mut Code, block: usize, readers: &mut Vec<u32>) {
    let mut products = Products::new();
    for (at, instruction) in code.blocks[block].instructions.iter().enumerate() {
        if matches!(
            opcode(instruction),
            Some("mul.f32" | "mul.ftz.f32" | "mul.f64" | "mul.lo.s32" | "mul.lo.s64")
        ) {
            products.insert(instruction.results[0], at);
        }
    }
    // What has to be computed before an instruction.
    let mut negatives: Vec<(usize, Instruction)> = Vec::new();
    for at in (0..code.blocks[block].instructions.len()).rev() {
        let instruction = code.blocks[block].instructions[at].clone();
        let Some(name) = opcode(&instruction) else { continue };
        if instruction.results.iter().all(|it| readers[*it as usize] == 0) && instruction.is_pure()
        {
            // All that read it were fused: what it reads has one reader less.
            instruction.reads().for_each(|it| readers[it as usize] -= 1);
            continue;
        }
        let (kind, fused, product, is_difference) = match name {
            "add.f32" => (".f32", "fma.rn.f32", "mul.f32", false),
            "add.ftz.f32" => (".ftz.f32", "fma.rn.ftz.f32", "mul.ftz.f32", false),
            "add.f64" => (".f64", "fma.rn.f64", "mul.f64", false),
            "sub.f32" => (".f32", "fma.rn.f32", "mul.f32", true),
            "sub.ftz.f32" => (".ftz.f32", "fma.rn.ftz.f32", "mul.ftz.f32", true),
            "sub.f64" => (".f64", "fma.rn.f64", "mul.f64", true),
            "add.s32" => (".s32", "mad.lo.s32", "mul.lo.s32", false),
            "add.s64" => (".s64", "mad.lo.s64", "mul.lo.s64", false),
            _ => continue,
        };
        let is_integer = fused.starts_with("mad");
        let find = |operand: &Operand| {
            let Operand::Register(register) = operand else { return None };
            let found = products.get(register).copied().filter(|found| {
                opcode(&code.blocks[block].instructions[*found]) == Some(product)
                    && (!is_integer || readers[*register as usize] == 1)
            })?;
            Some((found, *register))
        };
        let [left, right] = [&instruction.operands[0], &instruction.operands[1]].map(find);
        let (is_left, (found, register)) = match (left, right) {
            (Some(left), Some(right)) if readers[left.1 as usize] > readers[right.1 as usize] => {
                (false, right)
            }
            (Some(left), _) => (true, left),
            (None, Some(right)) => (false, right),
            (None, None) => continue,
        };
        let [x, y] = &code.blocks[block].instructions[found].operands[..] else { continue };
        let (mut x, y) = (x.clone(), y.clone());
        let mut rest = instruction.operands[usize::from(is_left)].clone();
        // x y - rest, or rest - x y
        let negated = if is_left { &mut rest } else { &mut x };
        if is_difference {
            *negated = negative(code, readers, kind, negated, at, &mut negatives);
        }
        readers[register as usize] -= 1;
        for operand in [&x, &y] {
            operand.register().into_iter().for_each(|it| readers[it as usize] += 1);
        }
        let changed = &mut code.blocks[block].instructions[at];
        changed.form = Form::Pure(fused.into());
        changed.operands = vec![x, y, rest];
        if readers[register as usize] == 0 {
            // What it reads has one reader less, at once.
            let operands = std::mem::take(&mut code.blocks[block].instructions[found].operands);
            operands.iter().filter_map(Operand::register).for_each(|it| readers[it as usize] -= 1);
        }
    }
    // They were found from the end to the beginning.
    for (at, instruction) in negatives {
        code.blocks[block].instructions.insert(at, instruction);
    }
}

/// The negative of an operand, which is computed before the instruction `at`.
fn negative(
    code: &mut Code,
    readers: &mut Vec<u32>,
    kind: &str,
    operand: &Operand,
    at: usize,
    negatives: &mut Vec<(usize, Instruction)>,
) -> Operand {
    match operand {
        Operand::Single(bits) => Operand::Single(bits ^ 1 << 31),
        Operand::Double(bits) => Operand::Double(bits ^ 1 << 63),
        Operand::Register(register) => {
            let class = code.classes[*register as usize];
            let result = code.register(class);
            readers.push(0);
            let form = Form::Pure(format!("neg{kind}").into());
            let location = None;
            negatives.push((
                at,
                Instruction {
                    form,
                    results: vec![result],
                    operands: vec![operand.clone()],
                    location,
                },
            ));
            Operand::Register(result)
        }
        other => other.clone(),
    }
}

fn opcode(instruction: &Instruction) -> Option<&str> {
    match &instruction.form {
        Form::Pure(opcode) => Some(opcode),
        _ => None,
    }
}
