//! The text of an instruction with operands and results in it.

use crate::machine::{Operand, Piece};

/// A text with operands and results in it.
#[derive(Default)]
pub(super) struct Text {
    pub pieces: Vec<Piece>,
    pub operands: Vec<Operand>,
    pub results: Vec<u32>,
    /// Numbers of results and operands that share a register.
    pub tied: Vec<(usize, usize)>,
}

impl Text {
    pub fn add(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Text(text.into()));
    }

    pub fn operand(&mut self, operand: Operand) {
        self.pieces.push(Piece::Operand(self.operands.len()));
        self.operands.push(operand);
    }

    pub fn result(&mut self, register: u32) {
        self.pieces.push(Piece::Result(self.results.len()));
        self.results.push(register);
    }
}
