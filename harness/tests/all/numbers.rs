//! Every number of every command at its ends and far beyond: an answer or an error that says why, and never a panic.

use std::process::Stdio;
use std::time::{Duration, Instant};

const NONE: &str = "0";
const MINUS: &str = "-1";
const U32: &str = "4294967295";
const PAST_U32: &str = "4294967296";
const I64: &str = "9223372036854775807";
const U64: &str = "18446744073709551615";
const PAST_U64: &str = "18446744073709551616";

/// A command and its option, what it refuses, and what it takes and is done with at once.
const NUMBERS: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "run --device simt --steps 06",
        "--size",
        &[NONE, MINUS, "2147482623", U32, I64, U64, PAST_U64],
        &[],
    ),
    ("run --device simt --steps 06", "--time-steps", &[NONE, MINUS, U32, PAST_U32, I64, U64], &[]),
    ("run --device simt --steps 06", "--deadline", &[NONE, MINUS, PAST_U64], &[]),
    ("run --steps 06", "--device", &["cuda:-1", "cuda:18446744073709551615", "cuda:"], &[]),
    ("run cpu --steps 01", "--threads", &[NONE, MINUS, "4097", U32, I64, U64, PAST_U64], &[]),
    (
        "sweep --device simt --steps 06",
        "--size",
        &[NONE, MINUS, "2147482623", U32, I64, U64, "1..18446744073709551615"],
        &[],
    ),
    (
        "sweep --device simt --steps 05",
        "--block",
        &[NONE, MINUS, "1025", U32, I64, U64, "1..4294967295"],
        &[],
    ),
    (
        "sweep --device simt --steps 05",
        "--define",
        &["UNROLL=9223372036854775808", "UNROLL=1..18446744073709551615"],
        &[],
    ),
    ("scale --device simt", "--gpus", &[NONE, MINUS, "65", U32, I64, U64], &[]),
    (
        "scale --device simt --gpus 1 --steps 13-lanes",
        "--size",
        &[NONE, MINUS, U32, I64, U64, "1..18446744073709551615"],
        &[],
    ),
    (
        "scale --device simt --gpus 1,2",
        "--weak",
        &[NONE, MINUS, "2147482623", I64, U64, PAST_U64],
        &[],
    ),
    ("scale --device simt", "--samples", &[NONE, MINUS, "1001", U64], &[]),
    ("scale --device simt", "--sample-ms", &[NONE, MINUS, "10001", U64], &[]),
    ("scale --device simt", "--deadline", &[NONE, MINUS, PAST_U64], &[]),
    ("explain 06", "--size", &[NONE, MINUS, "16777217", U32, I64, U64, PAST_U64], &["1"]),
    (
        "events SMALL --entry banks --block 32 --arg u32=1",
        "--grid",
        &[NONE, MINUS, U32, U64, "1,65536", "1,1,1,1"],
        &["1"],
    ),
    (
        "events SMALL --entry banks --grid 1 --arg u32=1",
        "--block",
        &[NONE, MINUS, "1025", "1,1,65", U32, U64, "65536,65536,65536"],
        &["1"],
    ),
    (
        "events SMALL --entry banks --grid 1 --block 1 --arg u32=1",
        "--shared",
        &[NONE, MINUS, "232449", U32, U64],
        &["1"],
    ),
    (
        "events SMALL --entry banks --grid 1 --block 1 --arg u32=1",
        "--seed",
        &[MINUS, PAST_U64],
        &[NONE, U64],
    ),
    (
        "events SMALL --entry banks --grid 1 --block 1",
        "--arg",
        &[
            "u32[0]=0",
            "u32[-1]=0",
            "u32[4294967295]=0",
            "f64[2305843009213693952]=0",
            "u64[18446744073709551615]=rand",
            "u8=256",
            "i64=9223372036854775808",
        ],
        &["u32=0", "i32=1"],
    ),
    (
        "compare H200 H200",
        "--effect",
        &[MINUS, "101%", U64, "nan", "inf", "1e400"],
        &[NONE, "100%"],
    ),
];

#[test]
fn absurd_numbers_are_refused_and_others_are_taken() {
    let small = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/events/small.ptx");
    let h200 = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/h200");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut cases = 0;
    for (line, option, refused, taken) in NUMBERS {
        let both = refused.iter().map(|value| (value, true));
        for (value, is_refused) in both.chain(taken.iter().map(|value| (value, false))) {
            let mut command = crate::program();
            let words = line.split_whitespace().map(|word| match word {
                "SMALL" => small,
                "H200" => h200,
                word => word,
            });
            command.args(words).args([option, value]).stdin(Stdio::null());
            if ["run", "sweep", "scale"].iter().any(|name| line.starts_with(name)) {
                command.arg("--out").arg(folder.path().join(cases.to_string()));
            }
            let began = Instant::now();
            let output = command.output().expect("it runs");
            let error = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code();
            if is_refused {
                assert!(matches!(code, Some(1 | 2)), "{line} {option} {value}: {code:?} {error}");
                assert!(error.contains("error:"), "{line} {option} {value}: {error}");
            } else {
                assert_eq!(code, Some(0), "{line} {option} {value}: {error}");
            }
            assert!(!error.contains("panicked"), "{line} {option} {value}: {error}");
            assert!(began.elapsed() < Duration::from_secs(30), "{line} {option} {value}");
            cases += 1;
        }
    }
    assert!(cases > 120, "{cases}");
}

#[test]
fn a_thread_has_as_much_memory_of_its_own_as_on_a_gpu() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("big.ptx");
    for (sizes, fits) in [
        (&["524288"][..], true),
        (&["524289"], false),
        (&["300000", "300000"], false),
        (&["20000000"], false),
        (&["2000000000"], false),
    ] {
        let arrays = sizes.iter().enumerate();
        let arrays = arrays.map(|(at, size)| format!(".local .align 4 .b8 big{at}[{size}];\n"));
        let head = ".version 7.8\n.target sm_50\n.address_size 64\n.visible .entry k()\n{\n";
        let text = format!("{head}{}ret;\n}}\n", arrays.collect::<String>());
        std::fs::write(&file, text).expect("a file");
        let mut command = crate::program();
        command.arg("events").arg(&file).args(["--grid", "1", "--block", "64"]);
        let output = command.output().expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(if fits { 0 } else { 1 }), "{sizes:?}: {error}");
        assert_eq!(error.contains("does not fit: "), !fits, "{sizes:?}: {error}");
    }
}
