//! The pages of a book, one after the other.

use std::path::Path;

use anyhow::{Context, Result};
use mdbook_preprocessor::book::{Book, BookItem};

/// The book with what `page` makes of each page's path and text.
///
/// # Errors
/// Those of `page`, with the page's name.
pub fn rewritten(mut book: Book, page: impl Fn(&Path, &str) -> Result<String>) -> Result<Book> {
    let mut done = Ok(());
    book.for_each_mut(|item| {
        if let BookItem::Chapter(chapter) = item
            && let Some(path) = chapter.path.clone()
        {
            match page(&path, &chapter.content) {
                Ok(text) => chapter.content = text,
                Err(error) => {
                    done = Err(error).with_context(|| format!("book/src/{}", path.display()));
                }
            }
        }
    });
    done.map(|()| book)
}
