//! NVRTC's options as those of clang's front end.

use super::run::{OWN, SOURCE};

/// What every kernel is compiled with: as NVRTC does it, a product and a sum may be fused, and blocks of instructions stand in
/// the order of the source. Moved blocks need jumps between them, which a GPU's own code has not.
const ALWAYS: &[&str] = &[
    "-fcuda-is-device",
    "-x",
    "cuda",
    "-S",
    "-o",
    "-",
    "-ffp-contract=fast",
    "-mllvm",
    "-disable-block-placement",
    "-ferror-limit",
    "0",
    // Errors as NVRTC writes them: FILE(LINE): error: WHAT.
    "-fdiagnostics-format",
    "msvc",
    "-fno-show-column",
    "-fno-diagnostics-show-line-numbers",
    "-fno-diagnostics-fixit-info",
];

/// Code in the order of the source. At the level 0 all variables would be in memory.
const PLAIN: &[&str] = &["-O1", "-disable-llvm-passes"];

/// How lines are noted, and no folder of this machine.
const LINES: &[&str] = &[
    "-debug-info-kind=line-directives-only",
    "-dwarf-version=2",
    "-fno-dwarf-directory-asm",
    "-fdebug-compilation-dir=/",
];

/// What makes LLVM IR in place of PTX. A back end for GPUs forbids to take a branch out of a loop, because lanes may differ in
/// it; without one that has to cost nothing. (At 0 LLVM stops.) It also takes larger functions into others, eleven times as
/// large as those for a CPU, since a call has its arguments in memory.
const OF_FRONT_END: [&str; 5] =
    ["-emit-llvm", "-mllvm", "-unswitch-threshold=1", "-mllvm", "-inline-threshold=2475"];

/// Where included files are, and the headers that no kernel includes.
const INCLUDES: &[&str] = &["-include", "cuda/cuda.cuh", "-I", OWN, "-isystem", "cuda/include"];

/// What NVRTC compiles for without being told.
const DEFAULT: u32 = 52;

/// The first PTX version with targets of which no later GPU has all instructions.
const OWN_SINCE: (u32, u32) = (8, 0);

/// Rounding and subnormal numbers, as options set them.
#[derive(Default)]
struct Arithmetic {
    flush: bool,
    separate: bool,
    fast_division: bool,
    fast_root: bool,
    fast_functions: bool,
}

/// The PTX version of what is compiled for an architecture: that of the committed PTX, or the one in which the architecture
/// came.
pub(super) fn ptx_version(architecture: u32) -> (u32, u32) {
    match architecture {
        ..=90 => (7, 8),
        91..=101 => (8, 6),
        102..=120 => (8, 7),
        _ => (8, 8),
    }
}

/// The front end's arguments, from what stands before them to the file.
///
/// # Errors
/// An option that it does not know, in words for the log.
pub(super) fn arguments(options: &[String]) -> Result<Vec<String>, String> {
    let mut arguments: Vec<String> = ALWAYS.iter().map(ToString::to_string).collect();
    let mut arithmetic = Arithmetic::default();
    let mut architecture = DEFAULT;
    let mut own = ""; // "a" where the code has instructions that no later GPU has
    let mut dialect = "c++17".to_string();
    let mut effort: &[&str] = &["-O3"];
    let mut words = options.iter();
    while let Some(option) = words.next() {
        let option =
            option.strip_prefix("--").or_else(|| option.strip_prefix('-')).unwrap_or(option);
        // An option of one letter has its value behind it, in the same word or the next.
        let (name, value) = match option.split_at_checked(1) {
            Some((letter @ ("D" | "I" | "U"), "")) => (letter, words.next().map(String::as_str)),
            Some((letter @ ("D" | "I" | "U"), value)) => (letter, Some(value)),
            _ => option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value))),
        };
        let is_set = matches!(value, None | Some("true"));
        match (name, value) {
            ("gpu-architecture" | "arch", Some(value)) => {
                let number = value.trim_start_matches(|c: char| !c.is_ascii_digit());
                own = if number.ends_with('a') { "a" } else { "" };
                architecture = number.trim_end_matches('a').parse().map_err(|_| unknown(option))?;
            }
            ("std", Some(value)) => dialect = value.to_string(),
            ("D" | "define-macro", Some(value)) => arguments.extend(["-D".into(), value.into()]),
            ("U" | "undefine-macro", Some(value)) => arguments.extend(["-U".into(), value.into()]),
            ("I" | "include-path", Some(value)) => arguments.extend(["-I".into(), value.into()]),
            ("lineinfo" | "generate-line-info", None) => {
                arguments.extend(LINES.iter().map(ToString::to_string));
            }
            ("device-debug" | "G", None) => effort = PLAIN,
            ("use_fast_math", None) => {
                arithmetic = Arithmetic { separate: arithmetic.separate, ..Arithmetic::FAST };
            }
            ("ftz", Some(_)) => arithmetic.flush = is_set,
            ("fmad", Some(_)) => arithmetic.separate = !is_set,
            ("prec-div", Some(_)) => arithmetic.fast_division = !is_set,
            ("prec-sqrt", Some(_)) => arithmetic.fast_root = !is_set,
            // They are for what makes machine code of PTX, and warnings.
            ("maxrregcount" | "ptxas-options", Some(_))
            | ("restrict" | "extra-device-vectorization" | "disable-warnings" | "w", None) => {}
            _ => return Err(unknown(option)),
        }
    }
    let (major, minor) =
        ptx_version(architecture).max(if own.is_empty() { (0, 0) } else { OWN_SINCE });
    arguments.extend(["-target-cpu".into(), format!("sm_{architecture}{own}")]);
    arguments.extend(["-target-feature".into(), format!("+ptx{major}{minor}")]);
    arguments.push(format!("-std={dialect}"));
    arguments.extend(effort.iter().map(ToString::to_string));
    arguments.extend(arithmetic.arguments().iter().map(ToString::to_string));
    arguments.extend(INCLUDES.iter().map(ToString::to_string));
    arguments.push(SOURCE.to_string());
    Ok(arguments)
}

/// The same arguments for LLVM IR instead of PTX: what they say to a back end becomes options of the translation.
pub(super) fn of_front_end(arguments: Vec<String>) -> (Vec<String>, ir::Options) {
    let mut options = ir::Options::default();
    let mut left = Vec::new();
    let mut words = arguments.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-S" => left.extend(OF_FRONT_END.map(str::to_string)),
            "-mllvm" => match words.next().as_deref() {
                Some("-nvptx-prec-divf32=0") => options.fast_division = true,
                Some("-nvptx-prec-sqrtf32=0") => options.fast_root = true,
                _ => {}
            },
            _ => left.push(word),
        }
    }
    (left, options)
}

fn unknown(option: &str) -> String {
    format!(
        "clang: error: no counterpart of NVRTC's option --{option} is known; leave it out, or use NVRTC"
    )
}

impl Arithmetic {
    const FAST: Arithmetic = Arithmetic {
        flush: true,
        separate: false,
        fast_division: true,
        fast_root: true,
        fast_functions: true,
    };

    fn arguments(&self) -> Vec<&'static str> {
        let mut arguments = Vec::new();
        let mut add = |is_set: bool, words: &[&'static str]| {
            if is_set {
                arguments.extend(words);
            }
        };
        add(self.flush, &["-fdenormal-fp-math-f32=preserve-sign,preserve-sign", "-DLADDER_FTZ"]);
        add(self.separate, &["-ffp-contract=off"]);
        add(self.fast_division, &["-mllvm", "-nvptx-prec-divf32=0"]);
        add(self.fast_root, &["-mllvm", "-nvptx-prec-sqrtf32=0"]);
        add(self.fast_functions, &["-DLADDER_FAST_MATH"]);
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(options: &[&str]) -> Result<String, String> {
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        arguments(&options).map(|arguments| arguments.join(" "))
    }

    #[test]
    fn nvrtcs_options_have_their_counterparts() {
        let all = line(&[
            "--gpu-architecture=compute_90",
            "-lineinfo",
            "--std=c++14",
            "-DA=1",
            "-D",
            "B",
            "--include-path=/x",
            "--fmad=false",
            "--maxrregcount=32",
        ])
        .unwrap();
        for part in [
            "-target-cpu sm_90 -target-feature +ptx78",
            "-debug-info-kind=line-directives-only",
            "-std=c++14",
            "-D A=1 -D B -I /x",
            "-ffp-contract=off",
        ] {
            assert!(all.contains(part), "{part}: {all}");
        }
        assert!(!all.contains("LADDER_FTZ"), "{all}");
        assert!(all.contains("-O3"), "{all}");
        assert!(line(&["--device-debug"]).unwrap().contains("-disable-llvm-passes"));
        let fast = line(&["--use_fast_math", "--ftz=false"]).unwrap();
        assert!(fast.contains("prec-divf32=0") && !fast.contains("preserve-sign"), "{fast}");
    }

    #[test]
    fn a_front_end_makes_ir_and_leaves_precision_to_the_translation() {
        let (left, options) = of_front_end(arguments(&["--use_fast_math".to_string()]).unwrap());
        assert!(left.contains(&"-emit-llvm".to_string()) && !left.contains(&"-S".to_string()));
        assert!(!left.iter().any(|it| it.contains("nvptx-prec")), "{left:?}");
        assert!(options.fast_division && options.fast_root);
    }

    #[test]
    fn an_option_that_it_cannot_follow_is_named() {
        let error = line(&["--relocatable-device-code=true"]).unwrap_err();
        assert!(error.contains("--relocatable-device-code"), "{error}");
        assert!(line(&["--gpu-architecture=compute_"]).is_err());
    }

    #[test]
    fn ptx_is_no_newer_than_its_architecture_asks() {
        for (architecture, version) in [(50, (7, 8)), (90, (7, 8)), (100, (8, 6)), (120, (8, 7))] {
            assert_eq!(ptx_version(architecture), version);
        }
    }
}
