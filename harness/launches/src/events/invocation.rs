//! One launch: a kernel, its shape and its arguments, as options give it or as CUDA writes it.

use std::path::Path;
use std::str::FromStr;

use ui::{Usage, count};

use super::value::Named;

const FORM: &str = "write a launch as 'scale<<<4, 256>>>(x, f32=2, i32=1000)'; dimensions as dim3(32,8), and the bytes of \
                    dynamic shared memory after the block";

/// A launch.
#[derive(Debug, Clone, Default)]
pub struct Invocation {
    /// None: the file's only kernel.
    pub kernel: Option<String>,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, in bytes.
    pub shared: u32,
    /// All blocks run at once.
    pub cooperative: bool,
    /// In the order of the kernel's parameters.
    pub arguments: Vec<Named>,
    /// How many times more it is repeated.
    pub again: u32,
    /// Where it was written, for messages: `launches.toml:7`; empty on the command line.
    pub place: String,
}

impl FromStr for Invocation {
    type Err = Usage;

    fn from_str(text: &str) -> Result<Invocation, Usage> {
        let form = || format!("`{text}`: {FORM}");
        let (kernel, rest) = text.split_once("<<<").ok_or_else(form)?;
        let (shape, rest) = rest.split_once(">>>").ok_or_else(form)?;
        let arguments = rest.trim().trim_end_matches(';').trim_end();
        let arguments = arguments.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let mut shape = split(shape).into_iter();
        let mut dimensions = || dimensions(shape.next().ok_or_else(form)?);
        let (grid, block) = (dimensions()?, dimensions()?);
        let shared = shape.next().map(bytes).transpose()?.unwrap_or(0);
        if shape.next().is_some() {
            return Err(Usage(format!(
                "`{text}`: there are no streams here: launches run one after the other"
            )));
        }
        let arguments = split(arguments.ok_or_else(form)?);
        Ok(Invocation {
            kernel: Some(kernel.trim().to_owned()).filter(|name| !name.is_empty()),
            grid,
            block,
            shared,
            arguments: arguments
                .into_iter()
                .map(|text| Named::read(text, Path::new("")))
                .collect::<Result<_, _>>()?,
            ..Invocation::default()
        })
    }
}

/// Reads `4`, `(32,8)` or `dim3(32,8)`.
///
/// # Errors
/// The text has another form.
pub fn dimensions(text: &str) -> Result<[u32; 3], Usage> {
    let text = text.trim();
    let inner = text.strip_prefix("dim3").unwrap_or(text).trim();
    let inner = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(inner);
    count::parse_shape(inner).map_err(|why| Usage(format!("`{text}`: {why}")))
}

fn bytes(text: &str) -> Result<u32, Usage> {
    if text == "0" { Ok(0) } else { count::parse_u32(text) }
        .map_err(|why| Usage(format!("bytes of shared memory `{text}`: {why}")))
}

/// Cuts a list at its commas, but for those in brackets and those before a mere number: `x, f32=1,2` are two values.
fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0u32, 0);
    let mut parts = Vec::new();
    for (at, c) in list.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 && !continues(&list[start..at], &list[at + 1..]) => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether what follows a comma goes on with the numbers before it.
fn continues(before: &str, after: &str) -> bool {
    let is_list = before.contains('=');
    let next = after.trim_start();
    is_list && next.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
}

#[cfg(test)]
mod tests {
    use super::super::value::Value;
    use super::*;

    #[test]
    fn launches_are_read_as_cuda_writes_them() {
        let launch: Invocation =
            "tile<<<dim3(4, 2), (32,8), 1k>>>(x=f32[4]=1,2,3,4, i32=-3, {f32=1,2; x}, x);"
                .parse()
                .expect("a launch");
        assert_eq!(launch.kernel.as_deref(), Some("tile"));
        assert_eq!((launch.grid, launch.block, launch.shared), ([4, 2, 1], [32, 8, 1], 1000));
        assert_eq!(launch.arguments.len(), 4);
        assert_eq!(launch.arguments[0].name.as_deref(), Some("x"));
        let Value::Plain(two) = &launch.arguments[2].value else { panic!("a struct") };
        assert_eq!((two.bytes.len(), two.addresses[0].0), (16, 8));
        let bare: Invocation = "<<<1,32,0>>>()".parse().expect("a launch");
        assert_eq!((bare.kernel, bare.arguments.len(), bare.shared), (None, 0, 0));
    }

    #[test]
    fn what_is_no_launch_is_refused_with_the_form() {
        for (text, words) in [
            ("scale", "scale<<<4, 256>>>"),
            ("scale<<<4>>>()", "scale<<<4, 256>>>"),
            ("scale<<<4,256>>>", "scale<<<4, 256>>>"),
            ("scale<<<0,256>>>()", "at least 1"),
            ("scale<<<4,256,0,stream>>>()", "streams"),
            ("scale<<<4,256,many>>>()", "shared memory `many`"),
            ("scale<<<dim3(1,2,3,4),256>>>()", "three dimensions"),
            ("scale<<<4,256>>>(7)", "u32=7"),
        ] {
            let error = text.parse::<Invocation>().expect_err(text);
            assert!(error.0.contains(words), "{text}: {error}");
        }
    }
}
