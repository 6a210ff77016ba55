//! What is in a buffer before the kernel runs, as bytes.

use std::path::Path;

use anyhow::{Context, Result, bail};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use report::files;
use ui::Usage;

use super::buffer::{Contents, Fill, is_npy};
use super::element::Element;
use super::npy::{self, Array};

impl Contents {
    /// The bytes to upload; `None` where nothing is to be. Random numbers come from `seed`.
    pub fn make(&self, seed: u64) -> Result<Option<Vec<u8>>> {
        let bytes = match &self.fill {
            Fill::Uninitialised => return Ok(None),
            Fill::Random => random(self.element, self.count, seed),
            Fill::Iota => self.element.numbers(self.count, |i| self.element.whole(i)),
            Fill::Bytes(bytes) => {
                let times = self.bytes() as usize / bytes.len();
                bytes.repeat(times)
            }
            Fill::File(file) if is_npy(file) => self.read_npy(file)?,
            Fill::File(file) => {
                let name = file.display();
                let bytes = files::read(file).with_context(|| format!("cannot read {name}"))?;
                if bytes.len() as u64 != self.bytes() {
                    let (element, count, wanted) = (self.element.name, self.count, self.bytes());
                    let found = bytes.len();
                    bail!(Usage(format!(
                        "{name} has {found} bytes, and {element}[{count}] takes {wanted}; change the count or the file"
                    )));
                }
                bytes
            }
        };
        Ok(Some(bytes))
    }

    /// The elements of a `.npy`, which must be of the buffer's type and as many.
    fn read_npy(&self, file: &Path) -> Result<Vec<u8>> {
        let (name, array) = (file.display(), Array::read(file)?);
        let (wanted, count) = (self.element.name, self.count);
        if array.element.bytes != self.element.bytes
            || array.element != self.element && wanted != "bf16"
        {
            let found = array.element.name;
            bail!(Usage(format!(
                "{name} holds {found}, and {wanted} is asked for; write {found}[{}]=@{name}, or convert it \
                 in Python: array.astype(numpy.{})",
                array.count(),
                npy::dtype(self.element)
            )));
        }
        if array.count() != count {
            let (found, shape) = (array.count(), shape(&array.shape));
            bail!(Usage(format!(
                "{name} has {found} elements (shape {shape}), and {wanted}[{count}] takes {count}; change the \
                 count or the file"
            )));
        }
        Ok(array.bytes)
    }
}

/// A shape as NumPy writes it.
fn shape(axes: &[u64]) -> String {
    let axes: Vec<String> = axes.iter().map(u64::to_string).collect();
    match axes.len() {
        1 => format!("({},)", axes[0]),
        _ => format!("({})", axes.join(", ")),
    }
}

/// Floats from 0 up to 1 in steps of 2⁻²⁴; integers from 0 up to `count` as far as the type reaches, so that
/// they can be indices of a buffer of as many elements.
fn random(element: Element, count: u64, seed: u64) -> Vec<u8> {
    let mut numbers = ChaCha8Rng::seed_from_u64(seed);
    let limit = element.range.map_or(count, |(_, greatest)| {
        count.min(u64::try_from(greatest).map_or(u64::MAX, |greatest| greatest.saturating_add(1)))
    });
    element.numbers(count, |_| match element.range {
        None => element.float(f64::from(numbers.next_u32() >> 8) / f64::from(1 << 24)),
        // The remainder is not quite uniform; that is of no account here.
        Some(_) => element.whole(numbers.next_u64() % limit),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(element: &str, count: u64, fill: Fill) -> Contents {
        Contents { element: element.parse().expect("a type"), count, fill }
    }

    fn make(element: &str, count: u64, fill: Fill) -> Vec<u8> {
        contents(element, count, fill).make(1).expect("contents").expect("bytes")
    }

    #[test]
    fn fillings_fill_the_whole_buffer() {
        assert_eq!(make("u16", 3, Fill::Iota), [0, 0, 1, 0, 2, 0]);
        assert_eq!(make("u8", 3, Fill::Bytes(vec![7])), [7, 7, 7]);
        assert_eq!(make("u8", 3, Fill::Bytes(vec![7, 8, 9])), [7, 8, 9]);
        assert_eq!(contents("u8", 3, Fill::Uninitialised).make(1).expect("contents"), None);
    }

    #[test]
    fn random_numbers_are_seeded_and_within_bounds() {
        let random = contents("f32", 1000, Fill::Random);
        let (one, other) = (random.make(1).unwrap(), random.make(2).unwrap());
        assert_eq!(one, random.make(1).unwrap());
        assert_ne!(one, other);
        let floats = one.unwrap();
        let floats: Vec<f32> = floats
            .chunks_exact(4)
            .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect();
        assert!(floats.iter().all(|x| (0.0..1.0).contains(x)));
        let mean = floats.iter().sum::<f32>() / 1000.0;
        // The mean of 1000 has a standard deviation of 0.009.
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
        let indices = make("u16", 10, Fill::Random);
        assert!(indices.chunks_exact(2).all(|bytes| bytes[0] < 10 && bytes[1] == 0));
        assert_eq!(make("u8", 1000, Fill::Random).iter().max(), Some(&255));
    }

    #[test]
    fn a_file_must_have_the_buffers_size() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("in.bin");
        std::fs::write(&file, [1, 2, 3]).expect("a file");
        assert_eq!(make("u8", 3, Fill::File(file.clone())), [1, 2, 3]);
        let error =
            contents("u16", 2, Fill::File(file)).make(1).expect_err("of another size").to_string();
        assert!(error.contains("3 bytes") && error.contains("u16[2] takes 4"), "{error}");
    }

    #[test]
    fn an_array_must_have_the_buffers_type_and_size() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("in.npy");
        let element = "i16".parse().expect("a type");
        let array = Array { element, shape: vec![2, 1], bytes: vec![1, 0, 2, 0] };
        std::fs::write(&file, array.to_file()).expect("a file");
        assert_eq!(make("i16", 2, Fill::File(file.clone())), [1, 0, 2, 0]);
        let refused = |element, count| {
            let contents = contents(element, count, Fill::File(file.clone()));
            contents.make(1).expect_err("another array").to_string()
        };
        let error = refused("f32", 2);
        assert!(error.contains("holds i16") && error.contains("numpy.float32"), "{error}");
        let error = refused("i16", 3);
        assert!(error.contains("2 elements (shape (2, 1))") && error.contains("i16[3]"), "{error}");
        assert!(refused("u16", 2).contains("i16[2]=@"));
    }
}
