//! The book before it is built.

use std::path::Path;

use anyhow::Result;
use mdbook_driver::MDBook;

use crate::expand::Content;
use crate::language::Language;

/// The book's pages, to be built into `folder`.
pub fn load(content: &Content, folder: &Path, language: Option<&Language>) -> Result<MDBook> {
    let mut book = MDBook::load(content.root().join("book"))?;
    book.config.build.build_dir = folder.to_owned();
    if let Some(language) = language {
        book.config.book.language = Some(language.name().to_owned());
    }
    Ok(book)
}
