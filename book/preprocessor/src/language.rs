//! The book in another language: texts and their translations are in `book/po/LANGUAGE.po`, as gettext has them. What has no
//! translation stays as it is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail, ensure};
use mdbook_i18n_helpers::extract_messages;
use mdbook_i18n_helpers::gettext::{add_stripped_summary_translations, translate_book};
use mdbook_preprocessor::book::{Book, BookItem};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use polib::catalog::Catalog;
use polib::message::Message;
use polib::metadata::CatalogMetadata;
use polib::po_file;

/// What the first message of a catalog says of it.
const HEADERS: [&str; 9] = [
    "Content-Transfer-Encoding",
    "Content-Type",
    "Language",
    "Language-Team",
    "MIME-Version",
    "PO-Revision-Date",
    "POT-Creation-Date",
    "Plural-Forms",
    "Project-Id-Version",
];

/// A language and its translations, which are put in place after the generated parts are drawn: these are translated too.
#[derive(Clone)]
pub struct Language {
    name: String,
    catalog: Arc<Catalog>,
    /// The texts of the book, as they were met.
    met: Arc<Mutex<BTreeSet<String>>>,
}

impl Language {
    /// Reads the translations of a language, e.g. `de`.
    ///
    /// # Errors
    /// There are none; those that exist are listed. Or the file is no catalog.
    pub fn read(root: &Path, name: &str) -> Result<Language> {
        let folder = root.join("book/po");
        let file = folder.join(format!("{name}.po"));
        if !file.is_file() {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            let names = entries
                .filter_map(|it| Some(it.file_name().to_str()?.strip_suffix(".po")?.to_owned()));
            let names: Vec<String> = names.collect();
            bail!("there is no {}; there are: {}", file.display(), names.join(", "));
        }
        // The parser gives up on a catalog without one of them.
        let text = report::files::read_text(&file)?;
        let lacking = HEADERS.iter().find(|name| !text.contains(&format!("\n\"{name}:")));
        if let Some(name) = lacking {
            bail!("{}: the first message lacks `{name}:`", file.display());
        }
        let mut catalog =
            po_file::parse(&file).map_err(|error| anyhow!("{}: {error}", file.display()))?;
        add_stripped_summary_translations(&mut catalog);
        Ok(Language { name: name.to_owned(), catalog: Arc::new(catalog), met: Arc::default() })
    }

    /// Its name, as HTML has it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same, for pages whose texts do not count.
    pub fn apart(&self) -> Language {
        Language { met: Arc::default(), ..self.clone() }
    }

    /// Once the book has been built: how much of it is translated, and how many translations are of texts that it has no longer.
    pub fn found(&self) -> String {
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let translated = self.catalog.messages().filter(|message| message.is_translated());
        let (kept, stale): (Vec<_>, Vec<_>) =
            translated.partition(|message| met.contains(message.msgid()));
        let stale = match stale.len() {
            0 => String::new(),
            count => format!("; {count} more are of texts that the book has no longer"),
        };
        format!("{} of {} texts are in `{}`{stale}", kept.len(), met.len(), self.name)
    }
}

impl Preprocessor for Language {
    fn name(&self) -> &str {
        "language"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let texts = texts(&book)?;
        self.met
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(texts.into_iter().map(|(text, _)| text));
        translate_book(&self.catalog, &mut book)?;
        Ok(book)
    }
}

/// The texts that can be translated, in the order of the book, each once and with the page that has it first.
fn texts(book: &Book) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    let mut add = |text: &str, page: &str| {
        // Numbers alone are the same in every language.
        if text.contains(char::is_alphabetic) && known.insert(text.to_owned()) {
            found.push((text.to_owned(), page.to_owned()));
        }
    };
    for item in book.iter() {
        match item {
            BookItem::PartTitle(title) => add(title, "SUMMARY.md"),
            BookItem::Chapter(chapter) => {
                let page = chapter
                    .path
                    .as_ref()
                    .map(|path| path.display().to_string())
                    .unwrap_or_default();
                add(&chapter.name, "SUMMARY.md");
                let messages = extract_messages(&chapter.content)
                    .map_err(|error| anyhow!("{page}: {error}"))?;
                messages.iter().for_each(|(_, message)| add(&message.message, &page));
            }
            BookItem::Separator => {}
        }
    }
    Ok(found)
}

/// Writes the texts of a book as a catalog without translations, for `msgmerge` or a translator's editor.
pub struct Template(pub PathBuf);

impl Preprocessor for Template {
    fn name(&self) -> &str {
        "template"
    }

    fn run(&self, _: &PreprocessorContext, book: Book) -> Result<Book> {
        let mut catalog = Catalog::new(CatalogMetadata::new());
        for (text, page) in texts(&book)? {
            let message = Message::build_singular().with_source(page).with_msgid(text).done();
            catalog.append_or_update(message);
        }
        let folder = self.0.parent().context("a folder")?;
        std::fs::create_dir_all(folder)?;
        ensure!(!catalog.is_empty(), "the book has no texts");
        po_file::write(&catalog, &self.0)
            .with_context(|| format!("cannot write {}", self.0.display()))?;
        Ok(book)
    }
}

#[cfg(test)]
mod tests {
    use mdbook_preprocessor::book::Chapter;

    use super::*;

    fn language(messages: &str) -> Result<Language> {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("book/po");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("de.po"), messages).expect("a file");
        Language::read(root.path(), "de")
    }

    #[test]
    fn texts_are_replaced_and_what_is_stale_is_counted() {
        let headers: String = HEADERS
            .iter()
            .map(|name| match *name {
                "Plural-Forms" => "\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n".to_owned(),
                name => format!("\"{name}: x\\n\"\n"),
            })
            .collect();
        let first = format!("msgid \"\"\nmsgstr \"\"\n{headers}");
        let message = |from: &str, to: &str| format!("\nmsgid \"{from}\"\nmsgstr \"{to}\"\n");
        let all = first + &message("step", "Schritt") + &message("gone", "weg");
        let language = language(&all).expect("a catalog");
        let text = "Some text.\n\n| step | 17 |\n|---|---|\n| step | 18 |\n";
        let chapter = Chapter::new("A", text.to_owned(), "a.md", Vec::new());
        let mut book = Book::new_with_items(vec![BookItem::Chapter(chapter)]);
        let met = texts(&book).expect("texts");
        assert_eq!(
            met.iter().map(|(text, _)| &**text).collect::<Vec<_>>(),
            ["A", "Some text.", "step"]
        );
        language.met.lock().expect("no panic").extend(met.into_iter().map(|(text, _)| text));
        translate_book(&language.catalog, &mut book).expect("translated");
        let Some(BookItem::Chapter(chapter)) = book.items.first() else { panic!("no chapter") };
        assert!(chapter.content.contains("Schritt") && chapter.content.contains("Some text."));
        assert!(
            language.found().starts_with("1 of 3 texts are in `de`; 1 more"),
            "{}",
            language.found()
        );
    }

    #[test]
    fn a_catalog_without_its_first_message_is_refused() {
        let error = language("msgid \"a\"\nmsgstr \"b\"\n").err().expect("refused").to_string();
        assert!(error.contains("lacks `Content-Transfer-Encoding:`"), "{error}");
    }
}
