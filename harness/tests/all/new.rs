//! `harness new`: what it writes has the form of ladders that the workspace compiles and tests.

use std::fs;
use std::path::Path;
use std::process::Command;

use device::Source;
use harness::new::{self, Parent};
use ladder::problem::{OptionError, ProblemOption};
use ladder::{Ladder, OpenProblem, Step, workspace};
use ladders::LADDERS;
use report::{Figure, Request};
use toolchain::ptx;

use crate::new_workspace;

/// The ladder of a name, with its first step alone.
struct First(&'static dyn Ladder);

impl Ladder for First {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn figure(&self) -> Figure {
        self.0.figure()
    }
    fn steps(&self) -> Vec<Step> {
        self.0.steps()[..1].to_vec()
    }
    fn on_the_host(&self, step: &Step) -> Vec<(&'static str, String)> {
        self.0.on_the_host(step)
    }
    fn options(&self) -> &'static [ProblemOption] {
        self.0.options()
    }
    fn open(&self, request: &Request) -> Result<Box<dyn OpenProblem>, OptionError> {
        self.0.open(request)
    }
}

fn transpose() -> &'static dyn Ladder {
    *LADDERS.iter().find(|it| it.name() == "transpose").expect("a ladder")
}

fn read(root: &Path, file: &str) -> String {
    fs::read_to_string(root.join(file)).expect(file).replace("\r\n", "\n")
}

/// Fails if `cargo fmt` would change a file. Through standard input, as its modules need not be there.
fn expect_formatted(root: &Path, file: &str) {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024", "--config-path"]).arg(root);
    let text = fs::File::open(root.join(file)).expect(file);
    match rustfmt.stdin(text).output() {
        Ok(output) => assert!(output.status.success(), "{file}: {output:?}"),
        Err(_) => println!("SKIPPED: no rustfmt here; get it: rustup component add rustfmt"),
    }
}

/// Fails unless the committed PTX of a step belongs to its kernel.
fn expect_current(root: &Path, ladder: &str, step: &str) {
    let source = Source::from_kernels(&root.join("kernels").join(ladder), step, step, &[]);
    let source = source.expect("its kernel");
    assert_eq!(ptx::check(&source, &source.ptx[0].text), Ok(()), "{ladder}/{step}");
}

/// The workspace has `steps/example` as a member, whose tests run each step and find each mistake.
#[test]
fn a_new_ladder_is_the_example_under_another_name() {
    let whole = workspace::root().expect("a clone");
    for name in ["ab", "matrix-product", "twenty-four-characters"] {
        let root = new_workspace::copy();
        new::ladder(root.path(), name).expect("new").write().expect("written");
        for file in ["Cargo.toml", "src/lib.rs", "src/mistakes.txt", "src/problem.rs"] {
            let title = name[..1].to_uppercase() + &name[1..].replace('-', " ");
            let new = read(root.path(), &format!("steps/{name}/{file}"));
            let example = read(&whole, &format!("steps/example/{file}"));
            assert_eq!(new, example.replace("example", name).replace("Example", &title));
            if file.ends_with(".rs") {
                expect_formatted(root.path(), &format!("steps/{name}/{file}"));
            }
        }
        let kernel = format!("kernels/{name}/01-naive.cu");
        assert_eq!(read(root.path(), &kernel), read(&whole, "kernels/example/01-naive.cu"));
        expect_current(root.path(), name, "01-naive");
        let listed = read(root.path(), "harness/ladders/src/list.rs");
        let line = format!("    &{}_ladder::LADDER,\n];", name.replace('-', "_"));
        assert_eq!(listed.matches(&line).count(), 1, "{listed}");
        let tests = read(root.path(), "steps/tests/ladders.rs");
        let module = name.replace('-', "_");
        let lines = format!("\n#[path = \"../{name}/src/lib.rs\"]\npub mod {module};\n");
        assert!(tests.contains(&lines), "{tests}");
        let summary = read(root.path(), "book/src/SUMMARY.md");
        let lines = format!(
            "]({name}/index.md)\n  - [01 Naive]({name}/01-naive.md)\n\n# Past the tutorial"
        );
        assert!(summary.contains(&lines), "{summary}");
        let manifest = read(root.path(), "harness/ladders/Cargo.toml");
        assert!(
            manifest.ends_with(&format!("{name}-ladder = {{ path = \"../../steps/{name}\" }}\n")),
            "{manifest}"
        );
        let again = new::ladder(root.path(), name).expect_err("there").to_string();
        assert!(again.contains("is there already"), "{again}");
    }
}

/// The second step of `transpose`, as its ladder has it.
#[test]
fn a_new_step_has_the_form_of_one_that_is_compiled() {
    let (root, whole) = (new_workspace::copy(), workspace::root().expect("a clone"));
    let lib = "steps/transpose/src/lib.rs";
    let committed = read(&whole, lib);
    let begin = committed.find("/// Rows on both sides").expect("the second step");
    let end = begin + committed[begin..].find(";\n").expect("its end") + 2;
    let list = committed.find("&[NAIVE").expect("the list");
    let rest = committed[list..].find(']').expect("its end") + list;
    let first = format!("{}&[NAIVE{}", &committed[..list], &committed[rest..begin]);
    fs::write(root.path().join(lib), first).expect("written");
    for step in ["02-tiled.cu", "02-tiled.ptx"] {
        fs::remove_file(root.path().join("kernels/transpose").join(step)).expect("removed");
    }
    let new = new::step(root.path(), &First(transpose()), "tiled", Parent::default());
    new.expect("new").write().expect("written");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let made = read(root.path(), lib);
    let at = made.find("const TILED").expect("the new step");
    let own = words(&committed[begin..end]);
    let changes = "tiles of 32 × 32 elements in shared memory";
    assert!(own.ends_with(&words(&made[at..]).replace("nothing yet", changes)), "{own}\n{made}");
    assert!(made.contains("&[NAIVE, TILED]"), "{made}");
}

#[test]
fn a_new_step_comes_after_its_parent() {
    let root = new_workspace::copy();
    let made = |slug, from, detour| {
        new::step(root.path(), transpose(), slug, Parent { from, detour }).and_then(|files| {
            files.write().map(|()| read(root.path(), "steps/transpose/src/lib.rs"))
        })
    };
    let lib = made("diagonal", None, false).expect("the next step");
    assert!(lib.contains("LARGE_TILES, COPY, DIAGONAL]"), "{lib}");
    assert!(lib.contains("LARGE_TILES.then(\"06-diagonal\", \"Diagonal\", "), "{lib}");
    let lib = made("rotated", Some("tiled"), false).expect("a detour");
    let list = "NAIVE, TILED, SWIZZLED, ROTATED,";
    assert!(lib.split_whitespace().collect::<Vec<_>>().join(" ").contains(list), "{lib}");
    assert!(lib.contains("TILED.then(\"02x-rotated\", \"Rotated\", "), "{lib}");
    for step in ["06-diagonal", "02x-rotated"] {
        expect_current(root.path(), "transpose", step);
    }
    expect_formatted(root.path(), "steps/transpose/src/lib.rs");
    let summary = read(root.path(), "book/src/SUMMARY.md");
    let line = "02x-swizzled.md)\n  - [02x Rotated](transpose/02x-rotated.md)\n";
    assert!(summary.contains(line), "{summary}");
    let page = read(root.path(), "book/src/transpose/06-diagonal.md");
    assert!(
        page.starts_with("# 06 Diagonal\n") && page.contains("ladder diff 06-diagonal"),
        "{page}"
    );
    let refused = |slug, from| made(slug, from, false).expect_err(slug).to_string();
    assert!(refused("Diagonal", None).contains("shared-tile"));
    assert!(refused("tiled", None).contains("has a step 02-tiled"));
    assert!(refused("other", Some("swizzled")).contains("is a detour"));
    assert!(refused("other", Some("tile")).contains("did you mean"));
}

/// Steps that are crates of their own, and PTX that is not that of the kernel.
#[test]
fn what_cannot_be_copied_is_refused_with_a_remedy() {
    let root = new_workspace::copy();
    let kernel = root.path().join("kernels/transpose/05-large-tiles.cu");
    let edited = fs::read_to_string(&kernel).expect("a kernel") + "// edited\n";
    fs::write(&kernel, edited).expect("written");
    let stale = new::step(root.path(), transpose(), "other", Parent::default()).expect_err("stale");
    assert!(stale.to_string().contains("ptx --write transpose --steps 05"), "{stale}");
    let known = new::ladder(root.path(), "transpose").expect_err("a ladder").to_string();
    assert!(known.contains("has a ladder `transpose`"), "{known}");
    let whole = workspace::root().expect("a clone");
    let apart = new::step(&whole, LADDERS[0], "other", Parent::default()).expect_err("crates");
    assert!(apart.to_string().contains("add-a-ladder.md"), "{apart}");
}
