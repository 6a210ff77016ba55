//! Files that are not what they should be, in every place where the program reads or writes one: a short error with
//! its remedy, in time, and nothing half-written or left over.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use report::{Outcome, Report};
use tempfile::TempDir;

/// Much longer than any of these commands takes.
const PATIENCE: Duration = Duration::from_secs(120);

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Runs a command to its end, which must come.
fn end(mut command: Command) -> Output {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let (out, errors) =
        (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
    let read = |mut stream: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).map(|_| bytes).expect("bytes")
        })
    };
    let (stdout, stderr) = (read(Box::new(out)), read(Box::new(errors)));
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("its state") {
            break status;
        }
        if began.elapsed() > PATIENCE {
            child.kill().expect("it was there");
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let [stdout, stderr] = [stdout, stderr].map(|it| it.join().expect("it was read"));
    Output { status, stdout, stderr }
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn arguments<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Vec<OsString> {
    arguments.into_iter().map(|it| it.as_ref().to_owned()).collect()
}

/// `run` on the simulator of a step that is soon verified.
fn run(out: &Path) -> Command {
    crate::quick_run("01", out)
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Puts something at a path.
type Make = fn(&Path);

/// What may stand where a file is expected.
const HOSTILE: [(&str, Make); 5] = [
    ("pipe", |path| {
        assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
    }),
    ("folder", |path| fs::create_dir(path).expect("a folder")),
    ("link to a pipe", |path| {
        let pipe = path.with_extension("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        symlink(pipe, path).expect("a link");
    }),
    ("endless device", |path| symlink("/dev/zero", path).expect("a link")),
    ("too large", |path| {
        File::create(path).and_then(|file| file.set_len(300 << 20)).expect("a sparse file");
    }),
];

#[test]
fn what_is_read_is_an_ordinary_file_of_bounded_size() {
    for (what, make) in HOSTILE {
        let folder = folder();
        let file = folder.path().join("report.json");
        make(&file);
        let shown = file.display().to_string();
        let commands = [
            arguments(["report", &shown]),
            arguments(["report", "--with", &shown, "reports/h200"]),
            arguments(["compare", &shown, "reports/h200"]),
        ];
        for command in commands {
            let mut program = crate::program();
            program.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).args(&command);
            let output = end(program);
            let error = said(&output);
            assert_ne!(output.status.code(), Some(0), "{what}: {command:?}: {error}");
            assert!(error.contains("report.json"), "{what}: {command:?}: {error}");
            let why = ["ordinary file", "256 MiB"];
            // A folder may be named in the place of the file in it.
            let why = why.iter().any(|it| error.contains(it)) || error.contains("cannot read");
            assert!(why && output.stdout.is_empty(), "{what}: {command:?}: {error}");
        }
    }
}

#[test]
fn what_is_written_is_looked_at_before_the_run() {
    let cases = [("run", "report"), ("sweep", "report"), ("scale", "scaling")];
    for (verb, name) in cases {
        for file in [".lock", &format!("{name}.json"), &format!("{name}.partial.json")] {
            for (what, make) in HOSTILE.into_iter().filter(|(what, _)| *what != "too large") {
                let folder = folder();
                make(&folder.path().join(file));
                let before = names(folder.path());
                let mut command = crate::program();
                command.args([verb, "--device", "simt", "--steps", "06", "--size", "64", "--out"]);
                let output = end({
                    command.arg(folder.path());
                    command
                });
                let error = said(&output);
                assert_eq!(output.status.code(), Some(1), "{verb} {file} {what}: {error}");
                for word in [file, "--out", "ordinary file"] {
                    assert!(error.contains(word), "{verb} {file} {what} lacks {word}: {error}");
                }
                assert!(output.stdout.is_empty() && error.lines().count() == 1, "{error}");
                assert_eq!(names(folder.path()), before, "{verb} {file} {what}");
            }
        }
    }
}

#[test]
fn a_committed_report_is_replaced_only_on_demand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for arguments in [
        &["run", "cpu", "--out", "reports/h200/cpu"][..],
        &["run", "--out", "reports/h200"],
        &["run", "--resume", "--out", "reports/../reports/h200"],
        &["sweep", "--size", "64", "--out", "reports/h200"],
        &["scale", "--out", "reports/h200"],
    ] {
        let mut command = crate::program();
        command.current_dir(&root).args(arguments);
        let output = end(command);
        let error = said(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("reports/h200") && error.contains("--force"), "{error}");
    }
    // Nothing is replaced in a folder of somebody else's that git knows.
    let folder = folder();
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C")
            .arg(folder.path())
            .args(arguments)
            .output()
            .is_ok_and(|it| it.status.success())
    };
    fs::write(folder.path().join("report.json"), "old").expect("a file");
    if !git(&["init"]) || !git(&["add", "report.json"]) {
        println!("SKIPPED: git is not on this machine");
        return;
    }
    let run = |more: &[&str]| {
        let mut command = run(folder.path());
        command.args(more);
        end(command)
    };
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(fs::read(folder.path().join("report.json")).expect("the file"), b"old");
    assert_eq!(run(&["--force"]).status.code(), Some(0));
    Report::read(&folder.path().join("report.json")).expect("a new report");
}

/// The step's kernels with their PTX, under another name.
fn copied(folder: &Path, stem: &[u8]) -> PathBuf {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels").join(crate::QUICK);
    let path = |ending: &str| folder.join(OsStr::from_bytes(&[stem, ending.as_bytes()].concat()));
    for ending in [".cu", ".ptx"] {
        let text = fs::read_to_string(kernels.join(format!("{}{ending}", crate::QUICK_STEPS[0])));
        // As a compiler writes the name of the file.
        let name = String::from_utf8_lossy(stem).replace('\\', "\\\\").replace('"', "\\\"");
        let text = text.expect("the kernel").replace("/kernels/reduction/01-atomic.cu", &name);
        fs::write(path(ending), text).expect("a file");
    }
    path(".cu")
}

#[test]
fn a_kernel_may_have_any_name() {
    let stems: [&[u8]; 7] = [
        b"a\"b",
        b"line\nend",
        b"back\\slash",
        b"with spaces",
        b"-dash",
        "ä€".as_bytes(),
        b"\xff\xfe",
    ];
    for stem in stems {
        let [folder, out] = [folder(), folder()];
        let kernel = copied(folder.path(), stem);
        // One name stands for all in PTX alone.
        let alone = (stem == stems[0]).then(|| kernel.with_extension("ptx"));
        for kernel in [kernel].into_iter().chain(alone) {
            let mut command = run(out.path());
            command.args(["--format", "json", "--as", "01", "--kernel"]).arg(&kernel);
            let output = end(command);
            let error = said(&output);
            if std::str::from_utf8(stem).is_ok() {
                assert_eq!(output.status.code(), Some(0), "{kernel:?}: {error}");
                let report = Report::from_json(&output.stdout, Path::new("stdout"));
                let report = report.expect("a report");
                assert_eq!(report.rows[0].outcome, Outcome::Simulated, "{kernel:?}: {error}");
            } else {
                assert_eq!(output.status.code(), Some(2), "{kernel:?}: {error}");
                assert!(error.contains("--kernel") && error.contains("UTF-8"), "{error}");
            }
        }
    }
}

/// The same where no file can grow beyond 512 bytes (1024 in some shells), as on a disk that is full. A process that
/// writes more gets a signal, which ends most programs.
fn on_a_full_disk(arguments: &[OsString]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_harness")]);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).args(arguments);
    end(command)
}

#[test]
fn a_full_disk_costs_no_old_file_and_leaves_none() {
    let few = [crate::QUICK, "--device", "simt", "--steps", "01", "--size", "64"];
    let cases: [(&str, &str, &[&str]); 6] = [
        ("report.json", "--out", &[&["run"], &few[..]].concat()),
        ("report.json", "--out", &[&["sweep"], &few[..]].concat()),
        (
            "scaling.json",
            "--out",
            &[
                "scale", "--device", "simt", "--gpus", "1", "--steps", "12", "--size", "256",
                "--weak", "64",
            ],
        ),
        ("report.html", "", &["report"]),
        ("out.svg", "--trace", &["explain", "06", "--size", "256"]),
        (
            "out.csv",
            "--save",
            &["run", "--device", "simt", "--steps", "12", "--size", "64", "--time-steps", "1"],
        ),
    ];
    for (file, option, command) in cases {
        let [folder, out] = [folder(), folder()];
        let path = folder.path().join(file);
        match command[0] {
            "report" => {
                let report =
                    Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/h200/report.json");
                fs::copy(report, folder.path().join("report.json")).expect("a copy");
                fs::write(&path, "old").expect("a file");
            }
            _ => fs::write(&path, "old").expect("a file"),
        }
        let before = (names(folder.path()), fs::read(&path).expect("the file"));
        let mut arguments = arguments(command);
        let target =
            if matches!(option, "--out") || command[0] == "report" { folder.path() } else { &path };
        arguments.extend(Some(option).filter(|it| !it.is_empty()).map(OsString::from));
        arguments.push(target.into());
        if option == "--save" {
            arguments.extend(["--out".into(), out.path().into()]);
        }
        let output = on_a_full_disk(&arguments);
        let error = said(&output);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {error}");
        assert!(error.contains("room"), "{command:?}: {error}");
        assert_eq!(
            (names(folder.path()), fs::read(&path).expect("the file")),
            before,
            "{command:?}"
        );
        assert!(!names(out.path()).iter().any(|name| name.starts_with('.')), "{command:?}");
    }
}

#[test]
fn what_killed_runs_left_is_gone_after_the_next() {
    let (out, here) = (folder(), folder());
    for left in [".lock", ".ladder-abcdef", "01-global.reason.txt"] {
        fs::write(out.path().join(left), "left").expect("a file");
    }
    fs::create_dir(here.path().join("ladder-scratch-abcdef")).expect("a folder");
    let mut command = run(out.path());
    let output = end({
        command.env("TMPDIR", here.path());
        command
    });
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(names(here.path()), [""; 0]);

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = run(out.path());
    // Without a name for it, the folder of temporary files is not the current one.
    command.current_dir(here.path()).env("TMPDIR", "");
    command.env("CARGO_MANIFEST_DIR", root);
    let output = end(command);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let left = names(out.path());
    assert!(left.iter().all(|it| it.ends_with(".svg") || it.starts_with("report.")), "{left:?}");
    assert_eq!(names(here.path()), [""; 0]);

    let mut command = crate::program();
    command.args(["run", "cpu", "--steps", "01", "--size", "64", "--out"]).arg(out.path());
    command.current_dir(here.path()).env("TMPDIR", "");
    command.env("CARGO_MANIFEST_DIR", Path::new(env!("CARGO_MANIFEST_DIR")));
    let output = end(command);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(names(here.path()), [""; 0]);
}

/// A compiler with much to say: the run ends in time, its report has the beginning, and a file the rest.
#[test]
fn a_reason_of_113_kb_is_cut_in_the_report_and_whole_in_a_file() {
    use std::os::unix::fs::PermissionsExt;
    let (out, tools) = (folder(), folder());
    let compiler = tools.path().join("talker");
    let script = "#!/bin/sh\ncase \"$*\" in\n--version) echo talker 1;;\n*empty.c*) exit 0;;\n\
                  *) i=0; while [ $i -lt 1000 ]; do i=$((i+1)); echo \"force.c:$i: error: something that is wrong in so \
                  many words that a line of them is as long as a hundred characters\"; done >&2; exit 1;;\nesac\n";
    fs::write(&compiler, script).expect("a file");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let began = Instant::now();
    let mut command = crate::program();
    command.args(["run", "cpu", "--steps", "11x", "--size", "64", "--out"]).arg(out.path());
    let output = end({
        command.env("LADDER_CC", &compiler);
        command
    });
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let report = Report::read(&out.path().join("report.json")).expect("a report");
    let reason = report.rows[0].reason.as_deref().expect("a reason");
    assert!(reason.len() < 2100 && reason.contains("force.c:1:"), "{reason}");
    let file = names(out.path()).into_iter().find(|name| name.ends_with(".reason.txt"));
    let file = file.expect("a file for the rest");
    assert!(reason.contains(&file), "{reason}");
    let whole = fs::read_to_string(out.path().join(&file)).expect("the rest");
    assert!(whole.len() > 113_000 && whole.contains("force.c:1000:"), "{}", whole.len());
    assert!(!names(out.path()).contains(&".lock".to_owned()));
}

#[test]
fn a_strangers_kernel_names_no_file_of_the_machine() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let original =
        ladder::workspace::root().expect("a clone").join("kernels/nbody/06-shared-blocking.cu");
    let text = fs::read_to_string(original).expect("a kernel");
    for (name, head) in
        [("spliced.cu", "#inc\\\nlude \"/etc/passwd\""), ("line.cu", "#line 1 \"/etc/passwd\"")]
    {
        fs::write(at(name), format!("{head}\n{text}")).expect("written");
    }
    symlink("/etc/passwd", at("link.cu")).expect("a link");
    for (name, device, wanted) in [
        ("spliced.cu", "simt", "spliced.cu:2: an #include that names no file"),
        ("line.cu", "simt", "line.cu:1: `#line`"),
        ("link.cu", "simt", "it is a link"),
        ("line.cu", "auto", "add --device simt"),
    ] {
        let mut command = crate::program();
        command
            .args(["run", "--as", "06", "--untrusted", "--device", device, "--kernel"])
            .arg(at(name));
        let said = said(&end(command));
        assert!(said.contains(wanted) && !said.contains("root:"), "{name}: {said}");
    }
}
