// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws what directives stand for, from `kernels/`, the steps and `reports/`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use ladder::{Code, Ladder, Step};
use mdbook_preprocessor::book::{Book, BookItem};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

use crate::directive::{self, Directive};
use crate::sides::Sides;
use crate::{
    accuracy, against, command, compare, difference, events, host, limits, machine, patterns,
    published, report, rust, timeline, validation,
};

/// Where the generated parts of the book come from.
#[derive(Clone)]
pub struct Content {
    root: PathBuf,
    ladders: &'static [Ladder],
    /// Shared by all copies: a page is drawn once to see whether it can be, and once into the book.
    sides: Arc<Sides>,
}

impl Content {
    /// The content of the workspace at `root`.
    pub fn new(root: PathBuf, ladders: &'static [Ladder]) -> Content {
        Content { root, ladders, sides: Arc::default() }
    }

    /// The workspace's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The ladders of the book.
    pub fn ladders(&self) -> &'static [Ladder] {
        self.ladders
    }

    /// The Markdown that `directive` becomes in `page` (relative to `book/src`).
    pub fn expand(&self, page: &Path, directive: &Directive) -> Result<String> {
        match directive {
            Directive::Steps { ladder } => Ok(steps(self.ladder(ladder)?)),
            Directive::Difference { step } => self.difference(page, step),
            Directive::Host { step } => {
                let (ladder, step) = self.step(page, step)?;
                Ok(host::markdown(step, parent(ladder, step)?))
            }
            Directive::Source { step } => {
                let (ladder, step) = self.step(page, step)?;
                self.source(ladder, step)
            }
            Directive::Row { machine, step } => {
                let (ladder, step) = self.step(page, step)?;
                report::row(&self.root, machine, (ladder, step), &above(page))
            }
            Directive::Published { step } => {
                let (_, step) = self.kernel_step(page, step, "published")?;
                published::table(&self.root, step.name, &format!("{}sources.md", above(page)))
            }
            Directive::Table { machine } => report::table(&self.root, machine, &above(page)),
            Directive::Plot { machine, stem } => report::plot(&self.root, machine, stem),
            Directive::Sizes { machine, step: None } => {
                report::rates(&self.root, machine, &above(page))
            }
            Directive::Sizes { machine, step: Some(step) } => {
                report::sizes(&self.root, machine, self.step(page, step)?)
            }
            Directive::TimeSteps { machine } => {
                report::time_steps(&self.root, machine, &above(page))
            }
            Directive::Compare { measured, modelled } => {
                compare::table(&self.root, measured, modelled, &above(page))
            }
            Directive::Events { step } => self.events(page, step),
            Directive::Timeline { step } => {
                let (ladder, step) = self.kernel_step(page, step, "timeline")?;
                let steps: Vec<&Step> = parent(ladder, step)?.into_iter().chain([step]).collect();
                timeline::figure(&self.root, ladder, &steps)
            }
            Directive::Machine { ladder } => {
                let ladder = self.kernel_ladder(ladder, "machine")?;
                machine::instructions(&self.root, &self.sides, ladder, &above(page))
            }
            Directive::Registers { ladder } => {
                let ladder = self.kernel_ladder(ladder, "registers")?;
                machine::registers(&self.root, ladder, &above(page))
            }
            Directive::Kernel { file, name } => command::kernel(&self.root, file, name),
            Directive::Command { words, part } => command::html(&self.root, words, *part),
            Directive::Patterns { memory, kernels } => patterns::table(&self.root, memory, kernels),
            Directive::Limits { machine } => limits::table(&self.root, machine, &above(page)),
            Directive::Accuracy { machine } => {
                accuracy::markdown(&self.root, machine, &above(page))
            }
            Directive::Against { machine } => against::markdown(&self.root, machine, &above(page)),
            Directive::Accounting { gpu, step } => {
                let (ladder, step) = self.kernel_step(page, step, "accounting")?;
                limits::accounting(&self.root, gpu, ladder, step)
            }
            Directive::Blocks { machine } => limits::blocks(&self.root, machine),
            Directive::Tuning { machine } => limits::tuning(&self.root, machine),
            Directive::Model { part } => validation::part(&self.root, part, &above(page)),
        }
    }

    /// `text` with its directives drawn.
    fn page(&self, path: &Path, text: &str) -> Result<String> {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for found in directive::find(text) {
            let found = found.map_err(|(line, message)| anyhow!("line {line}: {message}"))?;
            if found.name != "ladder" {
                continue;
            }
            let directive =
                Directive::parse(found.arguments).map_err(|message| anyhow!(message))?;
            out.push_str(&text[from..found.range.start]);
            // Between empty lines, so that Markdown takes it as a block of its own.
            out.push('\n');
            out.push_str(&self.expand(path, &directive)?);
            out.push('\n');
            from = found.range.end;
        }
        out.push_str(&text[from..]);
        Ok(out)
    }

    fn difference(&self, page: &Path, name: &str) -> Result<String> {
        let (ladder, step) = self.step(page, name)?;
        let parent = parent(ladder, step)?.with_context(|| {
            format!("{} is the first step: it differs from nothing; show its source", step.name)
        })?;
        if std::mem::discriminant(&step.code) != std::mem::discriminant(&parent.code) {
            bail!(
                "{} is written in another language than {}: show its source",
                step.name,
                parent.name
            );
        }
        let (old_name, mut old) = self.code(ladder, parent)?;
        let (new_name, mut new) = self.code(ladder, step)?;
        if matches!(step.code, Code::Rust(_)) {
            (old, new) = (rust::without_imported(&old, &new), rust::functions(&new));
        }
        difference::html((&old_name, &old), (&new_name, &new)).with_context(|| {
            format!(
                "{} has the code of {}: it differs on the host only; use `host {name}`",
                step.name, parent.name
            )
        })
    }

    /// A step's code, whole: its kernels, or every file of its program.
    fn source(&self, ladder: &Ladder, step: &Step) -> Result<String> {
        let block = |language: &str, text: &str| format!("```{language}\n{}\n```", text.trim_end());
        let (path, text) = self.code(ladder, step)?;
        let language = match step.code {
            Code::Cuda { .. } => {
                let kernels = self.root.join("kernels").join(ladder.name);
                let included = step.source(&kernels)?.includes.into_iter().map(|include| {
                    let code = block("cpp", &include.text);
                    format!(
                        "\n\n<details>\n<summary>Included: <code>{}</code></summary>\n\n{code}\n\n</details>",
                        include.name
                    )
                });
                return Ok(block("cpp", &text) + &included.collect::<String>());
            }
            Code::C { .. } => return Ok(block("c", &text)),
            // Not with a button that would run it elsewhere.
            Code::Rust(_) => "rust,noplayground",
        };
        let mut out = block(language, &rust::program(&text));
        for (name, text) in beside(&self.root.join(path))? {
            // Writing to a String cannot fail.
            let _ = write!(out, "\n\n`{name}`:\n\n{}", block(language, &rust::program(&text)));
        }
        Ok(out)
    }

    fn events(&self, page: &Path, name: &str) -> Result<String> {
        let (ladder, step) = self.kernel_step(page, name, "events")?;
        let after = self.sides.of(&self.root, ladder, step)?;
        let Some(parent) = parent(ladder, step)? else { return Ok(events::alone(&after)) };
        let before = self.sides.of(&self.root, ladder, parent)?;
        Ok(events::markdown(&before, &after))
    }

    /// The path and text of a step's kernels, or of its function in C or Rust.
    fn code(&self, ladder: &Ladder, step: &Step) -> Result<(String, String)> {
        let path = match step.file() {
            Some(file) => format!("kernels/{}/{file}", ladder.name),
            None => format!("steps/{}/{}/src/lib.rs", ladder.name, step.name),
        };
        let text = std::fs::read_to_string(self.root.join(&path))
            .with_context(|| format!("cannot read {path}"))?;
        Ok((path, text))
    }

    /// A step with kernels: `directive` has nothing to say of others.
    fn kernel_step(
        &self,
        page: &Path,
        name: &str,
        directive: &str,
    ) -> Result<(&'static Ladder, &'static Step)> {
        let (ladder, step) = self.step(page, name)?;
        refuse_cpu(step.is_for_cpu(), &format!("{}/{}", ladder.name, step.name), directive)?;
        Ok((ladder, step))
    }

    /// A ladder of kernels: `directive` has nothing to say of others.
    fn kernel_ladder(&self, name: &str, directive: &str) -> Result<&'static Ladder> {
        let ladder = self.ladder(name)?;
        refuse_cpu(ladder.is_for_cpu(), name, directive)?;
        Ok(ladder)
    }

    fn ladder(&self, name: &str) -> Result<&'static Ladder> {
        self.ladders.iter().find(|ladder| ladder.name == name).with_context(|| {
            let names: Vec<_> = self.ladders.iter().map(|ladder| ladder.name).collect();
            format!("there is no ladder `{name}`; there are: {}", names.join(", "))
        })
    }

    /// `ladder/step`, or a step of the ladder in whose folder `page` is.
    fn step(&self, page: &Path, name: &str) -> Result<(&'static Ladder, &'static Step)> {
        let folder = page.parent().and_then(Path::to_str).unwrap_or("");
        let (ladder, name) = name.split_once('/').unwrap_or((folder, name));
        if ladder.is_empty() {
            bail!("this page is in no ladder's folder: name the step as LADDER/{name}");
        }
        let ladder = self.ladder(ladder)?;
        let step = ladder.step(name).ok_or_else(|| {
            let names: Vec<_> = ladder.steps.iter().map(|step| step.name).collect();
            anyhow!(
                "the ladder `{}` has no step `{name}`; it has: {}",
                ladder.name,
                names.join(", ")
            )
        })?;
        Ok((ladder, step))
    }
}

fn refuse_cpu(is_for_cpu: bool, name: &str, directive: &str) -> Result<()> {
    ensure!(
        !is_for_cpu,
        "{name} runs on the CPU and has no kernels: `{directive}` is about kernels; for the CPU \
         there are steps, diff, host, source, row, table, plot and sizes"
    );
    Ok(())
}

/// The other files of a program beside its `lib.rs`, by name.
fn beside(file: &Path) -> Result<Vec<(String, String)>> {
    let folder = file.parent().unwrap_or(file);
    let mut found = Vec::new();
    let cannot = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path != file && path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, text));
        }
    }
    found.sort();
    Ok(found)
}

fn parent(ladder: &Ladder, step: &Step) -> Result<Option<&'static Step>> {
    step.after
        .map(|name| {
            ladder
                .step(name)
                .with_context(|| format!("{} comes after `{name}`, which is no step", step.name))
        })
        .transpose()
}

/// From a page up to `book/src`: `../` for each folder it is in.
fn above(page: &Path) -> String {
    "../".repeat(page.components().count().saturating_sub(1))
}

/// The steps of a ladder, each with a link to its page, as seen from `<ladder>/index.md`.
fn steps(ladder: &Ladder) -> String {
    let mut out = String::from("| step | folder | after | what changes |\n|:--|:--|:--|:--|\n");
    for step in ladder.steps {
        let after =
            step.after.and_then(|name| ladder.step(name)).map_or("–", |parent| parent.title);
        let detour = if step.detour { " (detour)" } else { "" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "| [{}]({}.md){detour} | `{}` | {} | {} |",
            cell(step.title),
            step.name,
            step.name,
            cell(after),
            cell(step.changes)
        );
    }
    out
}

/// A bar would end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

impl Preprocessor for Content {
    fn name(&self) -> &str {
        "ladder"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let mut failed = Ok(());
        book.for_each_mut(|item| {
            if let BookItem::Chapter(chapter) = item
                && let Some(path) = chapter.path.clone()
            {
                match self.page(&path, &chapter.content) {
                    Ok(text) => chapter.content = text,
                    Err(error) => {
                        failed = Err(error.context(format!("book/src/{}", path.display())))
                    }
                }
            }
        });
        failed.map(|()| book)
    }
}
