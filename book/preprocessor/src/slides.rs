// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slides from a page of the built book: one for its beginning and one for each part, on paper or on a screen.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::html::escape;

/// One part a sheet; what is too wide or long gets smaller letters, and tables scroll on a screen.
const STYLE: &str = "\
@page { size: A4 landscape; margin: 12mm; }
body { font: 20px/1.4 system-ui, sans-serif; margin: 0; color: #111; background: #fff; }
section { min-height: 96vh; padding: 2vh 4vw; box-sizing: border-box; border-bottom: 1px solid #bbb; break-after: page; overflow-x: auto; }
h1 { font-size: 2em; } h2 { font-size: 1.5em; }
pre { font-size: 0.7em; white-space: pre-wrap; background: #f4f4f4; padding: 0.6em; }
table { border-collapse: collapse; font-size: 0.75em; } th, td { border: 1px solid #bbb; padding: 0.15em 0.5em; }
img, svg { max-width: 100%; max-height: 70vh; } a { color: inherit; } a.header { text-decoration: none; }
ins { background: #e3f5e6; } del { background: #fdeaea; }
";

/// Writes the slides of `page`, e.g. `nbody/06-shared-blocking`, next to the page in the built book; where they are.
///
/// # Errors
/// There is no such page, or the file cannot be written.
pub fn write(build: &Path, page: &str) -> Result<PathBuf> {
    let page = page.trim_end_matches(".md").trim_end_matches(".html");
    let is_plain = page.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
    ensure!(
        is_plain,
        "name a page as the book's contents do, without its ending: nbody/06-shared-blocking"
    );
    let file = build.join(format!("{page}.html"));
    let html = fs::read_to_string(&file)
        .with_context(|| format!("the book has no page {page}; book/src/SUMMARY.md lists them"))?;
    let slides = build.join(format!("{page}.slides.html"));
    fs::write(&slides, draw(page, &html)?)
        .with_context(|| format!("cannot write {}", slides.display()))?;
    Ok(slides)
}

/// The slides of a rendered page.
fn draw(page: &str, html: &str) -> Result<String> {
    let main = html.split_once("<main>").and_then(|(_, rest)| rest.split_once("</main>"));
    let (main, _) = main.with_context(|| format!("{page} is not as the book renders pages"))?;
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title><style>\n{STYLE}</style></head><body>\n",
        escape(page)
    );
    for part in parts(main) {
        out += &format!("<section>{part}</section>\n");
    }
    Ok(out + "</body></html>\n")
}

/// What comes before the first heading of a part, and each part with its heading.
fn parts(main: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = main.match_indices("<h2").map(|(at, _)| at).collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([main.len()]);
    let all = starts.iter().zip(ends).map(|(&start, end)| main[start..end].trim());
    all.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><nav><h2>no</h2></nav><main>\n<h1>Blocking</h1><p>a</p>\n<h2 id=\"why\">Why</h2><p>b</p>\
                        <h2 id=\"so\">So</h2><h3>c</h3></main><script>x</script></html>";

    #[test]
    fn each_part_is_a_slide() {
        let slides = draw("nbody/06", PAGE).expect("slides");
        assert_eq!(slides.matches("<section>").count(), 3, "{slides}");
        assert!(slides.contains("<section><h2 id=\"why\">Why</h2><p>b</p></section>"), "{slides}");
        assert!(!slides.contains("<script>") && !slides.contains("<nav>"), "{slides}");
        assert_eq!(parts("<p>alone</p>"), ["<p>alone</p>"]);
        assert_eq!(parts("<h2>a</h2>"), ["<h2>a</h2>"]);
    }

    #[test]
    fn they_stand_next_to_their_page() {
        let build = tempfile::tempdir().expect("a folder");
        fs::create_dir(build.path().join("nbody")).expect("a folder");
        fs::write(build.path().join("nbody/06.html"), PAGE).expect("written");
        let file = write(build.path(), "nbody/06.md").expect("slides");
        assert_eq!(file, build.path().join("nbody/06.slides.html"));
        assert!(file.is_file());
        for (page, words) in [
            ("nbody/07", "no page nbody/07"),
            ("../x", "name a page"),
            ("", "name a page"),
            ("/etc/x", "name a page"),
        ] {
            let error = write(build.path(), page).expect_err(page).to_string();
            assert!(error.contains(words), "{page}: {error}");
        }
        fs::write(build.path().join("bare.html"), "<p>").expect("written");
        assert!(write(build.path(), "bare").is_err());
    }
}
