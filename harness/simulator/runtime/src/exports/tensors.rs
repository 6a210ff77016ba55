//! Tensor maps, and the driver's function that makes them, which programs ask the runtime for.

use std::ffi::c_void;

use simt::texture::{Fill, MAP_BYTES, MOST_DIMENSIONS, TensorElement, TensorMap};

use super::entry::calls;
use crate::error::{self, CudaResult};
use crate::host::{In, Out, Text};
use crate::state::Runtime;

/// `cudaDriverEntryPointSymbolNotFound`
const NOT_FOUND: u32 = 1;

/// The functions of the driver that are simulated.
fn entry_point(symbol: &str) -> Option<*const c_void> {
    (symbol == "cuTensorMapEncodeTiled").then_some(cuTensorMapEncodeTiled as *const c_void)
}

fn find(cuda: &mut Runtime, (symbol, function): (Text, Out<u64>), status: Out<u32>) -> CudaResult {
    let symbol = symbol.get();
    let found = entry_point(&symbol);
    if found.is_none() {
        let message = format!("the driver's function {symbol} is not simulated");
        cuda.refuse(error::SUCCESS, message);
    }
    function.put(found.map_or(0, |found| found as u64))?;
    status.put_if_wanted(if found.is_some() { 0 } else { NOT_FOUND })
}

/// `CUtensorMapDataType`
fn element(number: u32) -> Result<TensorElement, String> {
    let integer =
        |bytes, is_signed| TensorElement { bytes, is_float: false, is_brain: false, is_signed };
    let float = |bytes| TensorElement { bytes, is_float: true, is_brain: false, is_signed: false };
    Ok(match number {
        0 => integer(1, false),
        1 => integer(2, false),
        2 => integer(4, false),
        3 => integer(4, true),
        4 => integer(8, false),
        5 => integer(8, true),
        6 => float(2),
        7 => float(4),
        8 => float(8),
        9 => TensorElement { is_brain: true, ..float(2) },
        // A product of tf32 ignores the low bits anyway.
        11 => float(4),
        _ => return Err(format!("elements of CUtensorMapDataType {number} are not simulated")),
    })
}

/// `CUtensorMapSwizzle`: bytes of the rows.
fn swizzle(number: u32) -> Result<u8, String> {
    match number {
        0 => Ok(16),
        1 => Ok(32),
        2 => Ok(64),
        3 => Ok(128),
        _ => Err(format!("CUtensorMapSwizzle {number} is not simulated")),
    }
}

calls! {
    cudaGetDriverEntryPoint | cudaGetDriverEntryPoint_ptsz(
        symbol: Text, function: Out<u64>, _flags: u64, status: Out<u32>,
    ) => |cuda| find(cuda, (symbol, function), status);
    cudaGetDriverEntryPointByVersion | cudaGetDriverEntryPointByVersion_ptsz(
        symbol: Text, function: Out<u64>, _version: u32, _flags: u64, status: Out<u32>,
    ) => |cuda| find(cuda, (symbol, function), status);
    cuTensorMapEncodeTiled(
        map: Out<[u8; MAP_BYTES]>, of: u32, rank: u32, address: u64, sizes: In<u64>, strides: In<u64>,
        boxes: In<u32>, steps: In<u32>, interleave: u32, swizzles: u32, _promotion: u32, fill: u32,
    ) => |cuda| {
        let made = (|| {
            let element = element(of)?;
            let count = (rank as usize).min(MOST_DIMENSIONS);
            let mut made = TensorMap {
                element,
                dimensions: rank.min(u8::MAX.into()) as u8,
                address,
                sizes: [1; MOST_DIMENSIONS],
                strides: [element.bytes.into(); MOST_DIMENSIONS],
                boxes: [1; MOST_DIMENSIONS],
                swizzle: swizzle(swizzles)?,
                fill: if fill == 0 { Fill::Zeros } else { Fill::Nan },
            };
            let null = |_| "an array is null".to_string();
            for at in 0..count {
                made.sizes[at] = sizes.at(at).map_err(null)?;
                made.boxes[at] = boxes.at(at).map_err(null)?;
                if at > 0 {
                    made.strides[at] = strides.at(at - 1).map_err(null)?;
                }
                if steps.at(at).map_err(null)? != 1 {
                    return Err(format!("an element stride other than 1, along dimension {at}, is not simulated"));
                }
            }
            if interleave != 0 {
                return Err("interleaved tensors are not simulated".to_string());
            }
            made.check().map(|()| made).map_err(|error| error.to_string())
        })();
        match made {
            Ok(made) => map.put(made.encode()),
            Err(message) => Err(cuda.refuse(error::INVALID_VALUE, message)),
        }
    };
}
