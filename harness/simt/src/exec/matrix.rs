//! What all lanes of a warp do together with matrices.

use super::cause::Cause;
use super::context::Context;
use super::memory::{addresses, scattered};
use super::spaces::{Refused, Spaces, refuse, window};
use crate::memory::Storage;
use crate::program::{Matrix, MatrixLoad};
use crate::registers::{LANES, Operands, Registers};
use crate::semantics::matrix::{place, transpose};

/// Executes it.
pub(super) fn execute(
    cx: &Context,
    registers: &mut Registers,
    local: &Storage,
    matrix: Matrix,
    i: &Operands,
) -> Result<(), Refused> {
    match matrix {
        Matrix::Multiply(k) => cx.build.multiply(registers, &cx.program.products[k as usize]),
        Matrix::Transpose => *registers.word_mut(i.d) = transpose(registers.word(i.a)),
        Matrix::Load(k) => {
            return load(&cx.spaces, registers, local, &cx.program.matrix_loads[k as usize]);
        }
    }
    Ok(())
}

/// Why a warp of which only the lanes of `mask` came, which are some, cannot go on.
#[cold]
pub(super) fn partial(live: u32, mask: u32) -> (usize, Cause) {
    let (elsewhere, ended) = (live & !mask, !live);
    (mask.trailing_zeros() as usize, Cause::PartialWarp { came: mask, elsewhere, ended })
}

/// Loads matrices, each from 8 rows of 16 bytes.
fn load(
    spaces: &Spaces,
    registers: &mut Registers,
    local: &Storage,
    load: &MatrixLoad,
) -> Result<(), Refused> {
    let addresses = addresses(registers, load.address, load.plus);
    let (space, bytes) = (load.space, MatrixLoad::ROW);
    let mut hint = u32::MAX;
    let window = window(spaces, local, space, addresses[0], false, &mut hint)
        .ok_or_else(|| refuse(spaces, 0, space, addresses[0], bytes, false))?;
    let mut rows = [[0; 4]; LANES];
    scattered(
        spaces,
        local,
        space,
        &window,
        &addresses,
        bytes,
        &mut hint,
        load.lanes(),
        false,
        |storage, offset, lane| {
            for (k, word) in (0..).zip(&mut rows[lane]) {
                *word = storage.load(offset + 4 * k, 4) as u32;
            }
        },
    )?;
    for (matrix, &d) in load.data[..usize::from(load.count)].iter().enumerate() {
        let mut words = [0; LANES];
        for (lane, word) in words.iter_mut().enumerate() {
            let (row, pair) = place(lane);
            *word = rows[8 * matrix + row][pair];
        }
        *registers.word_mut(d) = if load.transposed { transpose(&words) } else { words };
    }
    Ok(())
}
