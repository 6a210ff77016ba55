//! Sources whose counts are compared.

use crate::choose::choose;
use crate::compiler::{self, Maker};
use crate::error::Error;
use crate::ptx::{Ptx, Reader};
use crate::route::CodeRoute;
use crate::source::Source;

/// A source for the simulator that is to be compared with another. Where clang is what compiles here, it is what clang makes of
/// it, even where there is committed PTX: that was made by NVRTC, and counts of two compilers differ.
///
/// # Errors
/// As for loading it.
pub fn comparable(source: &Source) -> Result<Source, Error> {
    if source.cuda.is_none() || !compiler::clang_compiles()? {
        return Ok(source.clone());
    }
    let route = CodeRoute::Compiled(Some(Maker::Clang));
    let code = choose(source, route, Reader::Simulator, compiler::INSTALLED)?;
    Ok(Source { ptx: vec![Ptx { file: code.file, text: code.ptx }], ..source.as_ptx() })
}
