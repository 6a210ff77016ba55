//! What the book's search finds: what was written, and not the code, tables and pictures that were drawn.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use mdbook_preprocessor::book::Book;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

use crate::expand::Content;
use crate::language::Language;
use crate::unbuilt::load;
use crate::{chapters, directive};

/// Puts an index of the written words in the place of the built book's in `folder`.
///
/// # Errors
/// The pages cannot be built once more, or files cannot be read or written.
pub fn write(content: &Content, folder: &Path, language: Option<&Language>) -> Result<()> {
    let words = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut book = load(content, words.path(), language)?;
    book.config.set("output.html.print.enable", false)?;
    book.with_preprocessor(Written(content.clone()));
    if let Some(language) = language {
        book.with_preprocessor(language.apart());
    }
    book.build()?;
    fs::copy(index(words.path())?, index(folder)?).context("cannot write the search index")?;
    Ok(())
}

/// The file that the page's search reads.
fn index(folder: &Path) -> Result<PathBuf> {
    let files =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let is_index = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("searchindex"))
    };
    let found = files.filter_map(|file| Some(file.ok()?.path())).find(is_index);
    found.with_context(|| format!("{} has no search index", folder.display()))
}

/// Pages without the blocks that directives stand for.
struct Written(Content);

impl Written {
    fn page(&self, path: &Path, text: &str) -> Result<String> {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for found in directive::find(text) {
            let found = found.map_err(|(line, message)| anyhow!("line {line}: {message}"))?;
            if found.name != "ladder" {
                continue;
            }
            out.push_str(&text[from..found.range.start]);
            if found.is_inline() {
                out.push_str(&self.0.expand(path, found.arguments)?);
            }
            from = found.range.end;
        }
        Ok(out + &text[from..])
    }
}

impl Preprocessor for Written {
    fn name(&self) -> &str {
        "words"
    }

    fn run(&self, _: &PreprocessorContext, book: Book) -> Result<Book> {
        chapters::rewritten(book, |path, text| self.page(path, text))
    }
}
