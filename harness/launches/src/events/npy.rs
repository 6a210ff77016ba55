//! NumPy's `.npy` files: a short header, a Python literal of three keys, then the elements.
//!
//! Read here and not by a crate: those that are well kept read into types that are known when they are compiled, or bring a
//! parser for all of Python's literals; what a buffer needs are bytes and the name of their type.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use report::files;
use ui::Usage;

use super::element::Element;

const MAGIC: &[u8] = b"\x93NUMPY";

/// NumPy's type codes, and what they are here. `?` is a byte, complex numbers are pairs.
const TYPES: [(&str, &str, u64); 15] = [
    ("i1", "i8", 1),
    ("u1", "u8", 1),
    ("b1", "u8", 1),
    ("i2", "i16", 1),
    ("u2", "u16", 1),
    ("i4", "i32", 1),
    ("u4", "u32", 1),
    ("i8", "i64", 1),
    ("u8", "u64", 1),
    ("f2", "f16", 1),
    ("f4", "f32", 1),
    ("f8", "f64", 1),
    ("c8", "f32", 2),
    ("c16", "f64", 2),
    // NumPy has no bfloat16: its bits are kept.
    ("u2", "bf16", 1),
];

/// What a file holds, in the order of C and little-endian.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    pub element: Element,
    /// Elements along each axis, the one that changes fastest last; none of a single number.
    pub shape: Vec<u64>,
    pub bytes: Vec<u8>,
}

/// A header's three values.
#[derive(Debug, PartialEq)]
struct Header<'a> {
    descr: &'a str,
    is_fortran: bool,
    shape: Vec<u64>,
}

impl Array {
    pub fn count(&self) -> u64 {
        self.shape.iter().product()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, is no `.npy`, or holds what is no number.
    pub fn read(path: &Path) -> Result<Array> {
        let name = path.display();
        let file = files::read(path).with_context(|| format!("cannot read {name}"))?;
        match Array::parse(&file) {
            Ok(array) => Ok(array),
            Err(why) => bail!(Usage(format!("{name}: {why:#}"))),
        }
    }

    fn parse(file: &[u8]) -> Result<Array> {
        let rest = file
            .strip_prefix(MAGIC)
            .context("no .npy file: it does not begin as one; save it with numpy.save")?;
        let cut = "the file ends within its header; save it again";
        let (version, rest) = rest.split_first_chunk::<2>().context(cut)?;
        let (length, rest) = match version[0] {
            1 => {
                let (length, rest) = rest.split_first_chunk().context(cut)?;
                (usize::from(u16::from_le_bytes(*length)), rest)
            }
            _ => {
                let (length, rest) = rest.split_first_chunk().context(cut)?;
                (u32::from_le_bytes(*length) as usize, rest)
            }
        };
        let (header, data) = rest.split_at_checked(length).context(cut)?;
        let Header { descr, is_fortran, shape } =
            parse_header(std::str::from_utf8(header).context("a header that is no text")?)?;
        let code = descr.trim_start_matches(['<', '>', '=', '|']);
        let &(_, name, each) = TYPES.iter().find(|(known, ..)| *known == code).with_context(|| {
            format!("its dtype is '{descr}', which is no number; pass raw bytes, as array.tofile() writes them")
        })?;
        let element: Element = name.parse().map_err(anyhow::Error::msg)?;
        let shape: Vec<u64> = shape.into_iter().chain((each > 1).then_some(each)).collect();
        let size = shape.iter().try_fold(element.bytes, |all, &n| all.checked_mul(n));
        let size = size.context("its shape is larger than any memory")?;
        ensure!(
            data.len() as u64 == size,
            "its header promises {size} bytes, and {} follow; save it again",
            data.len()
        );
        let mut bytes = data.to_vec();
        if descr.starts_with('>') {
            bytes.chunks_exact_mut(element.bytes as usize).for_each(<[u8]>::reverse);
        }
        if is_fortran {
            let inner = (each > 1) as usize;
            let axes = &shape[..shape.len() - inner];
            bytes = in_order_of_c(&bytes, axes, (element.bytes * each) as usize);
        }
        Ok(Array { element, shape, bytes })
    }

    /// The file's bytes.
    pub fn to_file(&self) -> Vec<u8> {
        let (code, ..) = TYPES.iter().find(|(_, name, _)| *name == self.element.name).expect("one");
        let order = if self.element.bytes == 1 { '|' } else { '<' };
        let axes: String = self.shape.iter().map(|n| format!("{n}, ")).collect();
        let axes =
            if self.shape.len() == 1 { axes.trim_end() } else { axes.trim_end_matches(", ") };
        let mut header =
            format!("{{'descr': '{order}{code}', 'fortran_order': False, 'shape': ({axes}), }}");
        // The elements begin at a multiple of 64 bytes, after a line end.
        let before = MAGIC.len() + 4;
        let padding = (before + header.len() + 1).next_multiple_of(64) - before - header.len() - 1;
        header += &" ".repeat(padding);
        header.push('\n');
        let mut file = [MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes()].concat();
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(&self.bytes);
        file
    }
}

/// What NumPy calls a type.
pub fn dtype(element: Element) -> String {
    match element.name {
        "bf16" => "uint16".to_owned(),
        name => match name.split_at(1) {
            ("i", bits) => format!("int{bits}"),
            ("u", bits) => format!("uint{bits}"),
            (_, bits) => format!("float{bits}"),
        },
    }
}

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
fn parse_header(text: &str) -> Result<Header<'_>> {
    let after = |key: &str| {
        let (_, rest) = text.split_once(&format!("'{key}'"))?;
        Some(rest.trim_start().strip_prefix(':')?.trim_start())
    };
    let lacks = |key: &str| format!("its header has no '{key}'; save it again with numpy.save");
    let descr = after("descr").with_context(|| lacks("descr"))?;
    if descr.starts_with('[') {
        bail!("its dtype is a structure; pass raw bytes, as array.tofile() writes them");
    }
    let descr = descr.strip_prefix('\'').and_then(|rest| Some(rest.split_once('\'')?.0));
    let order = after("fortran_order").with_context(|| lacks("fortran_order"))?;
    let shape = after("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')'));
    let (shape, _) = shape.with_context(|| lacks("shape"))?;
    let axes = shape.split(',').map(str::trim).filter(|axis| !axis.is_empty());
    Ok(Header {
        descr: descr.with_context(|| lacks("descr"))?,
        is_fortran: order.starts_with("True"),
        shape: axes
            .map(|axis| axis.trim_end_matches('L').parse().ok())
            .collect::<Option<_>>()
            .with_context(|| format!("its shape ({shape}) is none; save it again"))?,
    })
}

/// Elements of `size` bytes of which the first axis changed fastest, so that the last does.
fn in_order_of_c(bytes: &[u8], shape: &[u64], size: usize) -> Vec<u8> {
    let mut index = vec![0u64; shape.len()];
    let mut out = Vec::with_capacity(bytes.len());
    while out.len() < bytes.len() {
        let from = index.iter().zip(shape).rev().fold(0, |at, (i, n)| at * n + i) as usize;
        out.extend_from_slice(&bytes[from * size..][..size]);
        for (i, n) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < *n {
                break;
            }
            *i = 0;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file as NumPy writes it.
    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut file = [MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes()].concat();
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(data);
        file
    }

    fn array(element: &str, shape: &[u64], bytes: &[u8]) -> Array {
        let element = element.parse().expect("a type");
        Array { element, shape: shape.to_vec(), bytes: bytes.to_vec() }
    }

    #[test]
    fn what_numpy_saves_is_read() {
        let read = |descr: &str, order: &str, shape: &str, data: &[u8]| {
            let text =
                format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
            Array::parse(&file(&text, data)).expect(descr)
        };
        assert_eq!(read("<i2", "False", "(2,)", &[1, 0, 2, 0]), array("i16", &[2], &[1, 0, 2, 0]));
        assert_eq!(read(">i2", "False", "(2,)", &[0, 1, 0, 2]), array("i16", &[2], &[1, 0, 2, 0]));
        assert_eq!(read("|b1", "False", "()", &[1]), array("u8", &[], &[1]));
        // Columns 0 3, 1 4, 2 5 one after the other.
        let transposed = read("|u1", "True", "(2, 3)", &[0, 3, 1, 4, 2, 5]);
        assert_eq!(transposed, array("u8", &[2, 3], &[0, 1, 2, 3, 4, 5]));
        assert_eq!(read("<c8", "False", "(1,)", &[0; 8]).shape, [1, 2]);
        assert_eq!(read("<f2", "False", "(1,)", &[0, 0x3c]).element.name, "f16");
        assert_eq!(read("<f4", "False", "(0, 4)", &[]).count(), 0);
    }

    #[test]
    fn what_is_written_is_read_again() {
        for whole in [
            array("f32", &[2, 3], &[7; 24]),
            array("u8", &[3], &[1, 2, 3]),
            array("i64", &[], &[9; 8]),
        ] {
            let file = whole.to_file();
            assert_eq!((file.len() - whole.bytes.len()) % 64, 0);
            assert_eq!(Array::parse(&file).expect("its own file"), whole);
        }
        let text = array("u8", &[3], &[1, 2, 3]).to_file();
        let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }";
        assert_eq!(&text[10..10 + header.len()], header.as_bytes());
    }

    #[test]
    fn other_files_are_refused_with_a_remedy() {
        let refused = |file: &[u8]| format!("{:#}", Array::parse(file).expect_err("no array"));
        assert!(refused(b"hello").contains("numpy.save"));
        assert!(refused(MAGIC).contains("ends within"));
        let of = |header: &str, data: &[u8]| refused(&file(header, data));
        let words = of("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", &[0; 4]);
        assert!(words.contains("structure") && words.contains("tofile"), "{words}");
        let words = of("{'descr': '<U4', 'fortran_order': False, 'shape': (1,)}", &[]);
        assert!(words.contains("'<U4'"), "{words}");
        let words = of("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", &[0; 4]);
        assert!(words.contains("8 bytes, and 4 follow"), "{words}");
        let far = "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 9999999999)}";
        assert!(of(far, &[]).contains("larger"));
        assert!(of("{'descr': '<f4', 'shape': (2,)}", &[]).contains("fortran_order"));
        assert!(
            of("{'descr': '<f4', 'fortran_order': False, 'shape': (a,)}", &[]).contains("(a,)")
        );
    }
}
