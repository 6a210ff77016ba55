//! The files with which a class's repositories grade and learn by themselves: each with the workbook's address in it, so that
//! nothing in them is edited by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use ladder::workspace;

use ui::Usage;

/// What stands in the templates where the address goes.
const ADDRESS: &str = "https://workbook.example/ladder";

/// Each file's place in a class's repository, and its template.
const FILES: [(&str, &str); 4] = [
    (".github/workflows/grade.yml", include_str!("../../../book/classroom/github-classroom.yml")),
    (".gitlab-ci.yml", include_str!("../../../book/classroom/gitlab-ci.yml")),
    ("workbook.ipynb", include_str!("../../../book/classroom/colab.ipynb")),
    ("class.toml", include_str!("../../../book/classroom/class.toml")),
];

/// Writes the files to `folder`, for the workbook at `address`; their places. A `class.toml` that is there stays.
///
/// # Errors
/// Another of them is there already, or cannot be written.
pub fn write(folder: &Path, address: &str) -> Result<Vec<PathBuf>> {
    let places = FILES.map(|(name, template)| (folder.join(name), template));
    let new = |(place, _): &&(PathBuf, &str)| !(place.ends_with("class.toml") && place.exists());
    for (place, _) in places.iter().filter(new) {
        ensure!(
            !place.exists(),
            Usage(format!(
                "{} is there already; remove it, or choose another folder",
                place.display()
            ))
        );
    }
    let mut written = Vec::new();
    for (place, template) in places.iter().filter(new) {
        let made = place.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(place, template.replace(ADDRESS, address)))
            .with_context(|| format!("cannot write {}", place.display()))?;
        written.push(place.clone());
    }
    Ok(written)
}

/// The address of the workbook: what was asked for, or where this clone comes from.
///
/// # Errors
/// It is none that a machine without keys can read; or nothing was asked for, and this clone comes from nowhere.
pub fn address(asked: Option<&str>) -> Result<String> {
    let named = match asked {
        Some(asked) => asked.to_owned(),
        None => origin().ok_or_else(|| {
            Usage("where is the workbook? This clone has no remote `origin`: name the address with --workbook".to_owned())
        })?,
    };
    let address = public(&named).ok_or_else(|| {
        Usage(format!("`{named}` is no address of a repository: https://HOST/OWNER/REPOSITORY"))
    })?;
    Ok(address)
}

fn origin() -> Option<String> {
    let root = workspace::root().ok()?;
    let mut git = Command::new("git");
    git.args(["-c", "safe.directory=*", "-C"]).arg(root).args(["remote", "get-url", "origin"]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// An address as git writes it, as one that needs no key; without the name and password that it may have.
fn public(named: &str) -> Option<String> {
    let rest = match named.split_once("://") {
        Some(("https" | "http" | "ssh" | "git", rest)) => rest.to_owned(),
        Some(_) => return None,
        None => named.split_once(':').map(|(host, path)| format!("{host}/{path}"))?,
    };
    let (host, path) = rest.split_once('/')?;
    let host = host.rsplit('@').next()?;
    let path = path.trim_end_matches('/').trim_end_matches(".git");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~/:".contains(c);
    let is_named = !host.is_empty() && !path.is_empty();
    (is_named && host.chars().chain(path.chars()).all(is_plain))
        .then(|| format!("https://{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_need_no_key_and_hold_no_password() {
        for named in [
            "https://git.example/ada/ladder",
            "https://ada:secret@git.example/ada/ladder.git",
            "git@git.example:ada/ladder.git",
            "ssh://git@git.example/ada/ladder/",
        ] {
            assert_eq!(public(named).as_deref(), Some("https://git.example/ada/ladder"), "{named}");
        }
        for named in ["ladder", "/home/ada/ladder", "file:///ladder", "https://x", "https://a/$(b)"]
        {
            assert_eq!(public(named), None, "{named}");
        }
        let error = address(Some("ladder")).expect_err("no address").to_string();
        assert!(error.contains("https://HOST/OWNER/REPOSITORY"), "{error}");
    }

    #[test]
    fn nothing_is_left_to_edit_and_nothing_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let written = write(folder.path(), "https://git.example/ada/ladder").expect("written");
        assert_eq!(written.len(), 4);
        for file in written {
            let text = fs::read_to_string(&file).expect("text");
            assert!(!text.contains("workbook.example"), "{text}");
            let is_class = file.ends_with("class.toml");
            assert_eq!(text.contains("https://git.example/ada/ladder"), !is_class, "{text}");
        }
        let error = write(folder.path(), "https://x/y/z").expect_err("there already").to_string();
        assert!(error.contains("grade.yml is there already"), "{error}");
    }
}
