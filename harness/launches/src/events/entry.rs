//! Which kernel of a file is meant, and what it takes.

use anyhow::{Result, bail};
use simt::{Kernel, Module};

use ui::Usage;

/// The kernel of this name, or the only one. A name of C++ may be given without what the compiler adds for its types.
///
/// # Errors
/// There is none, there are several, or the simulator does not support it.
pub fn choose<'m>(module: &'m Module, file: &str, name: Option<&str>) -> Result<&'m Kernel> {
    if let Some(Err(error @ simt::KernelError::Unsupported { .. })) = name.map(|n| module.find(n)) {
        bail!(Usage(error.to_string()));
    }
    let names: Vec<&str> = module.kernels().map(Kernel::name).collect();
    let found: Vec<&Kernel> = match name.map(|name| (name, module.kernel(name))) {
        Some((_, Some(exact))) => vec![exact],
        Some((name, None)) => {
            module.kernels().filter(|it| plain(it.name()) == Some(name)).collect()
        }
        None => module.kernels().collect(),
    };
    if let [only] = found[..] {
        return Ok(only);
    }
    let known: Vec<&str> = names.iter().map(|name| plain(name).unwrap_or(name)).collect();
    let problem = match name {
        _ if names.is_empty() => {
            format!("{file} has no kernel; begin one with extern \"C\" __global__")
        }
        Some(name) if !found.is_empty() => {
            let all: Vec<&str> = found.iter().map(|kernel| kernel.name()).collect();
            format!(
                "{file} has several kernels `{name}`; write one as its PTX does:\n{}",
                all.join("\n")
            )
        }
        Some(name) => {
            let nearest = ui::nearest(name, &known);
            format!("{file} has no kernel `{name}`{nearest}\nkernels: {}", names.join(", "))
        }
        None => format!("{file} has several kernels; add --entry NAME: {}", names.join(", ")),
    };
    bail!(Usage(problem))
}

/// The name of a function as it stands in the source: `_Z4tileILi32EEvPf` is `tile`; none of what is no name of C++.
fn plain(mangled: &str) -> Option<&str> {
    let rest = mangled.strip_prefix("_Z")?;
    // Of a name in namespaces the last part counts.
    let (mut rest, nested) = match rest.strip_prefix('N') {
        Some(inner) => (inner, true),
        None => (rest, false),
    };
    let mut found = None;
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(length) = rest[..digits].parse::<usize>() else { return found };
        found = Some(rest.get(digits..)?.get(..length)?);
        rest = &rest[digits + length..];
        if !nested {
            return found;
        }
    }
}

/// A kernel's parameters, one a line, each with what may be given for it.
pub fn declaration(kernel: &Kernel) -> String {
    if kernel.parameters().is_empty() {
        return "it has no parameters: leave --arg out".to_owned();
    }
    let mut text = "its parameters, in order:".to_owned();
    for (place, parameter) in kernel.parameters().iter().enumerate() {
        let example = match parameter.bytes {
            1 => "u8=…",
            2 => "u16=…, f16=…",
            4 => "u32=…, i32=… or f32=…",
            8 => "a buffer as f32[1024]=rand, or u64=…, i64=…, f64=…",
            _ => "a vector or struct as f32=1,2,3,… or {i32=5; f32=1}",
        };
        text += &format!("\n  {}: {} bytes: --arg {example}", place + 1, parameter.bytes);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_of_cpp_are_read_without_their_types() {
        for (mangled, name) in [
            ("_Z4copyPfPKfi", Some("copy")),
            ("_Z4tileILi32EEvPf", Some("tile")),
            ("_ZN3gpu6detail5scaleEPf", Some("scale")),
            ("_ZN3gpu5scaleILi4EEEvPf", Some("scale")),
            ("copy", None),
            ("_Z", None),
            ("_Z99copy", None),
            ("_Z99999999999999999999x", None),
        ] {
            assert_eq!(plain(mangled), name, "{mangled}");
        }
    }
}
