//! `events` with several launches, files and results: kernels of `tests/events/steps.cu`, whose results are worked out by hand.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

const STEPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/events/steps.ptx");

/// `x[i] = 2 i + 1` for 40 of 64, then 0.5 more twice, from structs and by names.
const LAUNCHES: [&str; 4] = [
    "--launch",
    "line<<<2, 32>>>({i32=40; f32=2,1; x})",
    "--launch",
    "add<<<dim3(2), dim3(32)>>>(x)",
];

fn events(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = crate::program();
    command.arg("events").args(arguments).current_dir(folder);
    command.env("COLUMNS", "90").output().expect("it runs")
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = events(folder, &[arguments, &["--format", "json"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {error}"))
}

fn refused(folder: &Path, arguments: &[&str], code: i32, words: &[&str]) {
    let output = events(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    for word in words {
        assert!(error.contains(word), "{arguments:?} does not say {word:?}: {error}");
    }
    assert!(!error.contains("panicked"), "{error}");
}

/// A file as NumPy writes it.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

fn floats(values: impl Iterator<Item = f32>) -> Vec<u8> {
    values.flat_map(f32::to_le_bytes).collect()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn launches_share_buffers_and_their_results_are_compared_printed_and_saved() {
    let folder = folder();
    let want = floats((0..40).map(|i| 2.0 * i as f32 + 1.5));
    fs::write(folder.path().join("want.npy"), npy("<f4", "(10, 4)", &want)).expect("a file");
    let rest = [
        STEPS,
        "--buffer",
        "x=f32[40]=uninit",
        "--const",
        "shift=f32=0.5",
        "--const",
        "calls=i32[1]=zero",
        "--print",
        "x[38..40]",
        "--print",
        "calls",
        "--expect",
        "x=@want.npy",
        "--save",
        "x=x.npy",
        "--save",
        "x=x.bin",
    ];
    let all = [&rest[..], &LAUNCHES].concat();
    let facts = json(folder.path(), &all);
    assert_eq!(facts["printed"][0]["values"], serde_json::json!([77.5, 79.5]));
    assert_eq!(facts["printed"][1]["values"], serde_json::json!([1]));
    assert_eq!(
        (&facts["expected"][0]["elements"], &facts["expected"][0]["different"]),
        (&40.into(), &0.into())
    );
    assert_eq!(facts["launches"].as_array().map(Vec::len), Some(2));
    assert_eq!(facts["hazards"].as_array().map(Vec::len), Some(0));
    assert_eq!(fs::read(folder.path().join("x.bin")).expect("it was saved"), want);
    let saved = fs::read(folder.path().join("x.npy")).expect("it was saved");
    assert!(saved.ends_with(&want) && saved.starts_with(b"\x93NUMPY"));
    // A saved array is an input of another run: 2 i + 1.5 + 0.25 each.
    let again = json(
        folder.path(),
        &[
            STEPS,
            "--entry",
            "add",
            "--grid",
            "2",
            "--block",
            "32",
            "--arg",
            "x=@x.npy",
            "--const",
            "shift=f32=0.25",
            "--print",
            "x[0]",
        ],
    );
    assert_eq!(again["printed"][0]["values"], serde_json::json!([1.75]));
}

#[test]
fn differences_are_shown_and_decide_the_exit_code() {
    let folder = folder();
    let rest =
        [STEPS, "--buffer", "x=f32[40]=uninit", "--const", "shift=f32=0.5", "--expect", "x=1.5"];
    let all = [&rest[..], &LAUNCHES].concat();
    let output = events(folder.path(), &all);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for words in
        ["39 of 40 elements differ", "7.800e1", "[1]", "3.5", "… and 31 more", "2 launches"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let near = events(folder.path(), &[&all[..], &["--atol", "78"]].concat());
    assert!(near.status.success(), "{}", String::from_utf8_lossy(&near.stdout));
}

#[test]
fn a_file_has_launches_and_what_is_wanted_of_them() {
    let folder = folder();
    let text = r#"
        print = ["out[0..4]"]
        save = ["out=out.npy"]
        [buffers]
        out = "i32[64]=uninit"
        [[launch]]
        kernel = "reversed"
        grid = 1
        block = 64
        shared = 256
        args = ["out"]
        times = 3
    "#;
    let below = folder.path().join("below");
    fs::create_dir(&below).expect("a folder");
    fs::write(below.join("l.toml"), text).expect("a file");
    let facts = json(folder.path(), &[STEPS, "--launches", "below/l.toml"]);
    assert_eq!(facts["printed"][0]["values"], serde_json::json!([63, 62, 61, 60]));
    assert_eq!(facts["launches"].as_array().map(Vec::len), Some(3));
    assert!(below.join("out.npy").is_file(), "next to the file of launches");
    fs::write(below.join("l.toml"), text.replace("args = [\"out\"]", "args = [\"oot\"]"))
        .expect("a file");
    let words = ["below/l.toml:6", "no buffer `oot`; did you mean `out`?"];
    refused(folder.path(), &[STEPS, "--launches", "below/l.toml"], 2, &words);
    fs::write(below.join("l.toml"), text.replace("256", "12")).expect("a file");
    refused(
        folder.path(),
        &[STEPS, "--launches", "below/l.toml"],
        1,
        &["l.toml:6", "out of bounds"],
    );
    refused(folder.path(), &[STEPS, "--launches", "gone.toml"], 2, &["cannot read gone.toml"]);
}

#[test]
fn the_cuda_source_next_to_ptx_is_shown_under_the_name_that_was_typed() {
    let folder = folder();
    let kernels = Path::new(STEPS);
    fs::create_dir(folder.path().join("mine")).expect("a folder");
    for file in ["steps.ptx", "steps.cu"] {
        fs::copy(kernels.with_file_name(file), folder.path().join("mine").join(file))
            .expect("a copy");
    }
    let launch = ["--launch", "reversed<<<1, 64, 256>>>(i32[64]=uninit)"];
    let facts = json(folder.path(), &[&["mine/steps.ptx"], &launch[..]].concat());
    let lines = facts["lines"].as_array().expect("lines");
    assert!(lines.iter().all(|line| line["file"] == "mine/steps.cu"), "{lines:?}");
    let load = lines.iter().find(|line| line["line"] == 35).expect("the line with the load");
    assert_eq!(load["text"], "    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];");
    let few = ["mine/steps.ptx", "--launch", "reversed<<<1, 64, 256>>>(i32[63]=uninit)"];
    refused(folder.path(), &few, 1, &["mine/steps.ptx:", "(mine/steps.cu:35)", "--launch 1"]);
}

#[test]
fn limits_of_a_launch_are_named() {
    let folder = folder();
    let launch = |text: &'static str| [STEPS, "--launch", text];
    let refused = |text, words: &[&str]| refused(folder.path(), &launch(text), 1, words);
    refused("reversed<<<1, 1025, 8192>>>(i32[2048]=uninit)", &["--launch 1", "1024 threads"]);
    refused("reversed<<<1, 64, 300000>>>(i32[64]=uninit)", &["shared memory", "232448"]);
    refused("reversed<<<dim3(1, 65536), 64, 256>>>(i32[64]=uninit)", &["65535"]);
}

#[test]
fn mistakes_are_answered_with_what_would_be_right() {
    let folder = folder();
    let launch = |text: &'static str| [STEPS, "--launch", text];
    let at = |arguments: &[&str], words: &[&str]| refused(folder.path(), arguments, 2, words);
    at(&launch("reverse<<<1, 64>>>()"), &["no kernel `reverse`; did you mean `reversed`?"]);
    at(&launch("reversed<<<1, 64>>>()"), &["takes 1 arguments, and 0 were given"]);
    at(&launch("reversed<<<1, 64>>>(out)"), &["no buffer `out`", "out=f32[1024]=rand"]);
    at(&launch("reversed<<<1, 64>>>(@out.npy)"), &["cannot read out.npy"]);
    at(&launch("line<<<1, 64>>>({i32=4; f32=1; i32[4]=zero})"), &["--buffer NAME=i32[4]=zero"]);
    at(&launch("line<<<1, 64>>>({i32=4; f32=1,2})"), &["has 24 bytes as argument 1, and 12 were"]);
    at(&[STEPS, "--grid", "1"], &["--block"]);
    at(
        &[&launch("reversed<<<1, 64>>>()")[..], &["--grid", "1"]].concat(),
        &["cannot be used with"],
    );
    let one = ["--launch", "reversed<<<1, 64, 256>>>(out=i32[64]=uninit)"];
    let with = |rest: &[&str], words: &[&str]| at(&[&[STEPS], &one[..], rest].concat(), words);
    with(&["--print", "oot"], &["no buffer `oot`; did you mean `out`?"]);
    with(&["--print", "out[60..65]"], &["`out` has 64 elements"]);
    with(&["--print", "out[3..3]"], &["no elements"]);
    with(&["--expect", "out=1,2"], &["--expect out", "2 values for 64 elements"]);
    with(&["--expect", "out=uninit"], &["nothing is expected"]);
    with(&["--save", "out"], &["out=@want.npy"]);
    with(&["--rtol", "-1"], &["not negative"]);
    with(&["-D", "N=1"], &["for CUDA C++", "name the .cu"]);
    with(&["--arch", "ampere"], &["sm_80"]);
    let wide = npy("<f8", "(64,)", &[0; 512]);
    fs::write(folder.path().join("wide.npy"), wide).expect("a file");
    let words = ["holds f64, and i32 is asked for", "f64[64]=@wide.npy", "numpy.int32"];
    with(&["--expect", "out=@wide.npy"], &words);
    fs::write(folder.path().join("few.npy"), npy("<i4", "(2, 3)", &[0; 24])).expect("a file");
    with(&["--expect", "out=@few.npy"], &["6 elements (shape (2, 3))", "i32[64]"]);
    let twice = ["--launch", "reversed<<<1, 64, 256>>>(out=i32[64]=uninit)"];
    with(&twice, &["--launch 2", "two values `out`"]);
}
