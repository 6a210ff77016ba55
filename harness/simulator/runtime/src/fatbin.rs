//! Fat binaries: device code as nvcc puts it into a program.
//!
//! A header of 16 bytes is followed by images, each a header and a payload: PTX, or machine code (an ELF file) for one
//! architecture. Payloads may be compressed, by LZ4 (nvcc up to 12) or Zstandard (since then).

use std::io::{self, Read};

use lz4_flex::block::DecompressError;
use ruzstd::decoding::errors::FrameDecoderError;
use thiserror::Error;

/// The first word of a fat binary.
pub(crate) const MAGIC: u32 = 0xba55_ed50;
/// Bytes of the header, which give the size of the rest.
pub(crate) const HEADER: usize = 16;

const PTX: u16 = 1;
const LZ4: u64 = 0x2000;
const ZSTANDARD: u64 = 0x8000;

/// Why device code cannot be read.
#[derive(Debug, Error)]
pub(crate) enum FatBinaryError {
    /// The first word is not that of a fat binary.
    #[error("the program's device code is no fat binary")]
    NoFatBinary,
    /// Text without a target.
    #[error("the device code is neither a fat binary nor PTX for `.target sm_…`")]
    NoCode,
    /// A header or a payload that cannot be.
    #[error("the fat binary is damaged at byte {at}: {damage}")]
    Damaged {
        /// Offset of the damaged image in bytes.
        at: usize,
        /// What is wrong.
        damage: Damage,
    },
}

/// What is wrong with an image.
#[derive(Debug, Error)]
pub(crate) enum Damage {
    #[error("an image's header is cut off")]
    HeaderCut,
    #[error("an image is cut off")]
    ImageCut,
    #[error("{0} bytes of PTX are too many")]
    TooLarge(usize),
    #[error(transparent)]
    Lz4(#[from] DecompressError),
    #[error(transparent)]
    Frame(#[from] FrameDecoderError),
    #[error(transparent)]
    Zstandard(#[from] io::Error),
}

/// PTX for one architecture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Image {
    /// The architecture: 80 for `compute_80`.
    pub(crate) arch: u32,
    /// The text.
    pub(crate) text: String,
}

/// What a fat binary has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Content {
    /// PTX.
    pub(crate) ptx: Vec<Image>,
    /// The architectures for which there is machine code.
    pub(crate) machine: Vec<u32>,
}

/// The size of a whole fat binary, from its header.
///
/// # Errors
/// Another first word.
pub(crate) fn size(header: &[u8]) -> Result<usize, FatBinaryError> {
    header_size(header).ok_or(FatBinaryError::NoFatBinary)
}

fn header_size(header: &[u8]) -> Option<usize> {
    (number(header, 0, 4)? == u64::from(MAGIC)).then_some(())?;
    let (head, rest) = (number(header, 6, 2)?, number(header, 8, 8)?);
    usize::try_from(head.checked_add(rest)?).ok()
}

/// Reads a fat binary, or PTX as text.
///
/// # Errors
/// A damaged fat binary, or neither of them.
pub(crate) fn read(bytes: &[u8]) -> Result<Content, FatBinaryError> {
    if number(bytes, 0, 4) == Some(u64::from(MAGIC)) {
        return parse(bytes);
    }
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let text = String::from_utf8_lossy(text).into_owned();
    let arch = architecture(&text).ok_or(FatBinaryError::NoCode)?;
    Ok(Content { ptx: vec![Image { arch, text }], machine: Vec::new() })
}

/// The architecture of PTX: 80 for `.target sm_80`.
fn architecture(ptx: &str) -> Option<u32> {
    let target = ptx.split_once(".target")?.1.trim_start();
    let digits = target.strip_prefix("sm_")?;
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Reads a fat binary.
///
/// # Errors
/// A damaged one; the error says what is wrong and where.
fn parse(binary: &[u8]) -> Result<Content, FatBinaryError> {
    let size = size(binary)?.min(binary.len());
    let mut content = Content::default();
    let mut at = number(binary, 6, 2).unwrap_or(0) as usize;
    while at < size {
        let damaged = |damage| FatBinaryError::Damaged { at, damage };
        let image = &binary[at..size];
        let field =
            |offset, bytes| number(image, offset, bytes).ok_or_else(|| damaged(Damage::HeaderCut));
        let (kind, head, padded) = (field(0, 2)?, field(4, 4)? as usize, field(8, 8)?);
        let (compressed, arch, flags, plain) =
            (field(16, 4)? as usize, field(28, 4)? as u32, field(40, 8)?, field(56, 8)?);
        let end = usize::try_from(padded).ok().and_then(|padded| head.checked_add(padded));
        let payload = end.filter(|end| *end > 0).and_then(|end| image.get(head..end));
        let payload = payload.ok_or_else(|| damaged(Damage::ImageCut))?;
        if kind == u64::from(PTX) {
            let packed = payload.get(..compressed).filter(|packed| !packed.is_empty());
            let packed = packed.unwrap_or(payload);
            let text = unpack(packed, flags, plain as usize).map_err(damaged)?;
            let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
            let text = String::from_utf8_lossy(text).into_owned();
            content.ptx.push(Image { arch, text });
        } else {
            content.machine.push(arch);
        }
        at += end.unwrap_or(size);
    }
    Ok(content)
}

/// The text of a payload; `bytes` is its size if it was compressed.
fn unpack(payload: &[u8], flags: u64, bytes: usize) -> Result<Vec<u8>, Damage> {
    /// More than any compiler makes of one file.
    const MOST: usize = 1 << 30;
    if flags & (LZ4 | ZSTANDARD) == 0 {
        return Ok(payload.to_vec());
    }
    if bytes > MOST {
        return Err(Damage::TooLarge(bytes));
    }
    if flags & LZ4 != 0 {
        return Ok(lz4_flex::block::decompress(payload, bytes)?);
    }
    let mut text = Vec::new();
    let decoder = ruzstd::decoding::StreamingDecoder::new(payload)?;
    decoder.take(MOST as u64).read_to_end(&mut text)?;
    Ok(text)
}

/// A little-endian number of some bytes.
fn number(bytes: &[u8], at: usize, count: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + count)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// How a payload is packed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Packing {
        Plain,
        Lz4,
        Zstandard,
    }

    /// A fat binary of these texts, each for an architecture.
    pub(crate) fn fat_binary(texts: &[(u32, &str)], packing: Packing) -> Vec<u8> {
        let images: Vec<u8> = texts.iter().flat_map(|it| image(PTX, *it, packing)).collect();
        let mut binary = MAGIC.to_le_bytes().to_vec();
        binary.extend([1, 0, HEADER as u8, 0]);
        binary.extend((images.len() as u64).to_le_bytes());
        binary.extend(images);
        binary
    }

    fn image(kind: u16, (arch, text): (u32, &str), packing: Packing) -> Vec<u8> {
        let plain = [text.as_bytes(), b"\0"].concat();
        let (mut payload, flags) = match packing {
            Packing::Plain => (plain.clone(), 0x11),
            Packing::Lz4 => (lz4_flex::block::compress(&plain), LZ4),
            Packing::Zstandard => {
                let level = ruzstd::encoding::CompressionLevel::Fastest;
                (ruzstd::encoding::compress_to_vec(plain.as_slice(), level), ZSTANDARD)
            }
        };
        let packed = if packing == Packing::Plain { 0 } else { payload.len() as u32 };
        payload.resize(payload.len().next_multiple_of(8), 0);
        let mut image = Vec::new();
        image.extend(kind.to_le_bytes());
        image.extend(0x101_u16.to_le_bytes());
        image.extend(64_u32.to_le_bytes());
        image.extend((payload.len() as u64).to_le_bytes());
        image.extend(packed.to_le_bytes());
        image.extend([0; 8]);
        image.extend(arch.to_le_bytes());
        image.extend([0; 8]);
        image.extend(flags.to_le_bytes());
        image.extend([0; 8]);
        image.extend((plain.len() as u64).to_le_bytes());
        image.extend(payload);
        image
    }

    const TEXT: &str =
        ".version 7.8 .target sm_50 .address_size 64 // and again, and again, and again";

    #[test]
    fn texts_are_read_however_they_are_packed() {
        for packing in [Packing::Plain, Packing::Lz4, Packing::Zstandard] {
            let binary = fat_binary(&[(50, TEXT), (90, "second")], packing);
            assert_eq!(size(&binary).unwrap(), binary.len());
            let content = parse(&binary).unwrap();
            let found: Vec<(u32, &str)> =
                content.ptx.iter().map(|image| (image.arch, image.text.as_str())).collect();
            assert_eq!(found, [(50, TEXT), (90, "second")], "{packing:?}");
        }
    }

    #[test]
    fn machine_code_is_listed() {
        let mut binary = fat_binary(&[(50, TEXT)], Packing::Plain);
        let more = image(2, (90, "\x7fELF"), Packing::Plain);
        let bytes = (binary.len() - HEADER + more.len()) as u64;
        binary[8..16].copy_from_slice(&bytes.to_le_bytes());
        binary.extend(more);
        let content = parse(&binary).unwrap();
        assert_eq!((content.ptx.len(), content.machine), (1, vec![90]));
    }

    #[test]
    fn a_damaged_binary_is_an_error_wherever_it_is_damaged() {
        assert!(parse(b"").is_err() && parse(b"no fat binary at all").is_err());
        for packing in [Packing::Plain, Packing::Lz4, Packing::Zstandard] {
            let whole = fat_binary(&[(50, TEXT)], packing);
            for length in 0..whole.len() - 8 {
                let cut = parse(&whole[..length]);
                assert!(length == HEADER || cut.is_err(), "{length} of {packing:?}: {cut:?}");
            }
            // No damage to a byte may panic.
            for at in 0..whole.len() {
                for value in [0, 1, 0x7f, 0xff] {
                    let mut damaged = whole.clone();
                    damaged[at] = value;
                    let _ = parse(&damaged);
                }
            }
        }
    }
}
