//! A class is graded, with an exercise that needs no compiler.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

const SOLUTION: &str = include_str!("../../../steps/exercises/44-ptx-guard/solution.ptx");

/// `grade` of a class's folder.
fn grade(class: &Path, words: &[&str]) -> (String, Option<i32>) {
    let mut command = crate::program();
    let Output { stdout, stderr, status } = command
        .arg("grade")
        .arg(class)
        .args(words)
        .env("COLUMNS", "120")
        .env("SECRET", "hunter2")
        .output()
        .expect("it runs");
    let text = [stdout, stderr].map(|text| String::from_utf8(text).expect("text")).concat();
    (text, status.code())
}

/// What was kept.
fn kept(class: &Path) -> Value {
    let folder = class.with_file_name("hw-grades");
    let text = fs::read_to_string(folder.join("grades.json")).expect("grades");
    serde_json::from_str(&text).expect("JSON")
}

fn of<'v>(grades: &'v Value, student: &str) -> &'v Value {
    let all = grades["grades"].as_array().expect("a list");
    all.iter().find(|grade| grade["student"]["name"] == student).expect("the student")
}

#[test]
fn each_student_costs_only_the_own_row_and_again_gets_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let class = folder.path().join("hw");
    let hand_in = |student: &str, name: &str, bytes: &[u8]| {
        fs::create_dir_all(class.join(student)).expect("a folder");
        fs::write(class.join(student).join(name), bytes).expect("written");
    };
    let off_by_one = SOLUTION.replace("setp.ge.u32", "setp.gt.u32");
    let only_known = SOLUTION.replace(
        "    setp.ge.u32",
        "    setp.eq.u32 %p0, %r4, 136;\n    @%p0 bra DONE;\n    setp.ge.u32",
    );
    let endless = SOLUTION.replace("    ret;", "    add.u32 %r4, %r4, 1;\n    bra DONE;");
    let hoard =
        SOLUTION.replace("    ld.param.u32", "    .local .b8 big[2000000000];\n    ld.param.u32");
    hand_in("ada", "44-ptx-guard.ptx", SOLUTION.as_bytes());
    hand_in("bob", "mine.ptx", off_by_one.as_bytes());
    hand_in("cleo", "44-ptx-guard.ptx", only_known.as_bytes());
    hand_in("dan", "44-ptx-guard.ptx", endless.as_bytes());
    hand_in("eve", "44-ptx-guard.ptx", hoard.as_bytes());
    hand_in("fay", "44-ptx-guard.ptx", &[0; 3000]);
    hand_in("gus", "hw.tar.gz", b"no archive");
    hand_in("hal", "essay.pdf", b"no kernel");
    hand_in("ivy", "44-ptx-guard.ptx", b"");
    let file = folder.path().join("class.toml");
    let settings =
        "seeds = [5, 6]\n[[exercise]]\nname = \"44\"\nsizes = [136]\npoints = { results = 6 }\n";
    fs::write(&file, settings).expect("written");
    let words = ["--class", file.to_str().expect("text"), "--jobs", "2", "--launch-limit", "1"];
    let (text, code) = grade(&class, &words);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("44-ptx-guard: 1 of 9 passed"), "{text}");
    let first = kept(&class);
    for (student, points, words) in [
        ("ada", 11.0, ""),
        ("bob", 1.0, "out of bounds"),
        ("cleo", 1.0, "wrong `data` at n = 136"),
        ("dan", 1.0, "finished within 1 s"),
        ("eve", 0.0, ""),
        ("fay", 0.0, "it is no text"),
        ("gus", 0.0, "the archive cannot be read"),
        ("hal", 0.0, "there is no 44-ptx-guard.ptx"),
        ("ivy", 0.0, "it is empty"),
    ] {
        let grade = of(&first, student);
        assert_eq!(
            (grade["points"].as_f64(), grade["of"].as_f64()),
            (Some(points), Some(11.0)),
            "{grade}"
        );
        assert!(grade.to_string().contains(words), "{student}: {grade}");
    }
    let out = class.with_file_name("hw-grades");
    let gradebook = fs::read_to_string(out.join("grades.csv")).expect("a gradebook");
    assert!(
        gradebook.starts_with("student,id,44-ptx-guard,points,of,remark\nada,,11,11,11,\n"),
        "{gradebook}"
    );
    let xml = fs::read_to_string(out.join("grades.xml")).expect("XML");
    assert!(xml.contains("<testsuites name=\"grade\" tests=\"36\""), "{xml}");
    let page = fs::read_to_string(out.join("students/student-bob.html")).expect("a page");
    assert!(page.contains("1 of 11 points") && page.contains("mine.ptx"), "{page}");

    // Again: nothing is checked anew but what changed, and the points are the same.
    let (text, code) = grade(&class, &words);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(kept(&class), first);
    hand_in("bob", "mine.ptx", SOLUTION.as_bytes());
    grade(&class, &words);
    let third = kept(&class);
    assert_eq!(of(&third, "bob")["points"], 11.0);
    assert_eq!(of(&third, "dan"), of(&first, "dan"));
    let json = grade(&class, &[&words[..], &["--format", "json", "--quiet"]].concat()).0;
    assert_eq!(serde_json::from_str::<Value>(&json).expect("JSON alone"), third);
}

#[cfg(unix)]
#[test]
fn what_leads_outside_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let class = folder.path().join("hw");
    for student in ["linked", "looped"] {
        fs::create_dir_all(class.join(student)).expect("a folder");
    }
    fs::create_dir(class.join("pipe")).expect("a folder");
    let link = |to: &str, at: &str| std::os::unix::fs::symlink(to, class.join(at)).expect("a link");
    link("/etc/passwd", "linked/44-ptx-guard.ptx");
    link(".", "looped/again");
    link("/etc", "whole");
    let made =
        std::process::Command::new("mkfifo").arg(class.join("pipe/44-ptx-guard.ptx")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let (text, code) = grade(&class, &["-e", "44"]);
    assert_eq!(code, Some(0), "{text}");
    let all = kept(&class);
    for (student, words) in [
        ("linked", "`44-ptx-guard.ptx` is a link"),
        ("looped", "`again` is a link"),
        ("whole", "`whole` is a link"),
        ("pipe", "no ordinary file"),
    ] {
        let reason = of(&all, student)["reason"].as_str().expect("a reason");
        assert!(reason.contains(words), "{student}: {reason}");
    }
    assert!(!text.contains("root:"), "{text}");
}

/// Rust runs on this machine's own processor, unlike kernels: what the system can forbid decides what it may reach.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "runs in CI: a compiler run for each stranger"]
fn rust_of_strangers_reaches_nothing_and_tells_no_verdict() {
    const LANES: &str = include_str!("../../../steps/exercises/65-cpu-lanes/solution.rs");
    let folder = tempfile::tempdir().expect("a folder");
    let class = folder.path().join("hw");
    let written = folder.path().join("written");
    let sum = |code: &str| {
        format!(
            "use crate::meter::Number;\npub fn sum<N: Number>(values: &[N]) -> N {{ {code} values[0] }}\n"
        )
    };
    let owned = format!("panic!(\"{{:?}}\", std::fs::write({written:?}, \"x\"));");
    let cases = [
        ("right", LANES.to_owned(), 8.0, ""),
        ("half", LANES.replace("usize = 8", "usize = 2"), 2.25, "additions in a row"),
        (
            "tells",
            sum(
                "println!(\"w count additions in a row 1\"); println!(\"w end\"); std::process::exit(0);",
            ),
            1.0,
            "before its results were read",
        ),
        (
            "reads",
            sum("panic!(\"{:?}\", std::fs::read_to_string(\"/etc/passwd\"));"),
            1.0,
            "Permission denied",
        ),
        ("writes", sum(&owned), 1.0, "Permission denied"),
        (
            "starts",
            sum("panic!(\"{:?}\", std::process::Command::new(\"/bin/true\").status());"),
            1.0,
            "not permitted",
        ),
        (
            "calls",
            sum("panic!(\"{:?}\", std::net::TcpStream::connect(\"127.0.0.1:9\"));"),
            1.0,
            "not permitted",
        ),
        ("unsafe", sum("unsafe { std::ptr::null_mut::<u8>().write(1) };"), 0.0, "`unsafe` block"),
        ("includes", sum("let _ = include_str!(\"/etc/passwd\");"), 0.0, "may read files"),
        ("typo", LANES.replace("chunks_exact", "chunk_exact"), 0.0, "chunk_exact"),
    ];
    for (student, text, ..) in &cases {
        fs::create_dir_all(class.join(student)).expect("a folder");
        fs::write(class.join(student).join("65-cpu-lanes.rs"), text).expect("written");
    }
    let (text, code) = grade(&class, &["-e", "65", "--jobs", "2"]);
    if text.contains("no rustc here") || text.contains("cannot keep it from") {
        println!("SKIPPED: {text}");
        return;
    }
    assert_eq!(code, Some(0), "{text}");
    let all = kept(&class);
    for (student, _, points, words) in cases {
        let grade = of(&all, student);
        assert_eq!(grade["points"], points, "{grade}");
        assert!(grade.to_string().contains(words), "{student}: {grade}");
        assert!(!grade.to_string().contains("root:"), "{grade}");
    }
    assert!(!written.exists());
}

#[test]
fn bad_input_is_named_with_its_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    let class = folder.path().join("hw");
    let expect = |words: &[&str], code: i32, wanted: &str| {
        let (text, got) = grade(&class, words);
        assert!(text.contains(wanted) && got == Some(code), "{words:?}: {got:?} {text}");
    };
    expect(&["-e", "44"], 1, "cannot read");
    fs::create_dir(&class).expect("a folder");
    expect(&["-e", "44"], 2, "is empty");
    fs::create_dir(class.join("ada")).expect("a folder");
    expect(&[], 2, "--exercise");
    expect(&["-e", "gard"], 2, "did you mean `guard`?");
    expect(&["-e", "44", "--jobs", "0"], 2, "--jobs");
    let inside = class.join("grades");
    expect(&["-e", "44", "--out", inside.to_str().expect("text")], 2, "among the submissions");
    let out = folder.path().join("hw-grades");
    fs::create_dir(&out).expect("a folder");
    fs::write(out.join("grades.json"), "{}").expect("written");
    expect(&["-e", "44"], 1, "is not as this program wrote it");
    let file = folder.path().join("class.toml");
    fs::write(&file, "[[exercise]]\nname = 3").expect("written");
    expect(&["--class", file.to_str().expect("text")], 2, "class.toml");
}
