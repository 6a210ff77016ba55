//! Exercises as a student does them, with those that need no compiler; and what all exercises must have.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use teaching::learn::attempts::Attempts;
use teaching::learn::exercise::{Exercise, Kind};

/// `learn` with its files in `folder`.
fn learn(folder: &Path, words: &[&str]) -> Command {
    let mut command = crate::program();
    command.arg("learn").arg("--dir").arg(folder).args(words).env("COLUMNS", "100");
    command
}

/// What it prints on both streams, and its exit code.
fn said(folder: &Path, words: &[&str]) -> (String, Option<i32>) {
    let Output { stdout, stderr, status } = learn(folder, words).output().expect("it runs");
    let text = [stdout, stderr].map(|text| String::from_utf8(text).expect("text")).concat();
    (text, status.code())
}

/// That words are said, with this exit code.
fn expect(folder: &Path, words: &[&str], code: i32, wanted: &[&str]) {
    let (text, got) = said(folder, words);
    // Broken into lines by its width.
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for wanted in wanted {
        assert!(flat.contains(wanted), "{words:?}: no `{wanted}` in\n{text}");
    }
    assert_eq!(got, Some(code), "{words:?}: {text}");
    assert!(!text.contains('\x1b'), "colours in a pipe: {text}");
}

#[test]
fn a_student_reads_a_goal_answers_asks_and_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    expect(
        at,
        &[],
        0,
        &["01-which-element", "Each thread squares", "01-which-element.cu", "0 of "],
    );
    expect(at, &["list"], 0, &["03-count-blocks", "predict", "PTX", "0 of "]);
    let file = at.join("03-count-blocks.toml");
    expect(at, &["check", "count-blocks"], 1, &["write your answer"]);
    expect(at, &["show", "3"], 0, &["How many blocks", "book/src/transpose/01-naive.md"]);
    expect(at, &["check", "03"], 1, &["write your answer after `answer =`", "hint count-blocks"]);
    fs::write(&file, "answer = 6\n").expect("written");
    expect(at, &["check", "03"], 1, &["counts more than 6", "think: what is left"]);
    expect(at, &["hint", "03"], 0, &["hint 1 of 3"]);
    let (second, _) = said(at, &["hint", "03"]);
    assert!(second.contains("hint 2 of 3") && !second.contains("hint 3 of 3"), "{second}");
    expect(at, &["hint", "03"], 0, &["hint 3 of 3", "that was the last"]);
    expect(at, &["solution", "03"], 2, &["not passed yet", "--now"]);
    expect(at, &["solution", "03", "--now"], 0, &["answer = 12"]);
    fs::write(&file, "answer = 12\n").expect("written");
    expect(at, &["check", "03"], 0, &["03-count-blocks passed", "Divide and round up", "1 of "]);
    expect(at, &["solution", "03"], 0, &["answer = 12"]);
    let backup = "03-count-blocks.toml is as in the beginning; your old file is";
    expect(at, &["reset", "03"], 0, &[backup, "03-count-blocks.1.toml"]);
    let kept = fs::read_to_string(at.join("backups/03-count-blocks.1.toml")).expect("a backup");
    assert_eq!(kept, "answer = 12\n");
    expect(at, &["check", "03"], 1, &["write your answer"]);
    expect(at, &["reset", "03"], 0, &["as in the beginning"]);
    assert!(!at.join("backups/03-count-blocks.2.toml").exists(), "nothing was written");
    expect(at, &["list"], 0, &["1 of "]);
}

#[test]
fn ptx_is_checked_without_a_compiler_at_the_students_own_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    expect(at, &["show", "ptx-guard"], 0, &["ptx-guard.ptx"]);
    expect(at, &["check", "ptx-guard"], 1, &["out of bounds", "ld.global.f32", "ptx-guard.ptx:"]);
    let (solution, _) = said(at, &["solution", "ptx-guard", "--now"]);
    let name = Exercise::all().expect("exercises");
    let name = &name.iter().find(|it| it.name.ends_with("ptx-guard")).expect("it is there").name;
    let file = at.join(format!("{name}.ptx"));
    fs::write(&file, &solution).expect("written");
    expect(at, &["check", "ptx-guard", "--seed", "3"], 0, &["passed", "Compilers invert"]);
    // A loop without an end.
    fs::write(&file, solution.replace("    ret;", "    bra DONE;")).expect("written");
    let output = learn(at, &["check", "ptx-guard", "--launch-limit", "1"]).output();
    let text = String::from_utf8(output.expect("it runs").stdout).expect("text");
    assert!(text.contains("error: ") && text.contains("ptx-guard.ptx:"), "{text}");
}

#[test]
fn bad_input_is_named_with_its_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    expect(at, &["show", "gard"], 2, &["no exercise `gard`", "did you mean `guard`", "learn list"]);
    expect(at, &["reset"], 2, &["<NAME>"]);
    let file = at.join("03-count-blocks.toml");
    for (bytes, words) in [
        (b"".to_vec(), "it is empty"),
        (b"answer = \xfc".to_vec(), "`ü` is no number"),
        (b"answer = 1\0".to_vec(), "it is no text"),
        (b"12".to_vec(), "no line `answer"),
        (b"answer = many".to_vec(), "`many` is no number"),
        (b"answer = inf".to_vec(), "`inf` is no number"),
        (vec![b'#'; 2 << 20], "file too large (limit 1024 KiB)"),
    ] {
        fs::write(&file, bytes).expect("written");
        expect(at, &["check", "03"], 1, &[words]);
    }
    fs::remove_file(&file).expect("removed");
    fs::create_dir(&file).expect("a folder");
    expect(at, &["check", "03"], 1, &["no ordinary file", "learn reset 03-count-blocks"]);
    let block = at.join("07-choose-block.toml");
    for (text, words) in [
        ("answer = 0", "that is 0"),
        ("answer = 2.5", "no whole number"),
        ("answer = 99999999999", "too large for a launch"),
    ] {
        fs::write(&block, text).expect("written");
        expect(at, &["check", "07"], 1, &[words]);
    }
    fs::write(at.join("progress.toml"), "passed = 7").expect("written");
    expect(at, &["list"], 1, &["progress.toml", "mend or remove it"]);
}

#[cfg(unix)]
#[test]
fn each_save_is_checked_until_it_passes() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let mut watch = learn(at, &["watch", "03"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(watch.stdout.take().expect("a pipe")).lines();
    let mut until = |words: &str| {
        let mut seen = String::new();
        for line in lines.by_ref() {
            seen += &format!("{}\n", line.expect("text"));
            if seen.contains(words) {
                return seen;
            }
        }
        panic!("it ended without `{words}`: {seen}");
    };
    let save = |text: &str| fs::write(at.join("03-count-blocks.toml"), text).expect("written");
    until("waiting for the next save");
    save("answer = 7\n");
    assert!(until("waiting for the next save").contains("counts more than 7"));
    save("answer = 12\n");
    until("03-count-blocks passed");
    assert_eq!(watch.wait().expect("it ends").code(), Some(0));
}

/// The open program at a terminal that `script` makes: what it shows, after these keys, and its exit code.
#[cfg(target_os = "linux")]
fn at_a_terminal(folder: &Path, keys: &str) -> Option<(String, Option<i32>)> {
    use std::io::{Read, Write};
    use std::process::Stdio;

    let program = learn(folder, &[]);
    let words: Vec<String> = std::iter::once(program.get_program())
        .chain(program.get_args())
        .map(|word| format!("'{}'", word.to_string_lossy()))
        .collect();
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &words.join(" "), "/dev/null"]);
    script.env("TERM", "xterm").env_remove("EDITOR").env_remove("VISUAL");
    let started = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut terminal) = started else {
        println!("SKIPPED: no terminal can be made here without the program `script`");
        return None;
    };
    let mut input = terminal.stdin.take().expect("a pipe");
    let mut output = terminal.stdout.take().expect("a pipe");
    let mut shown = Vec::new();
    let mut part = [0; 4096];
    while !String::from_utf8_lossy(&shown).contains("[q]uit") {
        let length = output.read(&mut part).expect("it shows something");
        assert!(length > 0, "it ended: {}", String::from_utf8_lossy(&shown));
        shown.extend_from_slice(&part[..length]);
    }
    input.write_all(keys.as_bytes()).expect("typed");
    output.read_to_end(&mut shown).expect("it ends");
    let code = terminal.wait().expect("it ends").code();
    Some((String::from_utf8_lossy(&shown).into_owned(), code))
}

#[cfg(target_os = "linux")]
#[test]
fn the_open_program_obeys_keys_and_leaves_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    fs::write(at.join("03-count-blocks.toml"), "answer = 12\n").expect("written");
    // The answer is there already: number 3 passes at once, and the next exercise comes.
    let Some((shown, code)) = at_a_terminal(at, "h3\rprrq") else { return };
    for words in [
        "01-which-element",
        "hint 1 of 3",
        "03-count-blocks\u{1b}[0m passed",
        "04-grid-stride",
        "03-count-blocks.toml is as in the beginning",
        "to go on: ",
    ] {
        let plain = shown.contains(words) || shown.contains(&words.replace("\u{1b}[0m", ""));
        assert!(plain, "no `{words}` in\n{shown}");
    }
    assert!(at.join("backups/03-count-blocks.1.toml").exists());
    assert_eq!(code, Some(0), "{shown}");
    let (shown, code) = at_a_terminal(at, "\u{3}").expect("a terminal");
    // It is a signal while something is printed, and a key else.
    assert!(matches!(code, Some(0 | 130)), "Ctrl-C ends it: {code:?} {shown}");
}

#[test]
fn every_exercise_has_what_its_reader_needs() {
    let all = Exercise::all().expect("exercises");
    assert!(all.len() >= 40, "{}", all.len());
    assert!(all.iter().filter(|it| !it.needs_compiler()).count() >= 10);
    let book = ladder::workspace::root().expect("a workspace").join("book/src");
    let number = |exercise: &Exercise| report::split(&exercise.name).0.parse::<u32>();
    let numbers: Vec<u32> = all.iter().map(|it| number(it).expect("a number")).collect();
    assert!(numbers.is_sorted_by(|one, next| one < next), "each number once: {numbers:?}");
    for exercise in &all {
        let name = &exercise.name;
        assert!(book.join(format!("{}.md", exercise.read)).is_file(), "{name}: {}", exercise.read);
        assert!((2..=3).contains(&exercise.hints.len()), "{name}: {} hints", exercise.hints.len());
        let attempts = Attempts::of(exercise).expect("attempts in order");
        assert!(!attempts.wrong.is_empty(), "{name} names no wrong solution");
        assert_eq!(attempts.lacking(exercise), Vec::<String>::new(), "{name}");
        assert!((1..=60).contains(&exercise.minutes), "{name}: {} minutes", exercise.minutes);
        assert!(!exercise.goal.is_empty() && !exercise.learned.is_empty(), "{name}");
        assert_eq!(exercise.predict.is_some(), exercise.kind == Kind::Predict, "{name}");
        let climbs = exercise.step.as_ref().is_some_and(|step| step.from.is_some());
        assert_eq!(climbs, exercise.kind == Kind::Climb, "{name}");
        let is_one = exercise.step.is_some() || exercise.predict.is_some() || exercise.is_program();
        assert!(is_one || !exercise.results.is_empty(), "{name} has no results");
        let text = exercise.beginning_text().expect("a beginning");
        assert!(text.contains(&exercise.title), "{name}: {text}");
        if exercise.step.is_none() {
            assert!(text.lines().count() <= 50, "{name} is long");
            assert!(text.lines().all(|line| line.len() <= 120), "{name} is wide");
        }
    }
    let mut parts: Vec<&str> = all.iter().map(|it| it.part.as_str()).collect();
    parts.dedup();
    let mut once = parts.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(parts.len(), once.len(), "a part is in two places: {parts:?}");
}

#[test]
fn every_ladder_has_two_exercises_that_its_page_names() {
    let all = Exercise::all().expect("exercises");
    let book = ladder::workspace::root().expect("a workspace").join("book/src");
    for ladder in ladders::LADDERS {
        let name = ladder.name();
        let is_of = |it: &&Exercise| match &it.step {
            Some(step) => step.ladder == name,
            None => it.read.split('/').next() == Some(name),
        };
        assert!(all.iter().filter(is_of).count() >= 2, "{name} has fewer than two exercises");
        let page = fs::read_to_string(book.join(name).join("index.md")).expect("a page");
        // The pages of the lessons themselves name those of the first ladder.
        let named = all.iter().filter(is_of).filter(|it| page.contains(&it.name)).count();
        assert!(named >= 2 || name == "nbody", "the page of {name} names {named} exercises");
    }
}
