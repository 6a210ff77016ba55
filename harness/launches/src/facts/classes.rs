//! What readers call the classes of instructions.

use simt::Class;

/// The name of a class.
pub fn name(class: Class) -> &'static str {
    match class {
        Class::Fp32Add => "FP32 add",
        Class::Fp32Mul => "FP32 multiply",
        Class::Fp32Fma => "FP32 multiply-add",
        Class::Mufu => "special function",
        Class::MufuSubnormal => "special function (no FTZ)",
        Class::SqrtRn => "square root",
        Class::RcpRn => "reciprocal",
        Class::DivRn => "division",
        Class::Fp64 => "FP64",
        Class::Integer => "integer",
        Class::IntegerMul => "integer multiply",
        Class::IntegerDiv => "integer division",
        Class::Conversion => "conversion",
        Class::Move => "move",
        Class::Predicate => "compare, select",
        Class::LoadGlobal => "global load",
        Class::StoreGlobal => "global store",
        Class::LoadShared => "shared load",
        Class::StoreShared => "shared store",
        Class::LoadConst => "constant load",
        Class::LoadParam => "parameter load",
        Class::Local => "local memory",
        Class::Atomic => "atomic",
        Class::Branch => "branch",
        Class::Barrier => "barrier",
        Class::Shuffle => "shuffle, vote",
        Class::Tensor => "matrix product",
        Class::Fence => "fence",
        Class::Other => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_classes_share_a_name() {
        let mut names: Vec<&str> = Class::ALL.map(name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Class::COUNT);
    }
}
