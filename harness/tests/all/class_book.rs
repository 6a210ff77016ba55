//! A class's book: shards that join to the same bytes, points that count without a check, pages that tell no secrets. The
//! exercise needs no compiler.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

const SOLUTION: &str = include_str!("../../../steps/exercises/44-ptx-guard/solution.ptx");

/// Hidden from students.
const SEEDS: &str = "seeds = [7001, 7002]\n";
const SIZE: &str = "136";

/// A class in a folder of its own, with a class file.
struct Class {
    folder: tempfile::TempDir,
}

impl Class {
    fn new(students: &[(&str, &str)]) -> Class {
        let class = Class { folder: tempfile::tempdir().expect("a folder") };
        for (student, text) in students {
            let folder = class.folder.path().join("hw").join(student);
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join("44-ptx-guard.ptx"), text).expect("written");
        }
        class.settings("");
        class
    }

    /// Writes the class file with more settings, and more of the exercise after them.
    fn settings(&self, more: &str) {
        let (head, exercise) = more.split_once("---").unwrap_or((more, ""));
        let text =
            format!("{SEEDS}{head}\n[[exercise]]\nname = \"44\"\nsizes = [{SIZE}]\n{exercise}");
        fs::write(self.folder.path().join("class.toml"), text).expect("written");
    }

    fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs in a folder that is no clone.
    fn grade(&self, verb: &[&str], out: &str, more: &[&str]) -> (String, Option<i32>) {
        let mut command = crate::program();
        command.current_dir(self.folder.path()).env_remove("CARGO_MANIFEST_DIR");
        command.arg("grade").args(verb).args(["hw", "--class", "class.toml", "--out", out]);
        let output = command.args(more).output().expect("it runs");
        let text = [output.stdout, output.stderr].map(|it| String::from_utf8(it).expect("text"));
        (text.concat(), output.status.code())
    }

    fn points(&self, out: &str) -> BTreeMap<String, f64> {
        let text = fs::read_to_string(self.out(out).join("grades.json")).expect("grades");
        let grades: Value = serde_json::from_str(&text).expect("JSON");
        let of = |grade: &Value| {
            let name = grade["student"]["name"].as_str().expect("a name").to_owned();
            (name, grade["points"].as_f64().expect("points"))
        };
        grades["grades"].as_array().expect("a list").iter().map(of).collect()
    }
}

/// The files of a folder that are drawn from grades, with their bytes.
fn drawn(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for part in [folder.to_path_buf(), folder.join("students")] {
        for entry in fs::read_dir(part).expect("a folder").flatten() {
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if entry.path().is_file() && !is_hidden {
                let name = entry.path().strip_prefix(folder).expect("inside").to_path_buf();
                files.insert(name, fs::read_to_string(entry.path()).expect("text"));
            }
        }
    }
    files
}

fn off_by_one() -> String {
    SOLUTION.replace("setp.ge.u32", "setp.gt.u32")
}

/// Wrong at the hidden size only.
fn only_known() -> String {
    let guard = format!("    setp.eq.u32 %p0, %r4, {SIZE};\n    @%p0 bra DONE;\n    setp.ge.u32");
    SOLUTION.replace("    setp.ge.u32", &guard)
}

#[test]
fn shards_join_to_the_bytes_of_one_run_and_what_is_missing_is_named() {
    let wrong = off_by_one();
    let class = Class::new(&[
        ("ada", SOLUTION),
        ("bob", &wrong),
        ("cleo", SOLUTION),
        ("dan", ""),
        ("eve", SOLUTION),
    ]);
    let (text, code) = class.grade(&[], "one", &[]);
    assert_eq!(code, Some(0), "{text}");
    for shard in ["1/3", "3/3"] {
        let (text, code) = class.grade(&[], "shards", &["--shard", shard]);
        assert_eq!(code, Some(0), "{text}");
    }
    let (text, code) = class.grade(&["merge"], "shards", &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("shard 2/3: run it again"), "{text}");
    let json = fs::read_to_string(class.out("shards/grades.json")).expect("grades");
    assert_eq!(json.matches("shard 2/3 has not checked it").count(), 2, "{json}");
    let (text, code) = class.grade(&[], "shards", &["--shard", "2/3"]);
    assert_eq!(code, Some(0), "{text}");
    let (text, code) = class.grade(&["merge"], "shards", &[]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(drawn(&class.out("shards")), drawn(&class.out("one")));

    fs::write(class.folder.path().join("class.toml"), "[[exercise]]\nname = \"44\"\n")
        .expect("written");
    let (text, code) = class.grade(&[], "shards", &["--shard", "2/3"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("class.toml has no `seeds`") && text.contains("write `seeds = ["),
        "{text}"
    );
}

#[test]
fn points_marks_and_lateness_count_without_a_check() {
    let wrong = off_by_one();
    let class = Class::new(&[("ada", SOLUTION), ("bob", &wrong), ("cleo", SOLUTION)]);
    let (text, code) = class.grade(&[], "grades", &["--shard", "1/1"]);
    assert_eq!(code, Some(0), "{text}");
    let points = |class: &Class| -> Vec<f64> {
        // To join checks nothing.
        let (text, _) = class.grade(&["merge"], "grades", &[]);
        assert!(!text.contains("error"), "{text}");
        class.points("grades").into_values().collect()
    };
    assert_eq!(points(&class), [10.0, 1.0, 10.0]);
    let marks = class.out("grades/marks.csv");
    let head = fs::read_to_string(&marks).expect("made by the first run");
    fs::write(&marks, format!("{head}bob,,4,,read the page on guards\ncleo,44,,1.5,\n"))
        .expect("written");
    fs::write(class.folder.path().join("times.csv"), "student,time\nada,2026-11-21T12:00:00Z\n")
        .expect("written");
    assert_eq!(points(&class), [10.0, 4.0, 11.5]);
    class.settings(
        "[late]\ndue = 2026-11-20T12:00:00Z\npercent_per_day = 25\ntimes = \"times.csv\"\n---points = { results = 9 }\n",
    );
    assert_eq!(points(&class), [10.5, 4.0, 15.5]);
    let page = fs::read_to_string(class.out("grades/students/student-bob.html")).expect("a page");
    assert!(page.contains("read the page on guards") && page.contains("by hand"), "{page}");
    let page = fs::read_to_string(class.out("grades/students/student-ada.html")).expect("a page");
    assert!(page.contains("1 day late: 25 % less"), "{page}");
    fs::write(&marks, format!("{head}bib,,4,,\n")).expect("written");
    let (text, code) = class.grade(&["merge"], "grades", &[]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("marks.csv:2: there is no student `bib`"), "{text}");
}

#[test]
fn pages_tell_no_hidden_data_and_move_no_cursor() {
    let (wrong, known) = (off_by_one(), only_known());
    let class = Class::new(&[
        ("ada\u{9b}31m\u{202e}", &known),
        ("bob", &wrong),
        ("cleo", SOLUTION),
        ("dan", SOLUTION),
    ]);
    class.settings("[comparison]\ngpu = \"h100\"\n");
    let mut archive = tar::Builder::new(Vec::new());
    for text in ["no kernel", SOLUTION] {
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, "44-ptx-guard.ptx", text.as_bytes()).expect("appended");
    }
    let archive = archive.into_inner().expect("an archive");
    fs::write(class.folder.path().join("hw/zoe.tar"), archive).expect("written");
    let (text, code) = class.grade(&[], "grades", &[]);
    assert_eq!(code, Some(0), "{text}");
    let files = drawn(&class.out("grades"));
    let is_harmful = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    for (name, text) in &files {
        assert!(!text.contains(is_harmful), "{}", name.display());
    }
    let root = ladder::workspace::root().expect("a clone").display().to_string();
    let here = class.folder.path().display().to_string();
    let pages = files.iter().filter(|(name, _)| name.starts_with("students"));
    for (name, page) in pages {
        for secret in [SIZE, "7001", "7002", &root, &here] {
            assert!(!page.contains(secret), "{secret} in {}: {page}", name.display());
        }
    }
    let page = |start: &str| {
        let is_it = |name: &&PathBuf| name.to_string_lossy().contains(start);
        &files[files.keys().find(is_it).expect(start)]
    };
    assert!(page("student-ada").contains("wrong with other sizes"), "{}", page("student-ada"));
    assert!(page("student-bob").contains("out of bounds"), "{}", page("student-bob"));
    assert!(
        page("student-zoe").contains("10 of 10") && page("student-zoe").contains("last one counts")
    );
    assert!(files[Path::new("grades.json")].contains("at n = 136"), "the instructor knows");

    // Of the class's kernels three are right, and cost the same; nobody's name is told.
    let comparison = &files[Path::new("comparison.html")];
    assert!(comparison.contains("h100") && !comparison.contains("cleo"), "{comparison}");
    assert_eq!(comparison.matches("<td class=\"n\">1</td>").count(), 3, "{comparison}");
    let pseudonym = page("student-cleo").split("you are <strong>").nth(1).expect("a pseudonym");
    let pseudonym = pseudonym.split('<').next().expect("words");
    assert!(comparison.contains(pseudonym), "{pseudonym}: {comparison}");
    let index = &files[Path::new("index.html")];
    assert!(
        index.contains("students/student-bob.html") && !index.contains("http-equiv"),
        "{index}"
    );
}
