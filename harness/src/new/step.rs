//! A new step of a ladder whose steps are constants of one crate.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use device::Source;
use ladder::{Ladder, Step};
use report::split;
use toolchain::ptx;
use ui::Usage;

use super::files::Files;
use super::ladder::PAGE;
use super::names::{check_slug, constant, title};
use super::text::after_last;

/// What a step is derived from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Parent<'a> {
    /// The step, by any of its names; none means the last one that is no detour.
    pub from: Option<&'a str>,
    /// Whether the new step is a detour. One from an earlier step always is.
    pub detour: bool,
}

/// The files of a step `slug`, and the lines that name it.
///
/// # Errors
/// The name cannot be a step's, or is there already; the steps of the ladder are no constants of one crate; the parent is
/// a detour, or its PTX was made before its kernel was edited.
pub fn step(root: &Path, ladder: &dyn Ladder, slug: &str, parent: Parent<'_>) -> Result<Files> {
    let mut files = Files::new(root)?;
    let new = New::of(ladder, slug, parent)?;
    let (of, name) = (ladder.name(), &new.name);
    let lib = format!("steps/{of}/src/lib.rs");
    if !root.join(&lib).is_file() || root.join(format!("steps/{of}/{}", new.parent.name)).is_dir() {
        let said = format!(
            "each step of the ladder {of} is a crate of its own; copy steps/{of}/{} and name the copy as \
             book/src/add-a-ladder.md says",
            new.parent.name
        );
        return Err(Usage(said).into());
    }
    for (file, text) in new.kernel(&root.join("kernels").join(of))? {
        files.create(&format!("kernels/{of}/{file}"), text)?;
    }
    files.edit(&lib, |text| Some(formatted(root, new.among_steps(text)?)))?;
    files.create(&format!("book/src/{of}/{name}.md"), new.page(of))?;
    files.edit("book/src/SUMMARY.md", |text| {
        let page = format!("({of}/{}.md)", new.before.name);
        let indent = text.lines().find(|line| line.contains(&page))?;
        let indent = &indent[..indent.len() - indent.trim_start().len()];
        let line = format!("{indent}- [{}]({of}/{name}.md)", new.heading());
        after_last(text, &line, |it| it.contains(&page))
    })?;
    Ok(files)
}

/// A step that is to be among the steps of a ladder.
struct New {
    name: String,
    parent: Step,
    /// The step that a reader meets before it.
    before: Step,
}

/// The kernel of the parent below a header that asks for what is new. It has as many lines, so that the code has the same
/// line numbers, and the same PTX.
fn with_header(text: &str, parent: &str) -> String {
    let is_header = |line: &&str| line.starts_with("//");
    let count = text.lines().take_while(is_header).count();
    let asked = [
        format!("// Changed: nothing yet: this is the code of {parent}. Say what you change."),
        "// Why:     say why that should be faster.".to_owned(),
        "// Expect:  say how much faster, before you run it.".to_owned(),
    ];
    // Below the licence; a header that is wrapped has more lines.
    let mut asked = asked.into_iter().chain(std::iter::repeat("//".to_owned()));
    let header = text.lines().take(count).enumerate();
    let header = header.map(|(at, line)| match at {
        0 => line.to_owned(),
        _ => asked.next().unwrap_or_default(),
    });
    let lines = header.chain(text.lines().skip(count).map(str::to_owned));
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

impl New {
    /// Its number and its place.
    ///
    /// # Errors
    /// The name cannot be a step's, or is there already; or the parent is a detour.
    fn of(ladder: &dyn Ladder, slug: &str, parent: Parent<'_>) -> Result<New> {
        check_slug(slug)?;
        let all = ladder.steps();
        if let Some(same) = all.iter().find(|step| split(step.name).1 == slug) {
            let (of, same) = (ladder.name(), same.name);
            let said = format!("the ladder {of} has a step {same}; choose another name");
            return Err(Usage(said).into());
        }
        let last = all.iter().rfind(|step| !step.detour).context("a ladder has a first step")?;
        let from = parent.from.map_or(Ok(*last), |name| ladders::step(ladder, name))?;
        if from.detour {
            let from = from.name;
            let said =
                format!("{from} is a detour, and no step stands on one; name another with --from");
            return Err(Usage(said).into());
        }
        let is_detour = parent.detour || from.name != last.name;
        let number = split(from.name).0;
        let next = || number.parse::<u32>().context("a step begins with its number");
        let number = if is_detour { format!("{number}x") } else { format!("{:02}", 1 + next()?) };
        let is_before = |step: &&Step| {
            !is_detour || step.name == from.name || step.detour && step.after == Some(from.name)
        };
        let before = *all.iter().rfind(is_before).context("a parent is among the steps")?;
        Ok(New { name: format!("{number}-{slug}"), parent: from, before })
    }

    fn slug(&self) -> &str {
        split(&self.name).1
    }

    /// "06 Shared tile".
    fn heading(&self) -> String {
        format!("{} {}", split(&self.name).0, title(self.slug()))
    }

    /// The kernel of its parent and its PTX, under its own name: file names and texts.
    ///
    /// # Errors
    /// They cannot be read; or the PTX was not made from the kernel as it is now.
    fn kernel(&self, folder: &Path) -> Result<Vec<(String, String)>> {
        let (from, name) = (self.parent.name, &self.name);
        let original = self.parent.source(folder)?;
        let of = folder.file_name().unwrap_or_default().display();
        let cuda = with_header(original.cuda.as_deref().unwrap_or_default(), from);
        let copy = Source {
            cuda: Some(cuda.clone()),
            cuda_name: format!("/kernels/{of}/{name}.cu"),
            ..original.clone()
        };
        let number = split(from).0;
        let make =
            format!("make it first: cargo run -p maintain -- ptx --write {of} --steps {number}");
        ensure!(!original.ptx.is_empty(), "{from} has no PTX yet; {make}");
        let mut files = vec![(format!("{name}.cu"), cuda)];
        for ptx in &original.ptx {
            let made = ptx::of_copy(&original, &ptx.text, &copy);
            let made = made.map_err(|why| anyhow!("{} {why}; {make}", ptx.file))?;
            files.push((ptx.file.replacen(from, name, 1), made));
        }
        Ok(files)
    }

    /// Its page.
    fn page(&self, ladder: &str) -> String {
        let page = PAGE.replace("\r\n", "\n").replace("01-naive", &self.name);
        let page = page.replace("steps naive", &format!("steps {}", self.slug()));
        page.replace("01 Naive", &self.heading()).replace("example", ladder)
    }

    /// The source of the crate with the step: a constant after that of the step before it, and its name in the list.
    fn among_steps(&self, text: &str) -> Option<String> {
        let own = constant(self.slug());
        if text.contains(&format!(" {own}:")) {
            return None;
        }
        let (parent, before) = (constant_of(text, &self.parent)?, constant_of(text, &self.before)?);
        // In the list `&[FIRST, SECOND]` of the ladder.
        let list = text.find("Steps::of(")?;
        let list = list + text[list..].find("&[")?;
        let end = list + text[list..].find(']')?;
        let names = text[list + 2..end].split(',').map(str::trim).filter(|name| !name.is_empty());
        let names = names.flat_map(|name| match name == before {
            true => vec![name.to_owned(), own.clone()],
            false => vec![name.to_owned()],
        });
        let names = names.collect::<Vec<_>>().join(", ");
        let constant = self.constant(&own, parent);
        let text = format!("{}{names}{}", &text[..list + 2], &text[end..]);
        let begin = text.find(&format!("const {before}:"))?;
        let end = begin + text[begin..].find(";\n")? + 2;
        Some(format!("{}\n{constant}{}", &text[..end], &text[end..]))
    }

    fn constant(&self, own: &str, parent: &str) -> String {
        let (name, title) = (&self.name, title(self.slug()));
        format!("const {own}: Step = {parent}.then(\"{name}\", \"{title}\", \"nothing yet\");\n")
    }
}

/// The constant of a step in the source of its crate: the first whose value has the step's name in it.
fn constant_of<'t>(text: &'t str, step: &Step) -> Option<&'t str> {
    let name = format!("\"{}\",", step.name);
    text.match_indices(&name).find_map(|(at, _)| {
        let begin = text[..at].rfind("\nconst ")? + "\nconst ".len();
        let (constant, rest) = text[begin..at].split_once(':')?;
        rest.starts_with(" Step =").then_some(constant)
    })
}

/// The source as `cargo fmt` would have it, where rustfmt is found.
fn formatted(root: &Path, text: String) -> String {
    let format = || -> Option<String> {
        let mut command = Command::new("rustfmt");
        command.args(["--edition", "2024", "--quiet", "--config-path"]).arg(root);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = child.spawn().ok()?;
        let written = child.stdin.take()?.write_all(text.as_bytes());
        let output = child.wait_with_output().ok()?;
        written.ok().filter(|()| output.status.success())?;
        String::from_utf8(output.stdout).ok()
    };
    format().unwrap_or(text)
}
