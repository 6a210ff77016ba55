//! Draws what directives stand for, from `kernels/`, the steps and `reports/`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, anyhow, bail, ensure};
use ladder::{Code, Ladder, Step};
use launches::explain::difference::unfolded;
use mdbook_preprocessor::book::Book;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

use crate::command::Part;
use crate::directive;
use crate::html::escape;
use crate::listing;
use crate::mine::Mine;
use crate::sides::Sides;
use crate::{
    ablation, accuracy, against, chapters, command, compare, compilers, constant, counts,
    difference, events, exercises, few_bodies, figures, host, interactive, library, limits,
    machine, modelled, notes, patterns, playground, predict, published, quiz, report, rust, source,
    steps, timeline, tradeoff, unmodelled, validation, without, yardstick,
};

/// The picture that every report has.
const LADDER: &str = "ladder";

/// The ladders of a book.
pub type Ladders = &'static [&'static dyn Ladder];

/// Where the generated parts of the book come from.
#[derive(Clone)]
pub struct Content {
    root: PathBuf,
    ladders: Ladders,
    /// What simulations found; copies share it.
    sides: Arc<Sides>,
    /// The reader's own runs.
    mine: Arc<Mine>,
    /// Pages are drawn to see whether they can be, and then into the book.
    drawn: Arc<Mutex<Drawn>>,
}

/// What was drawn, by page and arguments.
pub type Drawn = HashMap<(PathBuf, String), String>;

impl Content {
    /// The content of the workspace at `root`.
    pub fn new(root: PathBuf, ladders: Ladders) -> Content {
        Content {
            root,
            ladders,
            sides: Arc::default(),
            mine: Arc::default(),
            drawn: Arc::default(),
        }
    }

    /// The same with runs of the reader's.
    pub fn with(mut self, runs: Mine) -> Content {
        self.mine = Arc::new(runs);
        self
    }

    /// What has been drawn so far, which an earlier build may have done.
    pub fn drawn(&self) -> MutexGuard<'_, Drawn> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The workspace's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The ladders of the book.
    pub fn ladders(&self) -> Ladders {
        self.ladders
    }

    /// The Markdown that `{{#ladder arguments}}` becomes in `page` (relative to `book/src`).
    pub fn expand(&self, page: &Path, arguments: &str) -> Result<String> {
        let key = (page.to_owned(), arguments.to_owned());
        if let Some(text) = self.drawn().get(&key) {
            return Ok(text.clone());
        }
        // Without the lock: pages are drawn side by side.
        let text = self.draw(page, arguments)?;
        self.drawn().insert(key, text.clone());
        Ok(text)
    }

    fn draw(&self, page: &Path, arguments: &str) -> Result<String> {
        let (root, up) = (self.root.as_path(), &*above(page));
        let words: Vec<&str> = arguments.split_whitespace().collect();
        match *words.as_slice() {
            ["exercises"] => exercises::table(root, up),
            ["mistakes"] => exercises::mistakes(),
            ["answers"] => exercises::answers(),
            ["quiz", name] => quiz::html(root, name),
            ["figure", name] => figures::html(name),
            ["interactive", part] => interactive::html(part),
            ["playground"] => playground::html(root, self.ladders),
            ["steps", ladder] => Ok(steps::table(self.ladder(ladder)?)),
            ["diff", step] => Ok(self.difference(page, step)? + &self.edit(page, step, up)?),
            ["host", step] => {
                let (ladder, step) = self.step(page, step)?;
                Ok(host::markdown(ladder, &step, parent(ladder, &step)?.as_ref()))
            }
            ["source", step] => {
                let (ladder, step) = self.step(page, step)?;
                Ok(source::whole(root, ladder, &step)? + &self.edit(page, step.name, up)?)
            }
            ["published", step] => {
                let (ladder, step) = self.kernel_step(page, step, "published")?;
                published::table(root, ladder.name(), step.name, &format!("{up}sources.md"))
            }
            ["ablation", ladder, ref machines @ ..] if !machines.is_empty() => {
                ablation::markdown(root, ladder, machines, &format!("{up}sources.md"))
            }
            ["predict", machine, step, ref size @ ..] if size.len() < 2 => {
                let (ladder, step) = self.step(page, step)?;
                let size = size.first().map(|n| n.parse()).transpose().context("no size")?;
                predict::html(root, machine, (ladder, &step), size)
            }
            ["value", machine, step, what] => {
                let (ladder, step) = self.step(page, step)?;
                predict::value(root, machine, (ladder, &step), what)
            }
            ["gpu", gpu, figure] => constant::value(gpu, figure),
            ["without", step, ..] => {
                let text = arguments.splitn(3, char::is_whitespace).nth(2).unwrap_or_default();
                let (ladder, step) = self.kernel_step(page, step, "without")?;
                without::html(root, ladder, &step, text)
            }
            ["row", machine, step] => {
                let (ladder, step) = self.step(page, step)?;
                report::row(root, machine, (ladder, &step), up)
            }
            ["table", machine] => report::table(root, machine, up),
            ["table", machine, steps] => report::some(root, machine, steps, up),
            ["plot", machine] => report::plot(root, machine, LADDER),
            ["plot", machine, picture] => report::plot(root, machine, picture),
            ["sizes", machine] => report::rates(root, machine, up),
            ["sizes", machine, step] => {
                let (ladder, step) = self.step(page, step)?;
                report::sizes(root, machine, (ladder, &step))
            }
            ["time-steps", machine] => report::wholes(root, machine, up),
            ["modelled", ladder, range, ref gpus @ ..] if !gpus.is_empty() => {
                modelled::table(root, self.kernel_ladder(ladder, "modelled")?, range, gpus, up)
            }
            ["compare", measured, modelled] => compare::table(root, measured, modelled, up),
            ["events", step] => self.events(page, step),
            ["counts", machine, step] => {
                let (ladder, step) = self.step(page, step)?;
                counts::markdown(root, machine, (ladder, &step))
            }
            ["timeline", step] => {
                let (ladder, step) = self.kernel_step(page, step, "timeline")?;
                let steps: Vec<Step> = parent(ladder, &step)?.into_iter().chain([step]).collect();
                timeline::figure(root, ladder, &steps)
            }
            ["machine", ladder] => {
                let ladder = self.kernel_ladder(ladder, "machine")?;
                machine::instructions(root, &self.sides, ladder, up)
            }
            ["registers", ladder] => {
                machine::registers(root, self.kernel_ladder(ladder, "registers")?, up)
            }
            ["kernel", file, name] => command::kernel(root, file, name),
            ["harness", _, ..] => command::html(root, &words[1..].join(" "), Part::Whole),
            ["lines", _, ..] => {
                command::html(root, &format!("events {}", words[1..].join(" ")), Part::Lines)
            }
            ["hazards", _, ..] => {
                command::html(root, &format!("events {}", words[1..].join(" ")), Part::Hazards)
            }
            ["patterns", memory, ref kernels @ ..] if !kernels.is_empty() => {
                patterns::table(root, memory, kernels)
            }
            ["few-bodies"] => few_bodies::table(root),
            ["times", machine] => published::times(root, machine, up),
            ["residency", machine] => limits::residency(root, machine),
            ["limits", machine] => limits::table(root, machine, up),
            ["accuracy", machine] => accuracy::markdown(root, machine, up),
            ["tradeoff", folder, ref others @ ..] => tradeoff::tradeoff(root, folder, others, up),
            ["crossing", ref machines @ ..] if machines.len() > 1 => {
                tradeoff::crossing(root, machines)
            }
            ["against", machine] => against::markdown(root, machine, up),
            ["accounting", gpu, step] => {
                let (ladder, step) = self.kernel_step(page, step, "accounting")?;
                limits::accounting(root, gpu, ladder, &step)
            }
            ["blocks", machine] => limits::blocks(root, machine),
            ["tuning", machine] => limits::tuning(root, machine),
            ["library", ladder] => library::table(root, ladder),
            ["yardstick"] => yardstick::tables(root),
            ["model", "profiled", step] => validation::profiled(root, step),
            ["compilers", part] => compilers::part(root, part, up),
            ["model", "unmodelled"] => Ok(unmodelled::table(up)),
            ["model", part] => validation::part(root, part, up),
            _ => bail!(
                "unknown directive `{{{{#ladder {arguments}}}}}`; there are:{}",
                directive::listing()
            ),
        }
    }

    /// `text` with its directives drawn.
    fn page(&self, path: &Path, text: &str) -> Result<String> {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        let mut mine = self.mine.of_page(path, &above(path));
        for found in directive::find(text) {
            let found = found.map_err(|(line, message)| anyhow!("line {line}: {message}"))?;
            if found.name != "ladder" {
                continue;
            }
            out.push_str(&text[from..found.range.start]);
            // Between empty lines, so that Markdown takes it as a block of its own; or within a sentence.
            let end = if found.is_inline() { "" } else { "\n" };
            out.push_str(end);
            // The check of the pages has said why.
            let drawn = self.expand(path, found.arguments);
            out.push_str(&drawn.unwrap_or_else(|error| gap(found.arguments, &error)));
            out.push_str(end);
            // Below the first figures of the same kind.
            if found.arguments.starts_with("row ") || found.arguments.starts_with("table ") {
                out.push_str(&mine.take().unwrap_or_default());
            }
            from = found.range.end;
        }
        out.push_str(&text[from..]);
        out.push_str(&mine.unwrap_or_default());
        out.push_str(&self.code_of(path, text.contains("{{#ladder source "))?);
        Ok(out)
    }

    /// The folded parts at the end of a step's page: its code, unless the page shows it, and its machine code.
    fn code_of(&self, page: &Path, is_shown: bool) -> Result<String> {
        let stem = page.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let folder = page.parent().and_then(Path::to_str).unwrap_or_default();
        let ladder = self.ladders.iter().find(|ladder| ladder.name() == folder);
        let step = ladder.and_then(|ladder| Some((*ladder, ladder.step(stem)?)));
        let Some((ladder, step)) = step else { return Ok(String::new()) };
        let whole = if is_shown { None } else { Some(source::folded(&self.root, ladder, &step)?) };
        let machine = listing::folded(&self.root, ladder, &step, &above(page))?;
        Ok(whole.into_iter().chain(machine).collect())
    }

    /// On a step's own page, a link to where its kernel is edited and run.
    fn edit(&self, page: &Path, name: &str, up: &str) -> Result<String> {
        let (ladder, step) = self.step(page, name)?;
        let is_own = page == Path::new(ladder.name()).join(format!("{}.md", step.name));
        if !is_own || !playground::has_step(&step) {
            return Ok(String::new());
        }
        let address =
            playground::address(up, "kernel", &format!("{}/{}", ladder.name(), step.name));
        Ok(format!("\n\n[Edit and run this kernel in the browser]({address})\n"))
    }

    fn difference(&self, page: &Path, name: &str) -> Result<String> {
        let (ladder, step) = self.step(page, name)?;
        let parent = parent(ladder, &step)?.with_context(|| {
            format!("{} is the first step: it differs from nothing; show its source", step.name)
        })?;
        if std::mem::discriminant(&step.code) != std::mem::discriminant(&parent.code) {
            bail!(
                "{} is written in another language than {}: show its source",
                step.name,
                parent.name
            );
        }
        let (old_name, mut old) = source::code(&self.root, ladder, &parent)?;
        let (new_name, mut new) = source::code(&self.root, ladder, &step)?;
        if matches!(step.code, Code::Rust) {
            (old, new) = (rust::without_imported(&old, &new), rust::functions(&new));
        }
        let mut is_whole = !matches!(step.code, Code::Rust);
        if matches!(step.code, Code::Cuda { .. }) {
            let kernels = self.root.join("kernels").join(ladder.name());
            let (before, after) = (parent.source(&kernels)?, step.source(&kernels)?);
            let texts = unfolded(&before, &after).zip(unfolded(&after, &before));
            let (before, after) = texts.context("they have sources")?;
            is_whole = after == new;
            (old, new) = (before, after);
        }
        let notes = notes::of(&self.root, ladder.name(), step.name)?;
        difference::html((&old_name, &old), (&new_name, &new), is_whole, &notes)?.with_context(
            || {
                format!(
                    "{} has the code of {}: it differs on the host only; use `host {name}`",
                    step.name, parent.name
                )
            },
        )
    }

    fn events(&self, page: &Path, name: &str) -> Result<String> {
        let (ladder, step) = self.kernel_step(page, name, "events")?;
        let after = self.sides.of(&self.root, ladder, &step)?;
        let Some(parent) = parent(ladder, &step)? else { return Ok(events::alone(&after)) };
        let before = self.sides.of(&self.root, ladder, &parent)?;
        events::compared(&self.root, ladder, (&parent, &before), (&step, &after))
    }

    /// A step with kernels: `directive` has nothing to say of others.
    fn kernel_step(
        &self,
        page: &Path,
        name: &str,
        directive: &str,
    ) -> Result<(&'static dyn Ladder, Step)> {
        let (ladder, step) = self.step(page, name)?;
        refuse_cpu(step.is_for_cpu(), &format!("{}/{}", ladder.name(), step.name), directive)?;
        Ok((ladder, step))
    }

    /// A ladder of kernels: `directive` has nothing to say of others.
    fn kernel_ladder(&self, name: &str, directive: &str) -> Result<&'static dyn Ladder> {
        let ladder = self.ladder(name)?;
        refuse_cpu(ladder.is_for_cpu(), name, directive)?;
        Ok(ladder)
    }

    fn ladder(&self, name: &str) -> Result<&'static dyn Ladder> {
        self.ladders.iter().find(|ladder| ladder.name() == name).copied().with_context(|| {
            let names: Vec<_> = self.ladders.iter().map(|ladder| ladder.name()).collect();
            format!("there is no ladder `{name}`; there are: {}", names.join(", "))
        })
    }

    /// `ladder/step`, or a step of the ladder in whose folder `page` is.
    fn step(&self, page: &Path, name: &str) -> Result<(&'static dyn Ladder, Step)> {
        let folder = page.parent().and_then(Path::to_str).unwrap_or("");
        let (ladder, name) = name.split_once('/').unwrap_or((folder, name));
        if ladder.is_empty() {
            bail!("this page is in no ladder's folder: name the step as LADDER/{name}");
        }
        let ladder = self.ladder(ladder)?;
        let step = ladder.step(name).ok_or_else(|| {
            let names: Vec<_> = ladder.steps().iter().map(|step| step.name).collect();
            anyhow!(
                "the ladder `{}` has no step `{name}`; it has: {}",
                ladder.name(),
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

fn parent(ladder: &dyn Ladder, step: &Step) -> Result<Option<Step>> {
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

/// What stands in the place of something that cannot be drawn.
fn gap(arguments: &str, error: &anyhow::Error) -> String {
    let why = escape(&format!("{error:#}"));
    format!("<p class=\"missing\">Missing here: <code>{}</code>. {why}</p>", escape(arguments))
}

impl Preprocessor for Content {
    fn name(&self) -> &str {
        "ladder"
    }

    fn run(&self, _: &PreprocessorContext, book: Book) -> Result<Book> {
        chapters::rewritten(book, |path, text| self.page(path, text))
    }
}
