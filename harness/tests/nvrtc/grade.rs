//! A class of good, half-right and hostile kernels. Nothing of the machine is disclosed, and each costs only its own row.

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::Value;
use toolchain::{clang, nvrtc};

const SOLUTION: &str = include_str!("../../../steps/exercises/18-stale-tile/solution.cu");

/// One thread does all.
const SERIAL: &str = include_str!("../../../steps/exercises/18-stale-tile/wrong/serial.cu");

/// What stands in the environment, and must be read nowhere.
const SECRET: &str = "hunter2-of-the-environment";

/// The solution with something in the place of a part of it.
fn with(part: &str, other: &str) -> String {
    assert!(SOLUTION.contains(part), "{part}");
    SOLUTION.replace(part, other)
}

/// Students, their kernels, the points of 10 that they must have, and what must be said.
fn class() -> Vec<(&'static str, String, f64, &'static str)> {
    let head = |text: &str| format!("{text}\n{SOLUTION}");
    let barrier = "        __syncthreads(); // the tile is used up\n";
    let sum = "    float sum = 0.0f;\n";
    vec![
        ("right", SOLUTION.to_owned(), 10.0, ""),
        ("serial", SERIAL.to_owned(), 2.75, "work is badly divided"),
        ("as-given", with(barrier, ""), 1.0, "race"),
        ("half", with(barrier, "        __syncwarp();\n"), 1.0, "race"),
        (
            "racing-and-right",
            with(sum, "    __shared__ volatile float t;\n    t = own;\n    float sum = 0.0f;\n"),
            8.0,
            "race",
        ),
        ("no-kernel", "__device__ int a;\n".to_owned(), 1.0, "no kernel"),
        ("typo", with("fabsf", "fabfs"), 0.0, "fabfs"),
        (
            "knows-the-sizes",
            with(
                sum,
                "    float sum = 0.0f;\n    if (n != 64 && n != 256) { out[i] = 1; return; }\n",
            ),
            1.0,
            "wrong `out` at n = 192",
        ),
        ("passwd", head("#include \"/etc/passwd\""), 0.0, "an #include that names no file"),
        ("environ", head("#include \"/proc/self/environ\""), 0.0, "an #include"),
        ("spliced", head("#inc\\\nlude \"/etc/passwd\""), 0.0, "an #include"),
        ("by-macro", head("#define F \"/etc/passwd\"\n#include F"), 0.0, "an #include"),
        ("line", head("#line 1 \"/etc/passwd\"\nerror here"), 0.0, "`#line`"),
        (
            "incbin",
            with(sum, "    float sum = 0.0f;\n    asm(\".incbin \\\"/etc/passwd\\\";\");\n"),
            0.0,
            "assembler",
        ),
        (
            "hangs",
            with(
                sum,
                "    float sum = 0.0f;\n    while (in[i] >= 0.0f) { sum += in[i]; out[i] = sum; }\n",
            ),
            1.0,
            "",
        ),
        ("traps", with(sum, "    float sum = 0.0f;\n    __trap();\n"), 1.0, "trap"),
        (
            "hoards",
            with(
                sum,
                "    float sum = 0.0f;\n    float far[60000000];\n    for (int k = 0; k < 60000000; ++k) far[k] = in[i];\n    sum += far[(int)own];\n",
            ),
            0.0,
            "",
        ),
        (
            "shouts",
            with(
                sum,
                "    float sum = 0.0f;\n    for (int k = 0; k < 50; ++k) printf(\"{\\\"Ok\\\":{}}\\n\");\n",
            ),
            10.0,
            "",
        ),
        (
            "compiles-for-ever",
            head(
                "template<int N, int M> struct A { static const long v = A<N - 1, 2 * M>::v + A<N - 1, 2 * M + 1>::v; };\ntemplate<int M> struct A<0, M> { static const long v = M; };\n__device__ long big = A<26, 0>::v;",
            ),
            0.0,
            "",
        ),
    ]
}

fn grade(class: &Path, words: &[&str]) -> (String, Option<i32>) {
    let output = crate::program()
        .arg("grade")
        .arg(class)
        .args(words)
        .env("LADDER_SECRET", SECRET)
        .output()
        .expect("it runs");
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text")).concat();
    (text, output.status.code())
}

#[test]
fn hostile_and_half_right_kernels_cost_only_their_own_rows() {
    if nvrtc::installed().is_empty() {
        println!("SKIPPED: no NVRTC here; {}", nvrtc::INSTALL);
        return;
    }
    expect_grades("nvrtc");
}

mod long {
    use super::*;

    #[test]
    #[ignore = "runs in CI as a job of its own: the same with another compiler"]
    fn so_they_do_where_clang_compiles_them() {
        if clang::installed().is_empty() {
            println!("SKIPPED: no clang here; {}", clang::INSTALL);
            return;
        }
        expect_grades("clang");
    }
}

/// Grades the class with a compiler.
fn expect_grades(compiler: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let hw = folder.path().join("hw");
    for (student, text, ..) in class() {
        fs::create_dir_all(hw.join(student)).expect("a folder");
        fs::write(hw.join(student).join("18-stale-tile.cu"), text).expect("written");
    }
    let file = folder.path().join("class.toml");
    fs::write(&file, "seeds = [5]\ncpu_seconds = 10\n[[exercise]]\nname = \"18\"\nsizes = [192]\n")
        .expect("written");
    let start = Instant::now();
    let (text, code) =
        grade(&hw, &["--compiler", compiler, "--class", file.to_str().expect("text")]);
    println!("{text}\nin {} s", start.elapsed().as_secs());
    assert_eq!(code, Some(0), "{text}");
    let out = folder.path().join("hw-grades");
    let all = fs::read_to_string(out.join("grades.json")).expect("grades");
    let grades: Value = serde_json::from_str(&all).expect("JSON");
    let mut problems = Vec::new();
    for (student, _, points, words) in class() {
        let list = grades["grades"].as_array().expect("a list");
        let grade = list.iter().find(|it| it["student"]["name"] == student).expect("a row");
        if grade["points"] != points || !grade.to_string().contains(words) {
            problems.push(format!("{student}: {points} wanted, with `{words}`: {grade}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let pages = fs::read_dir(out.join("students")).expect("pages").flatten();
    let written: Vec<String> =
        pages.map(|page| fs::read_to_string(page.path()).expect("a page")).collect();
    let root = ladder::workspace::root().expect("a clone").display().to_string();
    for secret in ["root:", SECRET, &root] {
        assert!(!all.contains(secret) && !text.contains(secret), "{secret}");
        assert!(written.iter().all(|page| !page.contains(secret)), "{secret}");
    }
}
