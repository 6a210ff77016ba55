//! A step's code as its page shows it: kernels with the files that they include, or every file of a program.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use ladder::{Code, Ladder, Step};

use crate::rust;

/// The folded part of a step's page with its code, whole.
pub fn folded(root: &Path, ladder: &dyn Ladder, step: &Step) -> Result<String> {
    let what = if step.is_for_cpu() { "program" } else { "kernels" };
    Ok(format!(
        "\n<details id=\"kernels\">\n<summary>The {what}, whole</summary>\n\n{}\n\n</details>\n",
        whole(root, ladder, step)?
    ))
}

/// A step's code, whole: its kernels, or every file of its program.
pub fn whole(root: &Path, ladder: &dyn Ladder, step: &Step) -> Result<String> {
    let block = |language: &str, text: &str| format!("```{language}\n{}\n```", text.trim_end());
    let (path, text) = code(root, ladder, step)?;
    let language = match step.code {
        Code::Cuda { .. } => {
            let kernels = root.join("kernels").join(ladder.name());
            let included = step.source(&kernels)?.includes.into_iter().map(|include| {
                let code = block("cpp", &include.text);
                format!(
                    "\n\n<details>\n<summary>Included: <code>{}</code></summary>\n\n{code}\n\n</details>",
                    include.name
                )
            });
            return Ok(block("cpp", &text) + &included.collect::<String>());
        }
        Code::C { .. } => return Ok(block("c", &text)),
        // Not with a button that would run it elsewhere.
        Code::RustKernels => return Ok(block("rust,noplayground", &text)),
        Code::Rust | Code::Library(_) => "rust,noplayground",
    };
    let mut out = block(language, &rust::program(&text));
    for (name, text) in others(&root.join(path))? {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n\n`{name}`:\n\n{}", block(language, &rust::program(&text)));
    }
    Ok(out)
}

/// The path and text of a step's kernels, or of its function in C or Rust.
pub fn code(root: &Path, ladder: &dyn Ladder, step: &Step) -> Result<(String, String)> {
    let path = match step.file() {
        Some(file) => format!("kernels/{}/{file}", ladder.name()),
        None => format!("steps/{}/{}/src/lib.rs", ladder.name(), step.name),
    };
    let text =
        std::fs::read_to_string(root.join(&path)).with_context(|| format!("cannot read {path}"))?;
    Ok((path, text))
}

/// The files of a program other than its `lib.rs`, by name.
fn others(file: &Path) -> Result<Vec<(String, String)>> {
    let folder = file.parent().unwrap_or(file);
    let mut found = Vec::new();
    let cannot = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path != file && path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, text));
        }
    }
    found.sort();
    Ok(found)
}
