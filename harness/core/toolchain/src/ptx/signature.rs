//! What the kernels of a PTX text take as arguments: the driver cannot be asked before CUDA 12.4, and it does not check.

/// A kernel's declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its name, as in the source if that says `extern "C"`.
    pub name: String,
    /// Bytes of each parameter.
    pub parameters: Vec<usize>,
}

/// The kernels of a PTX text, in its order.
pub fn kernels(text: &str) -> Vec<Kernel> {
    let code: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line))
        .flat_map(|line| [line, "\n"])
        .collect();
    code.split(".entry")
        .skip(1)
        .map(|rest| {
            // The declaration ends where the body, a directive or a prototype's semicolon begins.
            let name_end = rest.find(['(', '{', ';']).unwrap_or(rest.len());
            let name = rest[..name_end].split_whitespace().next().unwrap_or("");
            let parameters = rest[name_end..]
                .strip_prefix('(')
                .and_then(|list| list.split(')').next())
                .unwrap_or("");
            Kernel {
                name: name.to_string(),
                parameters: parameters
                    .split(',')
                    .filter(|parameter| parameter.contains(".param"))
                    .map(bytes)
                    .collect(),
            }
        })
        .collect()
}

/// The size of `.param .align 8 .b8 name[40]`.
fn bytes(parameter: &str) -> usize {
    let element = parameter
        .split_whitespace()
        .filter_map(|word| word.strip_prefix('.'))
        // The types are .u8 to .b64; .param, .align and .ptr hold no such number.
        .find_map(|word| word.strip_prefix(['b', 'u', 's', 'f'])?.parse().ok())
        .map_or(0, |bits: usize| bits / 8);
    let count = parameter
        .split_once('[')
        .and_then(|(_, rest)| rest.split(']').next()?.trim().parse().ok())
        .unwrap_or(1);
    element * count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_counted_in_bytes() {
        let text = "
.const .align 4 .u32 n; // .entry not_this(
.visible .entry force(
	.param .u32 force_param_0,
	.param .u64 .ptr .global .align 4 force_param_1, // a, b
	.param .f32 force_param_2,
	.param .align 8 .b8 force_param_3[40]
)
.maxntid 256, 1, 1
{
	call (), f, (x);
}
.visible .entry advance()
{ ret; }
.entry bare
{ ret; }";
        let expected = [("force", vec![4, 8, 4, 40]), ("advance", vec![]), ("bare", vec![])];
        let found = kernels(text);
        let found: Vec<_> = found.iter().map(|k| (k.name.as_str(), k.parameters.clone())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn any_text_has_an_answer() {
        assert_eq!(kernels(""), []);
        for text in
            [".entry", ".entry (", ".entry f(.param", ".entry f(.param .u32 x[", "// .entry f("]
        {
            kernels(text);
        }
    }
}
