//! What all lanes of a warp do together with matrices.

use super::cause::Cause;
use super::context::Context;
use super::spaces::{Refused, Spaces, refuse, window};
use super::transfer::{addresses, scattered};
use memory::Storage;
use program::registers::{LANES, Operands, Registers};
use program::{Matrix, MatrixRows};
use semantics::matrix::{place, transpose};

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
            return load(&cx.spaces, registers, local, &cx.program.matrix_rows[k as usize]);
        }
        Matrix::Store(k) => {
            return store(&cx.spaces, registers, local, &cx.program.matrix_rows[k as usize]);
        }
        Matrix::Fragment(_) | Matrix::Together => {}
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
    load: &MatrixRows,
) -> Result<(), Refused> {
    let mut rows = [[0; 4]; LANES];
    at_rows(spaces, registers, local, load, false, |storage, offset, lane| {
        for (k, word) in (0..).zip(&mut rows[lane]) {
            *word = storage.load(offset + 4 * k, 4) as u32;
        }
    })?;
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

/// Stores matrices, each to 8 rows of 16 bytes.
fn store(
    spaces: &Spaces,
    registers: &Registers,
    local: &Storage,
    store: &MatrixRows,
) -> Result<(), Refused> {
    let mut rows = [[0; 4]; LANES];
    for (matrix, &source) in store.data[..usize::from(store.count)].iter().enumerate() {
        let words = registers.word(source);
        let words = if store.transposed { transpose(words) } else { *words };
        for (lane, word) in words.into_iter().enumerate() {
            let (row, pair) = place(lane);
            rows[8 * matrix + row][pair] = word;
        }
    }
    at_rows(spaces, registers, local, store, true, |storage, offset, lane| {
        for (k, word) in (0..).zip(rows[lane]) {
            storage.store(offset + 4 * k, 4, word.into());
        }
    })
}

/// Calls `each` with the place of every row.
fn at_rows(
    spaces: &Spaces,
    registers: &Registers,
    local: &Storage,
    rows: &MatrixRows,
    is_write: bool,
    each: impl FnMut(&Storage, u64, usize),
) -> Result<(), Refused> {
    let addresses = addresses(registers, rows.address, rows.plus);
    let (space, bytes) = (rows.space, MatrixRows::ROW);
    let mut hint = u32::MAX;
    let window = window(spaces, local, space, addresses[0], is_write, &mut hint)
        .ok_or_else(|| refuse(spaces, 0, space, addresses[0], bytes, is_write))?;
    let lanes = rows.lanes();
    scattered(spaces, local, space, &window, &addresses, bytes, &mut hint, lanes, is_write, each)
}
