//! No text makes the translator panic or takes it long; what it makes of a changed text, the simulator can read.

use std::fs;
use std::path::Path;

use ir::Options;
use proptest::prelude::*;

fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let files = fs::read_dir(folder).expect("a folder").map(|it| it.expect("a file").path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    files.into_iter().map(|file| fs::read_to_string(file).expect("a text")).collect()
}

/// What may stand where a word was.
const WORDS: [&str; 28] = [
    "i1",
    "i8",
    "i64",
    "ptr",
    "float",
    "half",
    "<4 x float>",
    "{ i32, i1 }",
    "[3 x i16]",
    "%x",
    "@k",
    "0",
    "-1",
    "4294967296",
    "null",
    "poison",
    "add",
    "phi",
    "br",
    "ret",
    "load",
    "store",
    "label",
    "0x7FF8000000000000",
    "zeroinitializer",
    "(",
    ")",
    "18446744073709551615",
];

/// A text with some of its words replaced, moved or left out.
fn changed(text: &str, changes: &[(usize, u8, usize)]) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',']).collect();
    for (at, kind, what) in changes {
        let at = at % words.len();
        match kind % 4 {
            0 => words[at] = WORDS[what % WORDS.len()],
            1 => words[at] = "",
            2 => words[at] = words[what % words.len()],
            _ => words.swap(at, (at + 1) % text.split_inclusive([' ', '\n', ',']).count()),
        }
    }
    words.concat()
}

/// Translates a text, which may fail, and parses what comes of it, which may be refused.
fn translate(text: &str) {
    if let Ok(ptx) = ir::translate(text, &Options::default()) {
        let _ = simt::Module::parse("fuzzed.ptx", &ptx);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_texts(which in any::<usize>(), changes in prop::collection::vec(any::<(usize, u8, usize)>(), 1..6)) {
        let texts = texts();
        translate(&changed(&texts[which % texts.len()], &changes));
    }

    #[test]
    fn cut_texts(which in any::<usize>(), at in any::<usize>(), byte in any::<u8>()) {
        let texts = texts();
        let text = &texts[which % texts.len()];
        let mut bytes = text.as_bytes()[..at % text.len()].to_vec();
        bytes.push(byte);
        translate(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text(text in "[ -~\n]{0,200}") {
        translate(&text);
    }
}

#[test]
fn what_is_nested_deeply_or_repeated_without_end_is_refused() {
    let deep =
        format!("@x = global {}i8{} zeroinitializer", "[2 x ".repeat(100_000), "]".repeat(100_000));
    let doubled: String =
        (0..60).map(|i| format!("%t{} = type {{ %t{i}, %t{i} }}\n", i + 1)).collect();
    let doubled = format!("%t0 = type {{ i8 }}\n{doubled}@x = global %t60 zeroinitializer");
    let circle = "%a = type { %b }\n%b = type { %a }\n@x = global %a zeroinitializer".to_string();
    let huge = "@x = global [1152921504606846976 x [64 x i64]] zeroinitializer".to_string();
    let value =
        "define ptx_kernel void @k(ptr %p) {\n %x = load [1000000000 x i8], ptr %p\n ret void\n}"
            .to_string();
    for text in [deep, doubled, circle, huge, value] {
        assert!(
            ir::translate(&text, &Options::default()).is_err(),
            "{}",
            &text[..80.min(text.len())]
        );
    }
}
