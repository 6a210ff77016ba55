//! A function as PTX instructions over registers that are each written once, with phis: between LLVM IR and text.

mod code;
mod copies;
mod dead;
mod flow;
mod fuse;
mod join;
mod live;
mod tied;
mod vectors;

pub(crate) use code::{
    Access, Base, Block, Code, End, Form, Instruction, Operand, Phi, Piece, Register, Space,
};
pub(crate) use copies::move_of;
pub(crate) use flow::Flow;

/// Makes code shorter, then free of phis.
pub(crate) fn finish(code: &mut Code) {
    join::join(code);
    fuse::fuse(code);
    vectors::join_accesses(code);
    dead::remove(code);
    copies::replace_phis(code);
    tied::copy_operands(code);
    code.skip_empty_blocks();
}
