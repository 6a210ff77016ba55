//! Values as people type them for a kernel: `u32=7`, `f32[1024]=rand`.

use std::path::PathBuf;
use std::str::FromStr;

use super::element::Element;

/// The most bytes that one buffer may have: the simulator's memory is not much larger.
const MOST_BYTES: u64 = 1 << 30;

/// What a kernel gets as one argument, or what a variable of it is set to.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The value itself; several numbers make up a vector or a struct.
    Scalar(Vec<u8>),
    /// Memory on the device, whose address is passed.
    Buffer(Contents),
}

/// Memory on the device and what is in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    pub element: Element,
    pub count: u64,
    pub fill: Fill,
}

/// What the elements of a buffer are set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fill {
    /// Seeded random numbers: floats from 0 up to 1, integers from 0 up to the number of elements.
    Random,
    /// 0, 1, 2, …
    Iota,
    /// These bytes: one element's, repeated, or all elements'.
    Bytes(Vec<u8>),
    /// What a file holds, byte by byte.
    File(PathBuf),
    /// Nothing: reading them before the kernel has written them is a hazard.
    Uninitialised,
}

impl Contents {
    pub fn bytes(&self) -> u64 {
        self.count * self.element.bytes
    }
}

impl FromStr for Value {
    type Err = String;

    fn from_str(text: &str) -> Result<Value, String> {
        let form =
            || format!("write a value as u32=7 or f32[1024]=rand; types: {}", Element::names());
        let (kind, value) = text.split_once('=').ok_or_else(form)?;
        let Some((element, count)) = kind.split_once('[') else {
            let element: Element = kind.trim().parse()?;
            return Ok(Value::Scalar(numbers(element, value)?));
        };
        let element: Element = element.trim().parse()?;
        let count = count.trim_end().strip_suffix(']').ok_or_else(form)?;
        let count = crate::count::parse(count.trim()).map_err(|why| format!("`{kind}`: {why}"))?;
        let contents = Contents { element, count, fill: fill(element, count, value)? };
        match count.checked_mul(element.bytes) {
            Some(bytes) if bytes <= MOST_BYTES => Ok(Value::Buffer(contents)),
            _ => Err(format!("`{kind}` is too large; a buffer has at most {MOST_BYTES} bytes")),
        }
    }
}

/// Reads `NAME=VALUE`: a variable and what it is set to.
pub fn variable(text: &str) -> Result<(String, Value), String> {
    let form = || "write a variable as n=i32=1024 or table=f32[256]=iota".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(form)?;
    if name.trim().is_empty() || !value.contains('=') {
        return Err(form());
    }
    Ok((name.trim().to_owned(), value.parse()?))
}

/// What follows the `=` of a buffer.
fn fill(element: Element, count: u64, text: &str) -> Result<Fill, String> {
    let fill = match text.trim() {
        "rand" => Fill::Random,
        "iota" => Fill::Iota,
        "zero" => Fill::Bytes(vec![0; element.bytes as usize]),
        "one" => Fill::Bytes(element.encode("1")?),
        "uninit" => Fill::Uninitialised,
        file if file.starts_with('@') => Fill::File(PathBuf::from(&file[1..])),
        values => Fill::Bytes(numbers(element, values).map_err(|why| {
            format!("{why}; or fill a buffer with rand, zero, one, iota, uninit or @FILE")
        })?),
    };
    match &fill {
        Fill::Bytes(bytes)
            if bytes.len() as u64 != element.bytes
                && bytes.len() as u64 != count * element.bytes =>
        {
            let given = bytes.len() as u64 / element.bytes;
            Err(format!("{given} values for {count} elements; give one for all, or one for each"))
        }
        _ => Ok(fill),
    }
}

/// Numbers parted by commas, one after the other.
fn numbers(element: Element, text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for number in text.split(',') {
        bytes.extend(element.encode(number.trim())?);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(text: &str) -> Vec<u8> {
        match text.parse() {
            Ok(Value::Scalar(bytes)) => bytes,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn buffer(text: &str) -> Contents {
        match text.parse() {
            Ok(Value::Buffer(contents)) => contents,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn refusal(text: &str) -> String {
        text.parse::<Value>().expect_err(text)
    }

    #[test]
    fn scalars_are_little_endian_in_their_own_size() {
        assert_eq!(scalar("i32=-3"), [0xfd, 0xff, 0xff, 0xff]);
        assert_eq!(scalar("u64=1k"), [0xe8, 3, 0, 0, 0, 0, 0, 0]);
        assert_eq!(scalar("u8=0xff"), [255]);
        assert_eq!(scalar("f32=0.5"), 0.5f32.to_le_bytes());
        assert_eq!(scalar("f64=-1e-3"), (-1e-3f64).to_le_bytes());
        assert_eq!(scalar("u16=1, 2"), [1, 0, 2, 0], "a vector of two");
    }

    #[test]
    fn buffers_have_a_size_and_a_filling() {
        let element = "f32".parse().expect("a type");
        let wanted = Contents { element, count: 1024, fill: Fill::Random };
        assert_eq!(buffer("f32[1024]=rand"), wanted);
        assert_eq!(wanted.bytes(), 4096);
        assert_eq!(buffer("u8[2k]=iota").count, 2000);
        assert_eq!(buffer("f32[3]=0.5").fill, Fill::Bytes(0.5f32.to_le_bytes().to_vec()));
        assert_eq!(buffer("u8[3]=1,2,3").fill, Fill::Bytes(vec![1, 2, 3]));
        assert_eq!(buffer("u16[3]=zero").fill, Fill::Bytes(vec![0, 0]));
        assert_eq!(buffer("f32[3]=@in.bin").fill, Fill::File("in.bin".into()));
        assert_eq!(buffer("f64[1]=uninit").fill, Fill::Uninitialised);
    }

    #[test]
    fn variables_have_a_name_and_a_value() {
        let (name, value) = variable("n=u16=5").expect("a variable");
        assert_eq!((name.as_str(), value), ("n", Value::Scalar(vec![5, 0])));
        for wrong in ["n", "n=5", "=u8=1", "u32=7"] {
            assert!(variable(wrong).expect_err(wrong).contains("n=i32=1024"));
        }
    }

    #[test]
    fn mistakes_are_named_with_their_remedy() {
        for (text, words) in [
            ("7", "u32=7"),
            ("f32[4=rand", "f32[1024]=rand"),
            ("int=7", "`int`"),
            ("u8=256", "0 to 255"),
            ("u32=-1", "0 to 4294967295"),
            ("u32=0.5", "whole"),
            ("f32=abc", "abc"),
            ("f32=", "number"),
            ("f32[0]=rand", "at least 1"),
            ("f32[999M]=rand", "at most 1073741824"),
            ("f64[99999999999999M]=rand", "too large"),
            ("f32[4]=1,2", "one for each"),
            ("f32[4]=random", "rand, zero"),
        ] {
            assert!(refusal(text).contains(words), "{text}: {}", refusal(text));
        }
    }
}
