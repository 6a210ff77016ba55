//! Follows every link of the rendered book: to pages, to anchors in them, to images.
//! What is rendered is checked, not the Markdown, because anchors and paths are made by the renderer.

use std::collections::{BTreeMap, HashSet};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use percent_encoding::percent_decode_str;

use crate::html::{self, Tag};
use crate::problem::Problem;

/// A rendered page: what can be linked to in it, and what it links to.
struct Page {
    anchors: HashSet<String>,
    tags: Vec<Tag>,
}

/// All pages in one, for printers: what is wrong in it is wrong in the page it comes from.
const PRINTED: &str = "print.html";

/// Every link in the pages of `book` that leads nowhere, and every image without a description.
pub fn check(book: &Path) -> Result<Vec<Problem>> {
    let mut pages = BTreeMap::new();
    read(book, Path::new(""), &mut pages)?;
    let mut problems: Vec<Problem> = Vec::new();
    for (path, page) in pages.iter().filter(|(path, _)| *path != Path::new(PRINTED)) {
        let file = name(path);
        for message in page.tags.iter().flat_map(|tag| faults(book, &pages, path, tag)) {
            let problem = Problem::with(&file, message);
            // mdBook writes each image twice, small and large.
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
    }
    Ok(problems)
}

/// What is wrong with one tag of the page at `path`.
fn faults(book: &Path, pages: &BTreeMap<PathBuf, Page>, path: &Path, tag: &Tag) -> Vec<String> {
    let targets = ["href", "src"].into_iter().filter_map(|attribute| tag.attribute(attribute));
    let mut messages: Vec<String> =
        targets.filter_map(|target| follow(book, pages, path, target).err()).collect();
    if tag.name == "img" && tag.attribute("alt").is_none_or(|alt| alt.trim().is_empty()) {
        let image = tag.attribute("src").unwrap_or("");
        messages.push(format!("the image `{image}` has no description: ![description](file)"));
    }
    messages
}

/// Reads all pages below `folder`.
fn read(book: &Path, folder: &Path, pages: &mut BTreeMap<PathBuf, Page>) -> Result<()> {
    let absolute = book.join(folder);
    let entries = std::fs::read_dir(&absolute)
        .with_context(|| format!("cannot list {}", absolute.display()))?;
    for entry in entries {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            read(book, &path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "html") {
            let text = std::fs::read_to_string(entry.path())
                .with_context(|| format!("cannot read {}", path.display()))?;
            let tags = html::tags(&text);
            let anchors =
                tags.iter().filter_map(|tag| tag.attribute("id").or(tag.attribute("name")));
            let anchors = anchors.map(str::to_owned).collect();
            pages.insert(path, Page { anchors, tags });
        }
    }
    Ok(())
}

fn follow(
    book: &Path,
    pages: &BTreeMap<PathBuf, Page>,
    from: &Path,
    target: &str,
) -> Result<(), String> {
    let scheme = target.split_once(':').map(|(scheme, _)| scheme);
    match scheme {
        Some("http" | "https" | "mailto" | "data") => return Ok(()),
        Some(other) if !other.contains(['/', '#', '?']) => {
            return Err(format!("the link `{target}` has an unknown scheme"));
        }
        _ => {}
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let path = decode(path);
    if path.starts_with('/') {
        return Err(format!("the link `{target}` is absolute; the book can lie in any folder"));
    }
    let mut to = if path.is_empty() {
        from.to_owned()
    } else {
        join(from.parent().unwrap_or(Path::new("")), &path)
    };
    if book.join(&to).is_dir() {
        to.push("index.html");
    }
    if !book.join(&to).is_file() {
        return Err(format!("the link `{target}` leads to no page or file"));
    }
    let anchor = decode(anchor);
    match pages.get(&to) {
        Some(page) if !anchor.is_empty() && !page.anchors.contains(&anchor) => {
            Err(format!("the link `{target}` leads to no anchor: {} has no `{anchor}`", name(&to)))
        }
        _ => Ok(()),
    }
}

/// `folder/path` without `.` and `..`; a path that leaves the book keeps its leading `..`.
fn join(folder: &Path, path: &str) -> PathBuf {
    let mut joined = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if joined.file_name().is_some() => {
                joined.pop();
            }
            other => joined.push(other),
        }
    }
    joined
}

/// Undoes `%20` and its like.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// A path as links write it, whatever the system's separator.
fn name(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(pages: &[(&str, &str)]) -> Vec<String> {
        let book = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir_all(book.path().join("nbody")).expect("a folder");
        for (path, text) in pages {
            std::fs::write(book.path().join(path), text).expect("a page");
        }
        check(book.path()).expect("pages that can be read").iter().map(Problem::to_string).collect()
    }

    #[test]
    fn what_resolves_is_passed_over() {
        let index = r##"<h1 id="top">A</h1><a href="nbody/01.html#why"></a><a href="nbody/"></a><a href="#top"></a>
            <a href="https://example.org/x#y"></a><img src="a%20b.svg" alt="a plot"><link href="s.css?v=1">"##;
        let step = r#"<h2 id="why">W</h2><a href="../index.html#top"></a><a href="./01.html"></a>"#;
        let pages = [
            ("index.html", index),
            ("nbody/01.html", step),
            ("nbody/index.html", ""),
            ("a b.svg", ""),
            ("s.css", ""),
        ];
        assert_eq!(problems(&pages), Vec::<String>::new());
    }

    #[test]
    fn planted_faults_are_found() {
        let cases = [
            (r#"<a href="nbody/02.html"></a>"#, "`nbody/02.html` leads to no page"),
            (r#"<a href="nbody/01.html#wy"></a>"#, "has no `wy`"),
            (r##"<a href="#wy"></a>"##, "index.html has no `wy`"),
            (r#"<img src="plot.png" alt="a plot">"#, "`plot.png` leads to no page or file"),
            (r#"<img src="nbody/01.html">"#, "has no description"),
            (r#"<script src="gone.js"></script>"#, "`gone.js` leads to no page or file"),
            (r#"<a href="/nbody/01.html"></a>"#, "is absolute"),
            (r#"<a href="../../etc/passwd.html"></a>"#, "leads to no page or file"),
            (r#"<a href="htp://example.org"></a>"#, "unknown scheme"),
        ];
        for (html, said) in cases {
            let found = problems(&[("index.html", html), ("nbody/01.html", "<h2 id=why>")]);
            assert_eq!(found.len(), 1, "{html}: {found:?}");
            assert!(
                found[0].starts_with("index.html: ") && found[0].contains(said),
                "{html}: {found:?}"
            );
        }
    }
}
