//! Which files of a crate import which.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::Imports;
use super::source::{Names, Source};

/// Exports of exports, at most.
const MOST: usize = 8;

/// The imports of a crate whose first file is `first`. Files are named as they are below its folder.
///
/// # Panics
/// A file cannot be read.
pub fn imports(first: &Path) -> Imports {
    let mut all = Crate(BTreeMap::new());
    let folder = first.parent().expect("a folder");
    all.read(first, folder, Names::new());
    let name = |module: &Names| match module.as_slice() {
        [] => first.file_name().expect("a name").to_string_lossy().into_owned(),
        names => format!("{}.rs", names.join("/")),
    };
    let imported = |(module, source): (&Names, &Source)| {
        let to = all.imported(module, source);
        (name(module), to.iter().filter(|to| *to != module).map(&name).collect())
    };
    all.0.iter().map(imported).collect()
}

/// The modules of a crate that have files.
struct Crate(BTreeMap<Names, Source>);

impl Crate {
    /// Reads a module's file, and the files of its children, which are in `folder`.
    fn read(&mut self, file: &Path, folder: &Path, module: Names) {
        let text =
            fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let source = Source::read(&text);
        for name in &source.children {
            let own = folder.join(name);
            let files = [own.with_extension("rs"), own.join("mod.rs")];
            let found = files.iter().find(|file| file.is_file());
            let found = found.unwrap_or_else(|| panic!("{}: no file of {name}", file.display()));
            self.read(found, &own, joined(&module, std::slice::from_ref(name)));
        }
        self.0.insert(module, source);
    }

    /// The modules that define what a module's code names.
    fn imported(&self, module: &Names, source: &Source) -> Vec<Names> {
        // What it exports is an import only where its own code names it too.
        let named = source.names.iter().filter_map(|name| source.uses.get(name));
        let items =
            source.paths.iter().chain(named).filter_map(|path| self.item(module, path, MOST));
        let globs = source
            .globs
            .iter()
            .filter_map(|path| self.item(module, &joined(path, &["*".to_owned()]), MOST));
        items.chain(globs).collect()
    }

    /// The module that defines the item of a path in `module`; `None` for another crate's, and for a module itself.
    fn item(&self, module: &Names, path: &[String], most: usize) -> Option<Names> {
        let source = &self.0[module];
        let (first, rest) = path.split_first().filter(|_| most > 0)?;
        match first.as_str() {
            "crate" => self.item_in(Names::new(), rest, most),
            "self" => self.item_in(module.clone(), rest, most),
            "super" => {
                let parent = module.split_last()?.1.to_vec();
                match rest.first().is_some_and(|next| next == "super") {
                    true => self.item(&parent, rest, most),
                    false => self.item_in(parent, rest, most),
                }
            }
            _ if source.children.contains(first) => self.item_in(module.clone(), path, most),
            _ => {
                let used = source.uses.get(first).filter(|used| used.first() != Some(first))?;
                self.item(module, &joined(used, rest), most - 1)
            }
        }
    }

    /// The same of a path that begins in `module`.
    fn item_in(&self, module: Names, path: &[String], most: usize) -> Option<Names> {
        let source = &self.0[&module];
        let (first, rest) = path.split_first().filter(|_| most > 0)?;
        let is_item = source.items.contains(first);
        if source.children.contains(first)
            && !(rest.is_empty() && (is_item || source.uses.contains_key(first)))
        {
            return self.item_in(joined(&module, std::slice::from_ref(first)), rest, most);
        }
        if is_item {
            return Some(module);
        }
        if let Some(used) = source.uses.get(first) {
            return self.item(&module, &joined(used, rest), most - 1);
        }
        let globs = source.exported_globs.iter();
        let mut found = globs.filter_map(|glob| self.item(&module, &joined(glob, path), most - 1));
        found.find(|found| self.0[found].items.contains(first)).or(Some(module))
    }
}

fn joined(path: &[String], rest: &[String]) -> Names {
    [path, rest].concat()
}
