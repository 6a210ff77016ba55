//! Builds the book once its pages are whole, and follows the links of what was built.

use std::path::Path;

use anyhow::{Context, Result, bail};
use mdbook_driver::MDBook;

use crate::expand::Content;
use crate::mine::Mine;
use crate::problem::Problem;
use crate::{interactive, kept, links, pages, print, search, slides};

/// Builds into `book/build`; the message says where to look.
pub fn build(mine: bool) -> Result<String> {
    let content = content(mine)?;
    let folder = content.root().join("book/build");
    let note = write(&content, &folder)?;
    let note = note.map(|note| format!("\nnote: {note}")).unwrap_or_default();
    Ok(format!("built the book: open {}{note}", folder.join("index.html").display()))
}

/// Builds into `book/build`, with slides of these pages.
pub fn slides(wanted: &[String], mine: bool) -> Result<String> {
    let content = content(mine)?;
    let folder = content.root().join("book/build");
    write(&content, &folder)?;
    let files = wanted.iter().map(|page| slides::write(&folder, page));
    let files: Vec<String> =
        files.map(|file| file.map(|file| file.display().to_string())).collect::<Result<_>>()?;
    Ok(format!("open in a browser, and print: {}", files.join(" ")))
}

/// Builds into a temporary folder, for the sake of what is found on the way.
pub fn check(mine: bool) -> Result<String> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    write(&content(mine)?, folder.path())?;
    Ok("the book is whole: directives, includes, steps, links, anchors and images".to_owned())
}

/// What the book is made of; with the reader's own runs, if that is asked for.
fn content(mine: bool) -> Result<Content> {
    let (root, ladders) = (ladder::workspace::root()?, ladders::LADDERS);
    let runs = if mine { Mine::read(&root, ladders)? } else { Mine::default() };
    Ok(Content::new(root, ladders).with(runs))
}

/// Writes the book; what a reader should know of it.
fn write(content: &Content, folder: &Path) -> Result<Option<String>> {
    kept::read(content)?;
    let found = pages::check(content)?;
    kept::write(content)?;
    let mut book = MDBook::load(content.root().join("book"))?;
    book.config.build.build_dir = folder.to_owned();
    book.with_preprocessor(content.clone());
    book.build()?;
    search::write(content, folder)?;
    print::shorten(folder)?;
    let note = interactive::write(content.root(), folder)?;
    // Where something is missing, the rest can be read all the same.
    refuse(&found)?;
    refuse(&links::check(folder)?)?;
    Ok(note)
}

/// All problems at once, one a line.
fn refuse(problems: &[Problem]) -> Result<()> {
    match problems.len() {
        0 => Ok(()),
        count => {
            let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
            bail!(
                "the book has {count} {}\n{}",
                if count == 1 { "fault:" } else { "faults:" },
                lines.join("\n")
            )
        }
    }
}
