//! Files to be written in a workspace: all of them or none.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use report::files::{read_text, write_whole};

use ui::Usage;

/// New files, and new texts of files that are there.
#[derive(Debug)]
pub struct Files {
    root: PathBuf,
    all: Vec<File>,
}

#[derive(Debug)]
struct File {
    /// From the workspace's root.
    name: String,
    text: String,
    /// What is there now; none of a new file.
    before: Option<String>,
}

impl Files {
    /// None yet, in the clone whose root is `root`.
    ///
    /// # Errors
    /// It is no clone: a released program has no sources.
    pub fn new(root: &Path) -> Result<Files, Usage> {
        if !root.join("harness/ladders/src/list.rs").is_file() {
            return Err(Usage(format!(
                "{} holds no sources of the workbook, so nothing can be added to it; run the command inside a clone of the \
                 repository",
                root.display()
            )));
        }
        Ok(Files { root: root.to_owned(), all: Vec::new() })
    }

    /// A new file.
    ///
    /// # Errors
    /// There is one of that name.
    pub fn create(&mut self, name: &str, text: String) -> Result<(), Usage> {
        if self.root.join(name).symlink_metadata().is_ok() {
            return Err(Usage(format!(
                "{name} is there already; choose another name, or remove it"
            )));
        }
        self.all.push(File { name: name.to_owned(), text, before: None });
        Ok(())
    }

    /// A new text of a file, made from the one that it has.
    ///
    /// # Errors
    /// It cannot be read, or `edit` finds no place for what is new.
    pub fn edit(&mut self, name: &str, edit: impl FnOnce(&str) -> Option<String>) -> Result<()> {
        let before = self.read(name)?;
        let Some(text) = edit(&before) else {
            bail!(
                "found no place for the new line in {name}; restore the file: git checkout {name}"
            );
        };
        self.all.push(File { name: name.to_owned(), text, before: Some(before) });
        Ok(())
    }

    /// The text of a file that is there, with line ends as on Unix.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(&self, name: &str) -> Result<String> {
        let text =
            read_text(&self.root.join(name)).with_context(|| format!("cannot read {name}"))?;
        Ok(text.replace("\r\n", "\n"))
    }

    /// Their names, new ones and changed ones.
    pub fn names(&self) -> (Vec<&str>, Vec<&str>) {
        let of = |is_new: bool| {
            let files = self.all.iter().filter(move |file| file.before.is_none() == is_new);
            files.map(|file| file.name.as_str()).collect()
        };
        (of(true), of(false))
    }

    /// Their names and texts.
    #[cfg(test)]
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().map(|file| (file.name.as_str(), file.text.as_str()))
    }

    /// Writes them.
    ///
    /// # Errors
    /// One cannot be written; then all are as they were.
    pub fn write(&self) -> Result<()> {
        for (count, file) in self.all.iter().enumerate() {
            if let Err(error) = self.write_one(&file.name, &file.text) {
                self.all[..count].iter().rev().for_each(|written| self.undo(written));
                return Err(error.context("nothing was added"));
            }
        }
        Ok(())
    }

    fn write_one(&self, name: &str, text: &str) -> Result<()> {
        let path = self.root.join(name);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(write_whole(&path, |out| out.write_all(text.as_bytes()))?)
    }

    /// What cannot be undone stays: the error that led here is what is reported.
    fn undo(&self, file: &File) {
        let path = self.root.join(&file.name);
        let _ = match &file.before {
            Some(before) => self.write_one(&file.name, before),
            None => fs::remove_file(&path).map_err(Into::into),
        };
        // Folders that were made for it; one that holds something else stays.
        let made = path.ancestors().skip(1).take_while(|folder| *folder != self.root);
        let _ = made.map(fs::remove_dir).take_while(Result::is_ok).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> (tempfile::TempDir, Files) {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(root.path().join("harness/ladders/src")).expect("folders");
        fs::write(root.path().join("harness/ladders/src/list.rs"), "old\n").expect("a file");
        let files = Files::new(root.path()).expect("a workspace");
        (root, files)
    }

    #[test]
    fn all_is_written_or_nothing() {
        let (root, mut files) = workspace();
        files
            .edit("harness/ladders/src/list.rs", |text| Some(text.replace("old", "new")))
            .expect("read");
        files.create("steps/a/b.rs", "b\n".to_owned()).expect("new");
        // A file where a folder must be.
        files.create("harness/ladders/src/list.rs/c", "c\n".to_owned()).expect("not there");
        let error = format!("{:#}", files.write().expect_err("no folder"));
        assert!(error.starts_with("nothing was added: "), "{error}");
        let read = |name: &str| fs::read_to_string(root.path().join(name));
        assert_eq!(read("harness/ladders/src/list.rs").expect("there"), "old\n");
        assert!(!root.path().join("steps").exists());
        files.all.pop();
        files.write().expect("written");
        assert_eq!(read("harness/ladders/src/list.rs").expect("there"), "new\n");
        assert_eq!(read("steps/a/b.rs").expect("there"), "b\n");
        assert_eq!(files.names(), (vec!["steps/a/b.rs"], vec!["harness/ladders/src/list.rs"]));
    }

    #[test]
    fn nothing_is_replaced_and_nothing_is_added_outside_of_a_clone() {
        let (root, mut files) = workspace();
        fs::write(root.path().join("a"), "").expect("a file");
        let error = files.create("a", String::new()).expect_err("there").to_string();
        assert!(error.contains("a is there already"), "{error}");
        let missing = files.edit("harness/ladders/src/list.rs", |_| None).expect_err("no place");
        assert!(missing.to_string().contains("git checkout"), "{missing}");
        let elsewhere = tempfile::tempdir().expect("a folder");
        let error = Files::new(elsewhere.path()).expect_err("no clone").to_string();
        assert!(error.contains("inside a clone"), "{error}");
    }
}
