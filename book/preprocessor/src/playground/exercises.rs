//! Exercises as the playground checks them: its worker under node, with the built book's files.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;
use std::{iter, thread};

use serde::Deserialize;
use serde_json::json;
use teaching::learn::attempts::Attempt;
use teaching::learn::author;
use teaching::learn::exercise::Exercise;

/// More need too much memory.
const MOST_WORKERS: usize = 4;

/// Of these exercises a wrong solution passes in the page: its clang makes one load of the two that are refused elsewhere, so that
/// what runs is right.
const MERGED: [(&str, &str); 1] = [("33-warp-per-row", "lane >= 16 ?")];

/// A worker of the page.
struct Worker {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    Answer { verdict: String, text: String },
    Trouble(String),
}

impl Worker {
    fn start(root: &Path) -> Worker {
        let mut process = Command::new("node")
            .args([root.join("book/tests/worker.mjs"), root.join("book/build/playground")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node; get it: apt-get install nodejs");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        Worker { process, input, output }
    }

    /// The verdict on a text, and the words of it.
    fn check(&mut self, exercise: &Exercise, text: &str) -> (String, String) {
        let request = json!({ "task": { "exercise": exercise.name }, "text": text, "seed": 7 });
        // So wide that no words are parted.
        let message = json!({ "request": request, "columns": 10_000, "needsCompiler": true });
        writeln!(self.input, "{message}").expect("the worker runs");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the worker answers");
        match serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")) {
            Said::Answer { verdict, text } => (verdict, text),
            Said::Trouble(why) => ("trouble".to_owned(), why),
        }
    }

    /// What is not as it should be.
    fn problem(&mut self, exercise: &Exercise, attempt: &Attempt) -> Option<String> {
        let is_merged = |(name, text): &(&str, &str)| {
            exercise.name == *name && attempt.says.is_some() && attempt.text.contains(text)
        };
        if MERGED.iter().any(is_merged) {
            return None;
        }
        let (verdict, text) = self.check(exercise, &attempt.text);
        let is_as_wanted = match &attempt.says {
            None => verdict == "right",
            Some(words) => verdict == "wrong" && words.iter().all(|words| text.contains(words)),
        };
        let Attempt { name, says, .. } = attempt;
        (!is_as_wanted).then(|| {
            format!("{}: {name} (to be said: {says:?}) is {verdict}:\n{text}", exercise.name)
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
#[ignore = "takes minutes, and needs the built book with its compiler: `.ci/long` runs it"]
fn as_the_playground_checks_them_right_solutions_pass_and_wrong_ones_fail() {
    let root = ladder::workspace::root().expect("the workspace");
    let all = Exercise::all().expect("exercises");
    let exercises: Vec<&Exercise> = all.iter().filter(|it| super::has(it)).collect();
    let tries = exercises.iter().flat_map(|exercise| {
        let tried = author::tried(exercise).expect("an exercise in order");
        iter::repeat(*exercise).zip(tried)
    });
    let (left, found) = (Mutex::new(tries), Mutex::new((0, Vec::new())));
    let work = || {
        let mut worker = Worker::start(&root);
        loop {
            let next = left.lock().expect("no panic").next();
            let Some((exercise, attempt)) = next else { return };
            let began = Instant::now();
            let problem = worker.problem(exercise, &attempt);
            println!(
                "{:6.1} s  {}: {}",
                began.elapsed().as_secs_f64(),
                exercise.name,
                attempt.name
            );
            let mut found = found.lock().expect("no panic");
            found.0 += 1;
            found.1.extend(problem);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS) {
            scope.spawn(work);
        }
    });
    let (checked, problems) = found.into_inner().expect("no panic");
    println!("{checked} texts of {} exercises were checked", exercises.len());
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
