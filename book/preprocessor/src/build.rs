//! Builds the book once its pages are whole, and follows the links of what was built.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::expand::Content;
use crate::language::{Language, Template};
use crate::mine::Mine;
use crate::problem::Problem;
use crate::unbuilt::load;
use crate::{interactive, kept, links, pages, playground, print, search, slides};

/// Builds into `book/build`, or its folder for a language; the message says where to look.
pub fn build(mine: bool, language: Option<&str>) -> Result<String> {
    let content = content(mine)?;
    let folder = content.root().join("book/build").join(language.unwrap_or_default());
    let note = write(&content, &folder, language)?;
    let note = note.map(|note| format!("\nnote: {note}")).unwrap_or_default();
    Ok(format!("built the book: open {}{note}", folder.join("index.html").display()))
}

/// Writes the texts of the book for translators; the message says where.
pub fn messages() -> Result<String> {
    let content = content(false)?;
    let file = content.root().join("target/book/messages.pot");
    kept::read(&content)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut book = load(&content, folder.path(), None)?;
    book.with_preprocessor(content).with_preprocessor(Template(file.clone()));
    book.build()?;
    Ok(format!("wrote {}", file.display()))
}

/// Builds into `book/build`, with slides of these pages.
pub fn slides(wanted: &[String], mine: bool) -> Result<String> {
    let content = content(mine)?;
    let folder = content.root().join("book/build");
    write(&content, &folder, None)?;
    let files = wanted.iter().map(|page| slides::write(&folder, page));
    let files: Vec<String> =
        files.map(|file| file.map(|file| file.display().to_string())).collect::<Result<_>>()?;
    Ok(format!("open in a browser, and print: {}", files.join(" ")))
}

/// Builds into a temporary folder, for the sake of what is found on the way.
pub fn check(mine: bool, language: Option<&str>) -> Result<String> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    write(&content(mine)?, folder.path(), language)?;
    Ok("the book is whole: directives, includes, steps, links, anchors and images".to_owned())
}

/// What the book is made of; with the reader's own runs, if that is asked for.
fn content(mine: bool) -> Result<Content> {
    let (root, ladders) = (ladder::workspace::root()?, ladders::LADDERS);
    let runs = if mine { Mine::read(&root, ladders)? } else { Mine::default() };
    Ok(Content::new(root, ladders).with(runs))
}

/// Writes the book; what a reader should know of it.
fn write(content: &Content, folder: &Path, language: Option<&str>) -> Result<Option<String>> {
    kept::read(content)?;
    let found = pages::check(content)?;
    kept::write(content)?;
    let language = language.map(|name| Language::read(content.root(), name)).transpose()?;
    let mut book = load(content, folder, language.as_ref())?;
    book.with_preprocessor(content.clone());
    if let Some(language) = &language {
        book.with_preprocessor(language.clone());
    }
    // Where a page cannot be drawn, what is wrong with all of them comes first.
    book.build().or_else(|error| refuse(&found).and(Err(error)))?;
    search::write(content, folder, language.as_ref())?;
    print::shorten(folder)?;
    let notes = [
        interactive::write(content.root(), folder)?,
        playground::write(content.root(), content.ladders(), folder)?,
        language.map(|language| language.found()),
    ];
    // Where something is missing, the rest can be read all the same.
    refuse(&found)?;
    refuse(&links::check(folder)?)?;
    Ok(notes.into_iter().flatten().next())
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
