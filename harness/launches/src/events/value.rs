//! Values as people type them for a kernel: `u32=7`, `f32[1024]=rand`, `x=@x.npy`, `{f32=1,2; out}`.

use std::path::Path;
use std::str::FromStr;

use ui::Usage;

use super::buffer::{Contents, check_size, fill, from_npy};
use super::element::Element;

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
    /// As the kernel gets them; addresses are still 0.
    pub bytes: Vec<u8>,
    /// Where among them the addresses of buffers go, and those buffers' names.
    pub addresses: Vec<(usize, String)>,
    align: usize,
}

/// A value, and the name that other launches and results have for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// None: no other launch and no result names it.
    pub name: Option<String>,
    /// What the kernel gets.
    pub value: Value,
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
    ///
    /// # Errors
    /// The text is no value, or a file cannot be read; the message says how to write it.
    pub fn read(text: &str, folder: &Path) -> Result<Value, Usage> {
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
        let (kind, value) = match text.split_once('=') {
            Some(both) => both,
            None if text.ends_with(']') => (text, "uninit"),
            None => return Err(form().into()),
        };
        let Some((element, count)) = kind.split_once('[') else {
            let element: Element = kind.trim().parse()?;
            return Ok(Value::Plain(numbers_of(element, value)?));
        };
        let element: Element = element.trim().parse()?;
        let count = count.trim_end().strip_suffix(']').ok_or_else(form)?;
        let count =
            ui::count::parse(count.trim()).map_err(|why| Usage(format!("`{kind}`: {why}")))?;
        let contents = Contents { element, count, fill: fill(element, count, value, folder)? };
        check_size(kind, contents).map(Value::Buffer)
    }
}

impl FromStr for Value {
    type Err = Usage;

    fn from_str(text: &str) -> Result<Value, Usage> {
        Value::read(text, Path::new(""))
    }
}

impl Named {
    /// Reads `VALUE` or `NAME=VALUE`; files are looked for from `folder` on.
    ///
    /// # Errors
    /// As [`Value::read`].
    pub fn read(text: &str, folder: &Path) -> Result<Named, Usage> {
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
    type Err = Usage;

    fn from_str(text: &str) -> Result<Named, Usage> {
        Named::read(text, Path::new(""))
    }
}

/// Whether what follows `NAME=` can be a value and is no mere number.
fn is_value(text: &str) -> bool {
    text.contains('=')
        || text.trim_start().starts_with(['@', '{'])
        || text.trim_end().ends_with(']')
}

/// Whether a text may be the name of a buffer: that of a variable in C, and no type.
pub fn is_name(text: &str) -> bool {
    report::is_name(text) && text.parse::<Element>().is_err()
}

/// Reads `NAME=VALUE`: a variable and what it is set to.
///
/// # Errors
/// The text is nothing of that form; the message says how to write it.
pub fn variable(text: &str) -> Result<(String, Value), Usage> {
    variable_in(text, Path::new(""))
}

fn variable_in(text: &str, folder: &Path) -> Result<(String, Value), Usage> {
    let form = || "write a variable as n=i32=1024 or table=f32[256]=iota";
    let (name, value) = text.split_once('=').ok_or_else(form)?;
    if name.trim().is_empty() || !is_value(value) {
        return Err(form().into());
    }
    Ok((name.trim().to_owned(), Value::read(value, folder)?))
}

/// Reads `NAME=VALUE`: a buffer.
///
/// # Errors
/// As [`variable`].
pub fn buffer(text: &str) -> Result<(String, Contents), Usage> {
    match text.parse()? {
        Named { name: Some(name), value: Value::Buffer(contents) } => Ok((name, contents)),
        _ => Err("write a buffer as x=f32[1024]=rand or x=@x.npy".into()),
    }
}

/// Reads `{FIELD; FIELD; …}`: a struct as C lays it out. A field is a number, an array of them, a struct, or the address of a
/// buffer by its name.
fn structure(text: &str) -> Result<Plain, Usage> {
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
                return Err(Usage(format!(
                    "`{field}`: an array in a struct is f32=1,2,3; a pointer is the name of a buffer, made \
                     with --buffer NAME={field}"
                )));
            }
        }
    }
    if all.bytes.is_empty() {
        return Err(format!("`{text}` has no fields; {form}").into());
    }
    all.bytes.resize(all.bytes.len().next_multiple_of(all.align), 0);
    Ok(all)
}

/// Numbers that are passed by value.
fn numbers_of(element: Element, text: &str) -> Result<Plain, Usage> {
    let bytes = element.encode_list(text)?;
    Ok(Plain { bytes, addresses: Vec::new(), align: element.bytes as usize })
}

#[cfg(test)]
mod tests {
    use super::super::buffer::Fill;
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
        text.parse::<Value>().expect_err(text).to_string()
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
        for text in ["f64[1]=uninit", "f64[1]", " f64[ 1 ] "] {
            assert_eq!(buffer(text).fill, Fill::Uninitialised);
        }
    }

    #[test]
    fn variables_have_a_name_and_a_value() {
        let (name, value) = variable("n=u16=5").expect("a variable");
        assert_eq!((name.as_str(), value), ("n", "u16=5".parse().expect("a value")));
        for wrong in ["n", "n=5", "=u8=1", "u32=7"] {
            assert!(variable(wrong).expect_err(wrong).0.contains("n=i32=1024"));
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
        for text in ["x=u8[3]=zero", "x=u8[3]"] {
            assert_eq!(buffer_of(text), ("x".to_owned(), 3));
        }
        assert!(super::buffer("x=u8=3").is_err_and(|why| why.0.contains("x=f32[1024]=rand")));
    }

    fn buffer_of(text: &str) -> (String, u64) {
        super::buffer(text).map(|(name, contents)| (name, contents.count)).expect(text)
    }

    #[test]
    fn mistakes_are_named_with_their_remedy() {
        for (text, words) in [
            ("7", "u32=7"),
            ("f32[4=rand", "f32[1024]=rand"),
            ("f32[4]x", "f32[1024]=rand"),
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
