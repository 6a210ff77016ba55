//! The parent's side of the worker process, against workers that are a few lines of shell: what
//! dies costs its own row and nothing else.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use harness::protocol::Event;
use harness::worker::{LadderRun, News, climb};
use ladder::Steps;
use nbody::{Host, Nbody, Step};
use processes::{Interrupt, ORPHANED};
use report::{Outcome, Request};

const FIRST: Step = Step::first("01-a", "an idea", "one line", 32, Host::PLAIN);
const SECOND: Step = Step { name: "02-b", after: Some(FIRST.name), ..FIRST };
const THIRD: Step = Step { name: "03-c", after: Some(SECOND.name), ..FIRST };
const LADDER: Steps<Nbody> = Steps::of("toy", &[FIRST, SECOND, THIRD]);

const DEVICE: &str = r#"echo '{"event":"device","info":{"kind":"simt","name":"toy","compute_capability":null,"driver_version":null,"cuda_version":null,"memory_bytes":1,"memory_free_bytes":1,"multiprocessors":null,"clock_mhz":null,"launch_limit_seconds":1.0,"modelled":"toy"}}'; "#;

fn request() -> Request {
    let steps = LADDER.steps.iter().map(|step| step.name.to_owned()).collect();
    Request { ladder: "toy".to_owned(), steps, ..Request::default() }
}

/// Shell text that says that a step has begun.
fn start(step: &Step) -> String {
    format!(r#"echo '{{"event":"started","subject":{{"step":"{}","block":null}}}}'; "#, step.name)
}

/// Shell text that delivers a step's row.
fn deliver(step: &Step) -> String {
    let reason = Some("because".to_owned());
    let row = step.row("toy", Outcome::Skipped, reason);
    let event = serde_json::to_string(&Event::Row { row: Box::new(row) }).expect("data");
    format!("echo '{event}'; ")
}

/// Runs a worker whose script finds the request in `$request`.
fn run(script: &str, interrupt: &Interrupt) -> (anyhow::Result<LadderRun>, Vec<String>) {
    let script = format!("read -r request; {DEVICE}{script}");
    let program = || {
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]);
        Ok(shell)
    };
    let mut heard = Vec::new();
    let climb = climb(&program, &LADDER, &request(), Vec::new(), interrupt, &mut |news| {
        if let News::Event(Event::Row { row }) = news {
            heard.push(row.step.clone());
        }
    });
    (climb, heard)
}

fn outcomes(climb: &LadderRun) -> Vec<(&str, Outcome)> {
    climb.rows.iter().map(|row| (row.step.as_str(), row.outcome)).collect()
}

/// What the first worker does, and what those do that are told of done steps.
fn on_second_start(first: &str, later: &str) -> String {
    format!(r#"case "$request" in *'"done":['*) {later} ;; *) {first} ;; esac"#)
}

#[test]
fn rows_arrive_in_order_and_are_heard() {
    let script = [FIRST, SECOND, THIRD].map(|step| start(&step) + &deliver(&step)).concat();
    let (climb, heard) = run(&script, &Interrupt::default());
    assert_eq!(heard, [FIRST.name, SECOND.name, THIRD.name]);
    assert_eq!(climb.expect("a climb").rows.len(), 3);
}

#[test]
fn a_killed_worker_costs_its_own_row() {
    let dies =
        start(&FIRST) + &deliver(&FIRST) + &start(&SECOND) + "echo last words >&2; kill -9 $$";
    let goes_on = start(&THIRD) + &deliver(&THIRD);
    let (climb, heard) = run(&on_second_start(&dies, &goes_on), &Interrupt::default());
    let climb = climb.expect("a climb");
    assert_eq!(
        outcomes(&climb),
        [
            (FIRST.name, Outcome::Skipped),
            (SECOND.name, Outcome::Failed),
            (THIRD.name, Outcome::Skipped)
        ]
    );
    let reason = climb.rows[1].reason.as_deref().expect("a reason");
    assert!(reason.contains("signal: 9") && reason.contains("last words"), "{reason}");
    assert_eq!(heard, [FIRST.name, SECOND.name, THIRD.name]);
}

#[test]
fn a_worker_that_ends_early_without_a_word_fails_the_step_that_was_next() {
    let quits = start(&FIRST) + &deliver(&FIRST) + "exit 7";
    let goes_on = start(&THIRD) + &deliver(&THIRD);
    let (climb, _) = run(&on_second_start(&quits, &goes_on), &Interrupt::default());
    let climb = climb.expect("a climb");
    assert_eq!(climb.rows[1].outcome, Outcome::Failed);
    assert!(
        climb.rows[1].reason.as_deref().is_some_and(|reason| reason.contains("exit status: 7"))
    );
    assert_eq!(climb.rows.len(), 3);
}

#[test]
fn a_lost_device_costs_no_row_but_the_one_delivered() {
    let loses = start(&FIRST) + &deliver(&FIRST) + "exit 3";
    let goes_on = start(&SECOND) + &deliver(&SECOND) + &start(&THIRD) + &deliver(&THIRD);
    let (climb, _) = run(&on_second_start(&loses, &goes_on), &Interrupt::default());
    let climb = climb.expect("a climb");
    assert!(climb.rows.iter().all(|row| row.outcome == Outcome::Skipped), "{:?}", outcomes(&climb));
}

#[test]
fn every_worker_that_loses_the_device_at_once_costs_a_row_so_that_it_ends() {
    let (climb, _) = run("exit 3", &Interrupt::default());
    let climb = climb.expect("a climb");
    assert!(climb.rows.iter().all(|row| row.outcome == Outcome::Failed), "{:?}", outcomes(&climb));
}

#[test]
fn what_a_kernel_prints_does_not_disturb() {
    let script = start(&FIRST)
        + "printf 'a kernel printed this without a line end'; echo; "
        + &deliver(&FIRST)
        + "echo '{\"event\":'; echo '\"row\"'; "
        + &start(&SECOND)
        + &deliver(&SECOND)
        + &start(&THIRD)
        + &deliver(&THIRD);
    let (climb, _) = run(&script, &Interrupt::default());
    assert!(climb.expect("a climb").rows.iter().all(|row| row.outcome == Outcome::Skipped));
}

#[test]
fn a_refused_request_is_an_error_with_the_workers_reason() {
    let script =
        r#"echo '{"event":"refused","reason":"no such device; buy one","usage":false}'; exit 1"#;
    let error = run(script, &Interrupt::default()).0.err().expect("an error");
    assert_eq!(error.to_string(), "no such device; buy one");
}

#[test]
fn an_interrupt_ends_the_worker_and_skips_the_rest() {
    let interrupt = Interrupt::default();
    let asks = interrupt.clone();
    let asking = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        asks.ask();
    });
    let began = Instant::now();
    let script = start(&FIRST) + &deliver(&FIRST) + &start(&SECOND) + "exec sleep 60";
    let climb = run(&script, &interrupt).0.expect("a climb");
    asking.join().expect("the thread ended well");
    assert!(began.elapsed() < Duration::from_secs(30), "the worker was not ended");
    assert_eq!(climb.rows.len(), 3);
    for row in &climb.rows[1..] {
        assert_eq!((row.outcome, row.reason.as_deref()), (Outcome::Skipped, Some("interrupted")));
    }
}

#[test]
fn a_program_that_cannot_start_is_an_error() {
    let program = || Ok(Command::new("/nonexistent/worker"));
    let error =
        climb(&program, &LADDER, &request(), Vec::new(), &Interrupt::default(), &mut |_| {});
    assert!(error.err().is_some_and(|error| format!("{error:#}").contains("could not be started")));
}

#[test]
fn a_worker_ends_when_its_input_closes() {
    let request = Request { ladder: "nbody".to_owned(), device: "simt".to_owned(), ..request() };
    let request = Request {
        steps: vec!["01-one-thread".to_owned()],
        code: "auto".to_owned(),
        model: "h200".to_owned(),
        size: Some(100_000),
        ..request
    };
    let mut command = crate::program();
    let pipes = command.arg("worker").stdin(Stdio::piped()).stdout(Stdio::null());
    let mut worker = pipes.stderr(Stdio::null()).spawn().expect("a worker");
    let mut input = worker.stdin.take().expect("a pipe");
    writeln!(input, "{}", serde_json::to_string(&request).expect("data")).expect("written");
    drop(input);
    let began = Instant::now();
    let status = worker.wait().expect("it ends");
    assert_eq!(status.code(), Some(ORPHANED.into()));
    assert!(began.elapsed() < Duration::from_secs(30), "it went on alone");
}

#[test]
fn a_worker_that_hangs_costs_its_own_row() {
    let hangs = start(&FIRST)
        + r#"echo '{"event":"progress","doing":"verify n = 1","patience_seconds":1}'; exec sleep 60"#;
    let goes_on = start(&SECOND) + &deliver(&SECOND) + &start(&THIRD) + &deliver(&THIRD);
    let began = Instant::now();
    let climb = run(&on_second_start(&hangs, &goes_on), &Interrupt::default()).0.expect("a climb");
    assert!(began.elapsed() < Duration::from_secs(30), "the worker was not ended");
    let expected = [Outcome::Failed, Outcome::Skipped, Outcome::Skipped];
    assert_eq!(climb.rows.iter().map(|row| row.outcome).collect::<Vec<_>>(), expected);
    let reason = climb.rows[0].reason.as_deref().expect("a reason");
    assert!(reason.contains("`verify n = 1`") && reason.contains("endless loop"), "{reason}");
}

#[test]
fn a_row_that_was_not_asked_for_is_no_row() {
    let again = start(&FIRST) + &deliver(&FIRST) + "exit 3";
    let (climb, heard) = run(&again, &Interrupt::default());
    assert_eq!(heard.iter().filter(|step| *step == FIRST.name).count(), 1);
    let outcomes: Vec<_> = climb.expect("a climb").rows.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, [Outcome::Skipped, Outcome::Failed, Outcome::Failed]);
}

#[test]
fn a_worker_that_is_asked_to_stop_delivers_what_it_has() {
    let interrupt = Interrupt::default();
    let asks = interrupt.clone();
    let asking = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        asks.ask();
    });
    let waits = start(&FIRST) + "read -r wish; [ \"$wish\" = stop ] && " + &deliver(&FIRST);
    let climb = run(&waits, &interrupt).0.expect("a climb");
    asking.join().expect("the thread ended well");
    assert_eq!(climb.rows[0].reason.as_deref(), Some("because"));
    assert!(climb.rows[1..].iter().all(|row| row.interrupted));
}

#[test]
fn a_worker_that_dies_while_it_counts_costs_only_what_it_counted() {
    let counts_and_dies =
        [FIRST, SECOND, THIRD].map(|step| start(&step) + &deliver(&step)).concat()
            + &start(&SECOND)
            + "kill -9 $$";
    let (climb, heard) = run(&counts_and_dies, &Interrupt::default());
    let climb = climb.expect("a climb");
    assert_eq!(heard, [FIRST.name, SECOND.name, THIRD.name]);
    let reasons: Vec<_> = climb.rows.iter().filter_map(|row| row.reason.as_deref()).collect();
    assert_eq!((reasons[0], reasons[2]), ("because", "because"));
    assert!(reasons[1].starts_with("because; what limits it is not known"), "{}", reasons[1]);
}
