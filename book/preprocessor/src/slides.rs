//! Slides from a page of the built book: one for its beginning and one for each part, on paper or on a screen.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::html::escape;

/// A sheet as high as the screen, in the colours of the book's themes; tables and code that stay too wide are scrolled.
const STYLE: &str = include_str!("slides/slides.css");

/// Colours as the system has them; what does not fit a sheet in readable letters goes on to the next one; keys turn the sheets.
const SCRIPT: &str = include_str!("slides/slides.js");

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
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n{}<style>\n{STYLE}</style></head><body class=\"content\">\n",
        escape(page),
        shared(html)
    );
    for part in parts(main) {
        out += &format!("<section>{part}</section>\n");
    }
    Ok(out + &format!("<script>\n{SCRIPT}</script></body></html>\n"))
}

/// The page's own styles and scripts that slides need: colours, differences and figures, highlighted code.
fn shared(html: &str) -> String {
    let names = ["/variables-", "/theme/", "highlight", "tomorrow-night"];
    let is_shared = |line: &&str| {
        let is_one = line.contains("<link rel=\"stylesheet\"") || line.contains("<script src=");
        is_one && names.iter().any(|name| line.contains(name))
    };
    html.lines().filter(is_shared).map(|line| format!("{}\n", line.trim())).collect()
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
        assert!(!slides.contains("<script>x") && !slides.contains("<nav>"), "{slides}");
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
