//! Checks the pages as they are written: every directive, and that pages and steps match.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ladder::Ladder;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use teaching::learn::exercise::Exercise;

use crate::directive::{self, Occurrence};
use crate::expand::Content;
use crate::form;
use crate::header;
use crate::includes;
use crate::measured;
use crate::problem::Problem;
use crate::prose;

/// The ladder whose pages are lessons, each whole by itself ([`form::faults`]), with no number of any kind typed
/// ([`prose::numbers`]).
const LESSONS: &str = "nbody";

/// Steps that begin another subject than their parent's, to which their speed says nothing.
const OTHER_SUBJECTS: [&str; 4] = [
    "arithmetic/04-unsigned-counter.md",
    "arithmetic/06-power.md",
    "arithmetic/08-floats.md",
    "resample/08-wavelet.md",
];

/// Words that `harness new` writes into pages, for their author to replace.
const UNWRITTEN: [&str; 5] =
    ["Say here", "say here", "Explain here", "would you ask a reader", "would you ask before?"];

/// What keeps the pages below `book/src` from being whole.
pub fn check(content: &Content) -> Result<Vec<Problem>> {
    let source = content.root().join("book/src");
    let mut pages = Vec::new();
    list(&source, Path::new(""), &mut pages)?;
    pages.sort();
    // Threads of their own: pages wait for each other's simulations, and these use rayon's threads.
    let threads = ThreadPoolBuilder::new().build().context("cannot start threads")?;
    let found = || pages.par_iter().map(|page| directives(content, &source, page)).collect();
    let found: Result<Vec<_>> = threads.install(found);
    let mut problems: Vec<Problem> = found?.into_iter().flatten().collect();
    let summary = std::fs::read_to_string(source.join("SUMMARY.md"))
        .context("cannot read book/src/SUMMARY.md")?;
    problems.extend(unlisted(&pages, &summary));
    for ladder in content.ladders() {
        problems.extend(unmatched(*ladder, &pages));
    }
    Ok(problems)
}

/// What is wrong with the directives of a page.
fn directives(content: &Content, source: &Path, page: &Path) -> Result<Vec<Problem>> {
    let path = source.join(page);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let mut problems = Vec::new();
    for found in directive::find(&text) {
        let (line, said) = match found {
            Ok(found) => (found.line, resolve(content, &path, page, &found)),
            Err((line, message)) => (line, Err(message)),
        };
        if let Err(message) = said {
            problems.push(Problem::at(&shown(page), line, message));
        }
    }
    let is_unwritten = |line: &str| UNWRITTEN.iter().any(|words| line.contains(words));
    let unwritten = (1..).zip(text.lines()).filter(|(_, line)| is_unwritten(line));
    problems.extend(unwritten.map(|(line, _)| {
        Problem::at(&shown(page), line, "is as `harness new` wrote it".to_owned())
    }));
    let is_of_step = is_of_step(content, page);
    if is_of_step {
        problems.extend(prose::length(&text).map(|said| Problem::with(&shown(page), said)));
        let unasked = unasked(content, page, &text);
        problems.extend(unasked.map(|(line, said)| Problem::at(&shown(page), line, said)));
    }
    if page != Path::new("SUMMARY.md") {
        let said = header::fault(&text, is_of_step);
        problems.extend(said.map(|said| Problem::with(&shown(page), said)));
    }
    let is_lesson = page.parent() == Some(Path::new(LESSONS));
    if is_index(content, page) && !is_lesson {
        problems.extend(form::unsaid(&text).map(|said| Problem::with(&shown(page), said)));
    }
    if is_of_step {
        let found = form::faults(&text, is_lesson);
        problems
            .extend(found.into_iter().map(|(line, said)| Problem::at(&shown(page), line, said)));
    }
    if is_of_step && is_lesson {
        let found = prose::numbers(page, &text, Exercise::all()?.len());
        problems
            .extend(found.into_iter().map(|(line, said)| Problem::at(&shown(page), line, said)));
    }
    let found = match page == Path::new("SUMMARY.md") {
        true => Vec::new(),
        false => measured::numbers(&slashed(page), &text),
    };
    problems.extend(found.into_iter().map(|(line, said)| Problem::at(&shown(page), line, said)));
    Ok(problems)
}

/// The line of the first result on a step's page that a reader could have predicted, and was not asked to.
fn unasked(content: &Content, page: &Path, text: &str) -> Option<(usize, String)> {
    let mut found = directive::find(text).into_iter().flatten().filter(|it| it.name == "ladder");
    let told = found.find_map(|it| {
        let (directive, of) = it.arguments.split_once(' ')?;
        match directive {
            "predict" => Some(None),
            "row" => {
                let question = format!("predict {of}");
                content.expand(page, &question).is_ok().then_some(Some((it.line, question)))
            }
            _ => None,
        }
    });
    let (line, question) = told??;
    let is_other = OTHER_SUBJECTS.iter().any(|other| page == Path::new(other));
    (!is_other).then(|| {
        (line, format!("shows what can be predicted: ask before it, `{{{{#ladder {question}}}}}`"))
    })
}

/// Whether a page is that of a step.
fn is_of_step(content: &Content, page: &Path) -> bool {
    let stem = page.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let mut ladders = content.ladders().iter();
    let own = ladders.find(|ladder| page.parent() == Some(Path::new(ladder.name())));
    own.is_some_and(|ladder| ladder.step(stem).is_some())
}

/// Whether a page is the first of a ladder.
fn is_index(content: &Content, page: &Path) -> bool {
    content.ladders().iter().any(|ladder| page == Path::new(ladder.name()).join("index.md"))
}

/// Draws a directive to see whether it can be drawn.
fn resolve(
    content: &Content,
    path: &Path,
    page: &Path,
    found: &Occurrence<'_>,
) -> Result<(), String> {
    if found.name == "ladder" {
        if !found.alone && !found.is_inline() {
            return Err(
                "a `{{#ladder …}}` stands alone on its line, unless it is a `value` or `gpu`"
                    .to_owned(),
            );
        }
        let drawn = content.expand(page, found.arguments);
        return drawn.map(drop).map_err(|error| format!("{error:#}"));
    }
    let folder = path.parent().unwrap_or(path);
    includes::check(folder, found)
        .unwrap_or_else(|| Err(format!("unknown directive `#{}`", found.name)))
}

fn list(source: &Path, folder: &Path, pages: &mut Vec<PathBuf>) -> Result<()> {
    let absolute = source.join(folder);
    let entries = std::fs::read_dir(&absolute)
        .with_context(|| format!("cannot list {}", absolute.display()))?;
    for entry in entries {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            list(source, &path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// Pages that the table of contents does not lead to.
fn unlisted(pages: &[PathBuf], summary: &str) -> Vec<Problem> {
    let pages = pages.iter().filter(|page| *page != Path::new("SUMMARY.md"));
    let missing = pages.filter(|page| !summary.contains(&format!("({})", slashed(page))));
    missing
        .map(|page| Problem::with(&shown(page), "is not listed in book/src/SUMMARY.md"))
        .collect()
}

/// Steps without a page, and pages that look like a step's and have none.
fn unmatched(ladder: &dyn Ladder, pages: &[PathBuf]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let own: Vec<&str> = pages
        .iter()
        .filter(|page| page.parent() == Some(Path::new(ladder.name())))
        .filter_map(|page| page.file_stem()?.to_str())
        .collect();
    for step in ladder.steps().iter().filter(|step| !own.contains(&step.name)) {
        let page = format!("book/src/{}/{}.md", ladder.name(), step.name);
        problems.push(Problem::with(&page, "is missing: every step has a page"));
    }
    for stem in own.iter().filter(|stem| stem.starts_with(|c: char| c.is_ascii_digit())) {
        if ladder.step(stem).is_none() {
            let page = format!("book/src/{}/{stem}.md", ladder.name());
            problems.push(Problem::with(
                &page,
                format!("is the page of no step: `{}` has no `{stem}`", ladder.name()),
            ));
        }
    }
    problems
}

fn shown(page: &Path) -> String {
    format!("book/src/{}", slashed(page))
}

fn slashed(page: &Path) -> String {
    page.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladder::problem::ProblemOption;
    use ladder::{Code, OpenProblem, OptionError, Step};
    use report::{Figure, Request};

    /// A ladder of these steps, and of nothing else.
    struct Bare(&'static str, &'static [Step]);

    impl Ladder for Bare {
        fn name(&self) -> &'static str {
            self.0
        }
        fn figure(&self) -> Figure {
            ladders::LADDERS[0].figure()
        }
        fn steps(&self) -> Vec<Step> {
            self.1.to_vec()
        }
        fn on_the_host(&self, step: &Step) -> Vec<(&'static str, String)> {
            vec![("name", step.name.to_owned())]
        }
        fn options(&self) -> &'static [ProblemOption] {
            &[]
        }
        fn open(&self, _: &Request) -> Result<Box<dyn OpenProblem>, OptionError> {
            Err(OptionError::file("nothing runs here"))
        }
    }

    const FIRST: Step = Step::first("01-a", "A", "", 256, ());
    const NEXT: Step = Step {
        name: "02-b",
        after: Some("01-a"),
        code: Code::Cuda { file: "02-b", options: &[] },
        ..FIRST
    };
    /// A step that changes only the host's side.
    const LAST: Step = Step { name: "03-c", after: Some("02-b"), ..NEXT };
    /// Steps on the CPU, of which the second differs only in what it says of itself, and one in C.
    const ON_CPU: Step = Step { code: Code::Rust, ..FIRST };
    const SAME: Step = Step { name: "02-s", after: Some("01-a"), ..ON_CPU };
    const IN_C: Step = Step {
        name: "03-c",
        after: Some("02-s"),
        code: Code::C { file: "03-c", options: &["-O3"] },
        ..ON_CPU
    };
    const LADDERS: &[&dyn Ladder] =
        &[&Bare("nbody", &[FIRST, NEXT, LAST]), &Bare("cpu", &[ON_CPU, SAME, IN_C])];

    /// The faults of a whole book in which one file has another text (or none).
    fn faults(changed: &str, text: Option<&str>) -> Vec<String> {
        let root = tempfile::tempdir().expect("a temporary folder");
        let files = [
            ("kernels/nbody/01-a.cu", "int a;\n"),
            ("kernels/nbody/02-b.cu", "int b;\n"),
            ("kernels/cpu/03-c.c", "int c;\n"),
            ("steps/cpu/01-a/src/lib.rs", "use x;\nfn a() {}\n"),
            ("steps/cpu/02-s/src/lib.rs", "use x;\nuse y;\nfn a() {}\n"),
            (
                "book/src/SUMMARY.md",
                "(nbody/01-a.md) (nbody/02-b.md) (nbody/03-c.md) (cpu/01-a.md) (cpu/02-s.md) (cpu/03-c.md)",
            ),
            ("book/src/nbody/01-a.md", "{{#ladder source 01-a}}\n"),
            ("book/src/nbody/02-b.md", "{{#ladder diff 02-b}}\n\n{{#include 03-c.md}}\n"),
            ("book/src/nbody/03-c.md", "{{#ladder host 03-c}}\n{{#ladder diff nbody/02-b}}\n"),
            ("book/src/cpu/01-a.md", "{{#ladder source 01-a}}\n"),
            ("book/src/cpu/02-s.md", "{{#ladder host 02-s}}\n"),
            ("book/src/cpu/03-c.md", "{{#ladder source 03-c}}\n"),
        ];
        for (path, whole) in files
            .into_iter()
            .filter(|(path, _)| *path != changed)
            .chain(text.map(|text| (changed, text)))
        {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, whole).expect("a file");
        }
        let content = Content::new(root.path().to_owned(), LADDERS);
        let found = check(&content).expect("pages that can be read");
        // These pages have neither sections nor headers: the tests of `form` and `header` are about those.
        let is_of_others =
            |fault: &String| fault.contains("has no section") || fault.contains("has no header");
        found.iter().map(Problem::to_string).filter(|fault| !is_of_others(fault)).collect()
    }

    #[test]
    fn a_whole_book_has_no_faults() {
        assert_eq!(faults("", None), Vec::<String>::new());
    }

    #[test]
    fn every_step_has_one_name() {
        let pages = ladder::workspace::root().expect("the workspace").join("book/src");
        let summary = std::fs::read_to_string(pages.join("SUMMARY.md")).expect("the contents");
        for ladder in ladders::LADDERS {
            for step in ladder.steps() {
                let number = step.name.split('-').next().unwrap_or_default();
                let (name, page) = (
                    format!("{number} {}", step.title),
                    format!("{}/{}.md", ladder.name(), step.name),
                );
                let text = std::fs::read_to_string(pages.join(&page)).expect("every step's page");
                assert_eq!(text.lines().next(), Some(&*format!("# {name}")), "{page}");
                assert!(summary.contains(&format!("[{name}]({page})")), "SUMMARY.md, {page}");
            }
        }
    }

    #[test]
    fn results_are_asked_for_before_they_are_told() {
        let root = ladder::workspace::root().expect("the workspace");
        let content = Content::new(root.clone(), ladders::LADDERS);
        let found = |page: &str, text: &str| unasked(&content, Path::new(page), text);
        let page = "access/02-stride-16.md";
        let (row, question) = (
            "{{#ladder row h200/access 02-stride-16}}",
            "{{#ladder predict h200/access 02-stride-16}}",
        );
        let (line, said) = found(page, &format!("x\n{row}\n{question}\n")).expect("a fault");
        assert!(line == 2 && said.ends_with(&format!("`{question}`")), "{line}: {said}");
        assert_eq!(found(page, &format!("{question}\n{row}\n")), None);
        let first = "{{#ladder row h200/access 01-stride-32}}";
        assert_eq!(found("access/01-stride-32.md", first), None, "there is nothing before it");
        for other in OTHER_SUBJECTS {
            let text = std::fs::read_to_string(root.join("book/src").join(other)).expect(other);
            assert!(!text.contains("{{#ladder predict"), "{other}");
            assert_eq!(found(other, &text), None);
        }
    }

    #[test]
    fn every_fault_is_said_with_page_and_line() {
        let a = "book/src/nbody/01-a.md";
        let cases = [
            (a, "x\n{{#ladder dif 01-a}}", "01-a.md:2: unknown directive"),
            (a, "{{#ladder diff 01-a 02-b}}", "there are:\n  steps LADDER: "),
            (a, "{{#ladder patterns global}}", "unknown directive"),
            (a, "{{#ladder lines}}", "unknown directive"),
            (a, "{{#laddr diff 01-a}}", "01-a.md:1: unknown directive `#laddr`"),
            (a, "{{#ladder diff 02-b", "01-a.md:1: a directive is opened"),
            (a, "see {{#ladder diff 02-b}}", "01-a.md:1: a `{{#ladder …}}` stands alone"),
            (a, "{{#ladder source 04-d}}", "has no step `04-d`"),
            (a, "{{#ladder source gpu/01-a}}", "no ladder `gpu`"),
            (a, "{{#ladder diff 01-a}}", "the first step"),
            (a, "{{#ladder diff 03-c}}", "differs on the host only"),
            (a, "{{#ladder row h200 01-a}}", "h200"),
            (a, "{{#ladder published 01-a}}", "reports/published/nbody.csv"),
            (a, "{{#include gone.cu}}", "`gone.cu`, which cannot be read"),
            (a, "{{#include ../../../kernels/nbody/01-a.cu:sum}}", "ANCHOR: sum"),
            ("book/src/nbody/09-z.md", "", "09-z.md: is the page of no step"),
            ("book/src/stray.md", "", "stray.md: is not listed"),
        ];
        for (page, text, said) in cases {
            let found = faults(page, Some(text));
            assert!(found.iter().any(|fault| fault.contains(said)), "{text}: {found:?}");
        }
        let page = "book/src/cpu/02-s.md";
        for (text, said) in [
            ("{{#ladder diff 02-s}}", "differs on the host only"),
            ("{{#ladder diff 03-c}}", "03-c is written in another language than 02-s"),
            ("{{#ladder events 01-a}}", "cpu/01-a runs on the CPU and has no kernels: `events`"),
            ("{{#ladder timeline 01-a}}", "`timeline` is about kernels"),
            ("{{#ladder accounting h200 01-a}}", "`accounting` is about kernels"),
            ("{{#ladder published 01-a}}", "`published` is about kernels"),
            ("{{#ladder machine cpu}}", "cpu runs on the CPU and has no kernels: `machine`"),
            ("{{#ladder registers cpu}}", "`registers` is about kernels"),
        ] {
            let found = faults(page, Some(text));
            assert!(found.len() == 1 && found[0].contains(said), "{text}: {found:?}");
        }
        let found = faults(a, None);
        assert_eq!(found, ["book/src/nbody/01-a.md: is missing: every step has a page"]);
        let found = faults("kernels/nbody/02-b.cu", None);
        assert_eq!(found.len(), 2, "both pages that show it: {found:?}");
    }
}
