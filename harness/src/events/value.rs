//! Values as people type them for a kernel: `u32=7`, `f32[1024]=rand`, `x=@x.npy`, `{f32=1,2; out}`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::element::Element;
use super::npy::Array;

/// The most bytes that one buffer may have: the simulator's memory is not much larger.
const MOST_BYTES: u64 = 1 << 30;

/// What a kernel gets as one argument, or what a variable of it is set to.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The value itself: a number, several that make up a vector, or a struct.
    Plain(Plain),
    /// Memory on the device, whose address is passed.
    Buffer(Contents),
}

/// Bytes that are passed by value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plain {
    pub bytes: Vec<u8>,
    /// Where among them the addresses of buffers go, and those buffers' names.
    pub addresses: Vec<(usize, String)>,
    align: usize,
}

/// A value, and the name that other launches and results have for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    pub name: Option<String>,
    pub value: Value,
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
    /// What a file holds: the elements of a `.npy`, all bytes of any other.
    File(PathBuf),
    /// Nothing: reading them before the kernel has written them is a hazard.
    Uninitialised,
}

impl Contents {
    pub fn bytes(&self) -> u64 {
        self.count * self.element.bytes
    }
}

impl Plain {
    /// Bytes as they are.
    pub fn of(bytes: Vec<u8>) -> Plain {
        Plain { bytes, addresses: Vec::new(), align: 1 }
    }

    /// The name that it is, if it is nothing else.
    pub fn name(&self) -> Option<&str> {
        match &self.addresses[..] {
            [(0, name)] if self.bytes.len() == 8 && self.align == 8 => Some(name),
            _ => None,
        }
    }

    /// The address of a buffer.
    fn address(name: &str) -> Plain {
        Plain { bytes: vec![0; 8], addresses: vec![(0, name.to_owned())], align: 8 }
    }

    /// Puts a field after what is there, aligned as C does.
    fn push(&mut self, field: Plain) {
        self.align = self.align.max(field.align);
        self.bytes.resize(self.bytes.len().next_multiple_of(field.align), 0);
        let from = self.bytes.len();
        self.addresses.extend(field.addresses.into_iter().map(|(at, name)| (from + at, name)));
        self.bytes.extend(field.bytes);
    }
}

impl Value {
    /// Reads a value; files are looked for from `folder` on.
    pub fn read(text: &str, folder: &Path) -> Result<Value, String> {
        let form = || {
            format!(
                "`{text}`: write a value as u32=7, f32[1024]=rand, @x.npy, or the name of a buffer; types: {}",
                Element::names()
            )
        };
        let text = text.trim();
        if let Some(file) = text.strip_prefix('@') {
            return from_npy(folder.join(file)).map(Value::Buffer);
        }
        if text.starts_with('{') {
            return structure(text).map(Value::Plain);
        }
        if is_name(text) {
            return Ok(Value::Plain(Plain::address(text)));
        }
        let (kind, value) = text.split_once('=').ok_or_else(form)?;
        let Some((element, count)) = kind.split_once('[') else {
            let element: Element = kind.trim().parse()?;
            return Ok(Value::Plain(numbers_of(element, value)?));
        };
        let element: Element = element.trim().parse()?;
        let count = count.trim_end().strip_suffix(']').ok_or_else(form)?;
        let count = ui::count::parse(count.trim()).map_err(|why| format!("`{kind}`: {why}"))?;
        let contents = Contents { element, count, fill: fill(element, count, value, folder)? };
        check_size(kind, contents).map(Value::Buffer)
    }
}

impl FromStr for Value {
    type Err = String;

    fn from_str(text: &str) -> Result<Value, String> {
        Value::read(text, Path::new(""))
    }
}

impl Named {
    /// Reads `VALUE` or `NAME=VALUE`.
    pub fn read(text: &str, folder: &Path) -> Result<Named, String> {
        let named = text.split_once('=').map(|(name, value)| (name.trim(), value));
        match named {
            // `f32=1` is a number and no value with the name f32.
            Some((name, value)) if is_name(name) && is_value(value) => {
                let value = Value::read(value, folder)?;
                Ok(Named { name: Some(name.to_owned()), value })
            }
            _ => Ok(Named { name: None, value: Value::read(text, folder)? }),
        }
    }
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        Named::read(text, Path::new(""))
    }
}

/// Whether what follows `NAME=` can be a value and is no mere number.
fn is_value(text: &str) -> bool {
    text.contains('=') || text.trim_start().starts_with(['@', '{'])
}

/// Whether a text may be the name of a buffer: that of a variable in C, and no type.
pub fn is_name(text: &str) -> bool {
    report::is_name(text) && text.parse::<Element>().is_err()
}

/// Reads `NAME=VALUE`: a variable and what it is set to.
pub fn variable(text: &str) -> Result<(String, Value), String> {
    variable_in(text, Path::new(""))
}

fn variable_in(text: &str, folder: &Path) -> Result<(String, Value), String> {
    let form = || "write a variable as n=i32=1024 or table=f32[256]=iota".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(form)?;
    if name.trim().is_empty() || !is_value(value) {
        return Err(form());
    }
    Ok((name.trim().to_owned(), Value::read(value, folder)?))
}

/// Reads `NAME=VALUE`: a buffer.
pub fn buffer(text: &str) -> Result<(String, Contents), String> {
    match text.parse()? {
        Named { name: Some(name), value: Value::Buffer(contents) } => Ok((name, contents)),
        _ => Err("write a buffer as x=f32[1024]=rand or x=@x.npy".to_owned()),
    }
}

/// What follows the `=` of a buffer of so many elements.
pub fn fill(element: Element, count: u64, text: &str, folder: &Path) -> Result<Fill, String> {
    let fill = match text.trim() {
        "rand" => Fill::Random,
        "iota" => Fill::Iota,
        "zero" => Fill::Bytes(vec![0; element.bytes as usize]),
        "one" => Fill::Bytes(element.encode("1")?),
        "uninit" => Fill::Uninitialised,
        file if file.starts_with('@') => Fill::File(folder.join(&file[1..])),
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

/// A buffer that has the type and the size of a file's array.
fn from_npy(file: PathBuf) -> Result<Contents, String> {
    let name = file.display();
    if !is_npy(&file) {
        return Err(format!(
            "@{name}: only a .npy says what it holds; write type and count: f32[1024]=@{name}"
        ));
    }
    let array = Array::read(&file).map_err(|why| format!("{why:#}"))?;
    if array.count() == 0 {
        return Err(format!("{name} has no elements; a buffer has at least one"));
    }
    let kind = format!("{name}: {}[{}]", array.element.name, array.count());
    let (element, count) = (array.element, array.count());
    check_size(&kind, Contents { element, count, fill: Fill::File(file.clone()) })
}

/// Whether a file's name ends in `.npy`.
pub fn is_npy(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"))
}

fn check_size(kind: &str, contents: Contents) -> Result<Contents, String> {
    match contents.count.checked_mul(contents.element.bytes) {
        Some(bytes) if bytes <= MOST_BYTES => Ok(contents),
        _ => Err(format!("`{kind}` is too large; a buffer has at most {MOST_BYTES} bytes")),
    }
}

/// Reads `{FIELD; FIELD; …}`: a struct as C lays it out. A field is a number, an array of them, a struct, or the address of a
/// buffer by its name.
fn structure(text: &str) -> Result<Plain, String> {
    let form = "write a struct as {i32=5; f32=1,2,3; out}";
    let inner = text.strip_prefix('{').and_then(|rest| rest.trim_end().strip_suffix('}'));
    let inner = inner.ok_or_else(|| format!("`{text}` is not closed; {form}"))?;
    let mut all = Plain { align: 1, ..Plain::default() };
    let (mut depth, mut start) = (0u32, 0);
    let mut fields = Vec::new();
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => {
                fields.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    fields.push(&inner[start..]);
    for field in fields.into_iter().map(str::trim).filter(|field| !field.is_empty()) {
        match Value::read(field, Path::new(""))? {
            Value::Plain(field) => all.push(field),
            Value::Buffer(_) => {
                return Err(format!(
                    "`{field}`: an array in a struct is f32=1,2,3; a pointer is the name of a buffer, made \
                     with --buffer NAME={field}"
                ));
            }
        }
    }
    if all.bytes.is_empty() {
        return Err(format!("`{text}` has no fields; {form}"));
    }
    all.bytes.resize(all.bytes.len().next_multiple_of(all.align), 0);
    Ok(all)
}

/// Numbers that are passed by value.
fn numbers_of(element: Element, text: &str) -> Result<Plain, String> {
    let bytes = numbers(element, text)?;
    Ok(Plain { bytes, addresses: Vec::new(), align: element.bytes as usize })
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
            Ok(Value::Plain(plain)) => plain.bytes,
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
        assert_eq!((name.as_str(), value), ("n", "u16=5".parse().expect("a value")));
        for wrong in ["n", "n=5", "=u8=1", "u32=7"] {
            assert!(variable(wrong).expect_err(wrong).contains("n=i32=1024"));
        }
    }

    #[test]
    fn structs_are_laid_out_as_in_c() {
        let plain = |text: &str| match text.parse() {
            Ok(Value::Plain(plain)) => plain,
            other => panic!("{text}: {other:?}"),
        };
        // struct { char a; short b; double c; float d; };
        let bytes = plain("{u8=1; i16=2; f64=0; f32=1}").bytes;
        assert_eq!(bytes.len(), 24);
        assert_eq!((bytes[0], bytes[2], &bytes[16..20]), (1, 2, &1f32.to_le_bytes()[..]));
        // struct { int n; float *out; struct { char a[3]; } s; };
        let nested = plain("{i32=5; out; {u8=1,2,3}}");
        assert_eq!((nested.bytes.len(), nested.bytes[18]), (24, 3));
        assert_eq!(nested.addresses, [(8, "out".to_owned())]);
        assert_eq!(plain("out").addresses, [(0, "out".to_owned())]);
    }

    #[test]
    fn arguments_may_have_names() {
        let named = |text: &str| text.parse::<Named>().expect(text).name;
        assert_eq!(named("x=f32[4]=rand").as_deref(), Some("x"));
        assert_eq!(named("p={i32=4; x}").as_deref(), Some("p"));
        assert_eq!(named("n=i32=4").as_deref(), Some("n"));
        assert_eq!(named("f32=4"), None);
        assert_eq!(named("f32[4]=rand"), None);
        assert_eq!(named("x"), None);
        assert_eq!(buffer_of("x=u8[3]=zero"), ("x".to_owned(), 3));
        assert!(super::buffer("x=u8=3").is_err_and(|why| why.contains("x=f32[1024]=rand")));
    }

    fn buffer_of(text: &str) -> (String, u64) {
        super::buffer(text).map(|(name, contents)| (name, contents.count)).expect(text)
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
            ("{i32=4", "not closed"),
            ("{}", "no fields"),
            ("{f32[4]=rand}", "--buffer"),
            ("@data.bin", "f32[1024]=@data.bin"),
            ("@absent.npy", "absent.npy"),
            ("g32=1", "did you mean `f32`"),
        ] {
            assert!(refusal(text).contains(words), "{text}: {}", refusal(text));
        }
    }
}
