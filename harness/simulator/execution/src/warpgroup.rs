//! Operands of `wgmma` in shared memory: what a matrix descriptor says, and where an element lies (PTX ISA, "Shared Memory
//! Matrix Layout", "Matrix Descriptor Format").

use super::context::Context;
use super::listener::{Kind, Listener, Touch};
use super::spaces::{Refused, refuse};
use super::warp::Warp;
use program::Fragment;
use program::registers::{FULL, LANES};
use ptx::Space;
use semantics::matrix::place;
use textures::swizzled;

/// A matrix in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Descriptor {
    start: u64,
    /// "Leading dimension byte offset".
    leading: u64,
    /// "Stride dimension byte offset".
    stride: u64,
    /// Bytes of a swizzle's rows; 16 for none.
    width: u64,
}

impl Descriptor {
    fn new(bits: u64) -> Descriptor {
        // Fields of 14 bits, in units of 16 bytes.
        let field = |at: u32| (bits >> at & 0x3fff) << 4;
        let width = match bits >> 62 {
            0 => 16,
            1 => 128,
            2 => 64,
            _ => 32,
        };
        Descriptor { start: field(0), leading: field(16), stride: field(32), width }
    }

    /// Where an element of `bytes` bytes is: in row `row` of a (of b: column), at `k`.
    fn address(&self, row: u64, k: u64, bytes: u64, transposed: bool) -> u64 {
        let Descriptor { start, leading, stride, width } = *self;
        // Elements of a chunk of 16 bytes.
        let chunk = 16 / bytes;
        let offset = match (transposed, width) {
            // 8 rows of 16 bytes are a core matrix; they follow each other along k and along the rows.
            (false, 16) => {
                row % 8 * 16 + row / 8 * stride + k / chunk * leading + k % chunk * bytes
            }
            // Rows of the swizzle's width, of which those of a sparse product have up to two.
            (false, _) => {
                let along = k * bytes;
                row % 8 * width + row / 8 * stride + along / width * leading + along % width
            }
            (true, 16) => k % 8 * 16 + k / 8 * leading + row / chunk * stride + row % chunk * bytes,
            (true, _) => {
                let across = width / bytes;
                k % 8 * width + k / 8 * stride + row / across * leading + row % across * bytes
            }
        };
        swizzled(start + offset, width)
    }
}

/// Loads an operand; whether it touched global memory, which it never does.
pub(super) fn load<L: Listener>(
    cx: &Context,
    (listener, own): (&mut L, &mut L::Block),
    warp: &mut Warp,
    fragment: &Fragment,
    at: u32,
) -> Result<bool, Refused> {
    let descriptor = Descriptor::new(warp.registers.double(fragment.descriptor)[0]);
    let bytes = u64::from(fragment.bits) / 8;
    let packed = 4 / bytes;
    let first =
        if fragment.is_first { u64::from(warp.index % 4) * 16 } else { fragment.first.into() };
    // Registers of a come in pairs of rows 8 apart.
    let tall = if fragment.is_first { 2 } else { 1 };
    // Elements along k are neighbours in memory, or each is for itself.
    let piece = if fragment.transposed { bytes } else { 4 };
    for (index, &register) in (0..u64::from(fragment.count)).zip(&fragment.data) {
        let mut words = [0; LANES];
        for part in 0..4 / piece {
            let addresses: [u64; LANES] = std::array::from_fn(|lane| {
                let (group, thread) = place(lane);
                let row = first + 8 * (index % tall) + group as u64;
                let k = 4 * packed * (index / tall) + thread as u64 * packed + part;
                descriptor.address(row, k, bytes, fragment.transposed)
            });
            if L::LISTENS {
                let what = (Kind::Load, Space::Shared, piece);
                let touch = Touch::new((at, warp.index, FULL), what, &addresses);
                listener.touches(own, cx, &warp.registers, &touch);
            }
            for (lane, &address) in addresses.iter().enumerate() {
                if address + piece > cx.spaces.shared_bytes {
                    return Err(refuse(&cx.spaces, lane, Space::Shared, address, piece, false));
                }
                words[lane] |= (cx.spaces.shared.load(address, piece) as u32) << (8 * piece * part);
            }
        }
        if fragment.negates {
            words = words.map(|word| word ^ fragment.signs());
        }
        *warp.registers.word_mut(register) = words;
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mode: u64, leading: u64, stride: u64) -> Descriptor {
        Descriptor::new((mode << 62) | ((stride / 16) << 32) | ((leading / 16) << 16) | (1024 / 16))
    }

    /// Elements of 16 bits along k, in the canonical layouts.
    #[test]
    fn elements_lie_in_core_matrices_and_swizzled_rows() {
        let plain = of(0, 128, 256);
        assert_eq!(plain.address(0, 0, 2, false), 1024);
        assert_eq!(plain.address(1, 3, 2, false), 1024 + 16 + 6);
        assert_eq!(plain.address(9, 8, 2, false), 1024 + 256 + 16 + 128);
        let wide = of(1, 16, 1024);
        // Row 3 of 128 bytes: chunk 1 is where chunk 1 ^ 3 would be.
        assert_eq!(wide.address(3, 8, 2, false), 1024 + 3 * 128 + (1 ^ 3) * 16);
        assert_eq!(wide.address(8 + 5, 0, 2, false), 2048 + 5 * 128 + 5 * 16);
        // Of 64 bytes every second row changes, of 32 every fourth.
        assert_eq!(of(2, 16, 512).address(3, 0, 2, false), 1024 + 3 * 64 + 16);
        assert_eq!(of(3, 16, 256).address(4, 0, 2, false), 1024 + 4 * 32 + 16);
    }

    #[test]
    fn transposed_elements_lie_along_the_rows() {
        let plain = of(0, 2048, 128);
        assert_eq!(plain.address(9, 1, 2, true), 1024 + 128 + 16 + 2);
        assert_eq!(plain.address(0, 8, 2, true), 1024 + 2048);
        let wide = of(1, 4096, 1024);
        assert_eq!(wide.address(8, 2, 2, true), 1024 + 2 * 128 + (1 ^ 2) * 16);
        assert_eq!(wide.address(64, 8, 2, true), 1024 + 4096 + 1024);
    }
}
