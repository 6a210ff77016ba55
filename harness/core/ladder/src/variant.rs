//! Variants of a step: the same kernels with blocks of another size, or compiled with other values of their parameters.
//!
//! A kernel offers a parameter by giving it a value only where the compiler's options have given it none:
//!
//! ```c
//! #ifndef UNROLL
//! #define UNROLL 4 // times
//! #endif
//! ```
//!
//! A sweep then compiles it with `-DUNROLL=1`, `-DUNROLL=2` and so on. The size of a block is no such parameter, since the
//! launches have to follow it.

use device::{Error, Source};
use report::{Define, Variant};

use crate::ladder::OpenProblem;
use crate::{BlockError, Step, Threads};

/// The line of a kernel that says how large a block is, up to the number.
const THREADS: &str = "#define THREADS ";

/// The step with blocks of a variant's size.
///
/// # Errors
/// Why its blocks cannot have that size.
pub fn of(variant: &Variant, open: &dyn OpenProblem, step: &Step) -> Result<Step, BlockError> {
    variant.block.map_or(Ok(*step), |block| open.with_block(step, block))
}

/// Makes a step's source that of a variant.
///
/// # Errors
/// [`Error::Skipped`]: its launches are planned for blocks of a size that the source does not state.
pub fn apply(variant: &Variant, step: &Step, source: &mut Source) -> Result<(), Error> {
    if let (Some(block), Some(text)) = (variant.block, &mut source.cuda) {
        let is_stated = matches!(step.threads, Threads::Blocks { stated: true, .. });
        if is_stated && !text.lines().any(|line| line.starts_with(THREADS)) {
            return Err(Error::Skipped {
                reason: format!("{} does not say how large its blocks are", source.file),
                remedy: format!("give it a line `{THREADS}{block}`, or leave --block out"),
            });
        }
        *text = with_threads(text, block);
    }
    for Define { name, value } in &variant.defines {
        let option = format!("-D{name}");
        let sets = |other: &String| other.split('=').next() == Some(&option);
        source.options.retain(|other| !sets(other));
        source.options.push(format!("{option}={value}"));
    }
    Ok(())
}

/// The parameters that a kernel offers, in the order of its source, each once.
pub fn offered(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut asked = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let defined = directive(line, "define").and_then(|rest| {
            let mut words = rest.split_whitespace();
            // A guard against a second inclusion defines a name without a value.
            words.next().zip(words.next().filter(|word| !word.starts_with("//")))
        });
        if let Some((name, _)) = defined.filter(|(name, _)| asked == Some(*name))
            && !names.contains(&name)
        {
            names.push(name);
        }
        asked = directive(line, "ifndef").and_then(|rest| rest.split_whitespace().next());
    }
    names
}

/// What follows a directive of the preprocessor, where a line is one of this name.
fn directive<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix(name)?;
    rest.starts_with(char::is_whitespace).then_some(rest)
}

/// The source for blocks of another size. Where it depends on that, the size stands in a line of its own,
/// `#define THREADS 256`; other kernels ask the hardware.
fn with_threads(text: &str, block: u32) -> String {
    let line = |line: &str| match line.strip_prefix(THREADS) {
        Some(rest) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{THREADS}{block}{rest}")
        }
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use report::Defines;

    use super::*;

    const STEP: Step = Step::first("01-a", "an idea", "one line", 32, ());

    fn define(name: &str, value: i64) -> Define {
        Define { name: name.to_owned(), value }
    }

    #[test]
    fn a_block_of_another_size_is_one_number_in_the_source() {
        let text = "// THREADS\n#define THREADS 256 // of a block\nint a = THREADS;\n";
        let other = "// THREADS\n#define THREADS 64 // of a block\nint a = THREADS;\n";
        assert_eq!(with_threads(text, 64), other);
        assert_eq!(with_threads("int a = blockDim.x;\n", 64), "int a = blockDim.x;\n");
    }

    #[test]
    fn all_combinations_have_a_variant() {
        let defines = [("A", vec![1, 2]), ("B", vec![-1, 0, 1])];
        let defines = defines.map(|(name, values)| Defines { name: name.to_owned(), values });
        let all: Vec<String> =
            Variant::all(&[64, 128], &defines).iter().map(ToString::to_string).collect();
        assert_eq!(all.len(), 12);
        assert_eq!(all[..4], ["64, A=1, B=-1", "64, A=1, B=0", "64, A=1, B=1", "64, A=2, B=-1"]);
        assert_eq!(Variant::all(&[], &[]), [Variant::default()]);
        assert_eq!(Variant::default().suffix(), "");
        let one = Variant { block: Some(64), defines: vec![define("A", 1)] };
        assert_eq!(
            (one.suffix(), one.words()),
            (" (64, A=1)".into(), "64 threads a block, A=1".into())
        );
    }

    #[test]
    fn a_kernel_offers_what_it_gives_a_value_only_where_none_is() {
        let text = "#ifndef A\n#define A 4 // times\n#endif\n  # ifndef B\n\n  # define B (-1)\n#endif\n\
                    #define C 1\n#ifndef D\n#define E 1\n#endif\n#ifndef GUARD\n#define GUARD\n#endif\n\
                    #ifndef A\n#define A 5\n#endif\n#ifndef\n#define\n// #ifndef F\n#define F 1\n";
        assert_eq!(offered(text), ["A", "B"]);
        assert!(offered("").is_empty());
    }

    /// Steps give parameters values too: those of a sweep take their place.
    #[test]
    fn values_take_the_place_of_the_steps_own() {
        let mut source = Source {
            name: "toy/01-a".to_owned(),
            file: "kernels/toy/01-a.cu".to_owned(),
            cuda: Some("int a;\n".to_owned()),
            cuda_name: "/kernels/toy/01-a.cu".to_owned(),
            options: ["--use_fast_math", "-DA=4", "-DAB=1", "-DC"].map(str::to_owned).to_vec(),
            ..Source::default()
        };
        let defines = vec![define("A", 1), define("C", 2)];
        let variant = Variant { block: None, defines };
        apply(&variant, &STEP, &mut source).expect("there is such a variant");
        assert_eq!(source.options, ["--use_fast_math", "-DAB=1", "-DA=1", "-DC=2"]);
        let stated = Step { threads: Threads::Blocks { block: 64, stated: true }, ..STEP };
        let other = Variant { block: Some(128), ..Variant::default() };
        let error = apply(&other, &stated, &mut source).expect_err("it does not say THREADS");
        assert!(error.to_string().contains("#define THREADS 128"), "{error}");
        apply(&other, &STEP, &mut source).expect("threads of such a step ask the hardware");
    }
}
