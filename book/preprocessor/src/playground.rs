//! The page in which a reader edits kernels and runs them: its HTML, and what it loads next to the pages.

#[cfg(test)]
mod exercises;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ladder::{Code, Ladder, Step};
use serde::Serialize;
use teaching::learn::exercise::Exercise;

use crate::compiler::Package;
use crate::html::escape;
use crate::wasm::Wasm;

/// Where all of it is, below the built book.
const FOLDER: &str = "playground";

/// The program that compiles and checks.
const PROGRAM: Wasm = Wasm {
    package: "playground",
    target: "wasm32-wasip1",
    kind: &["--bin", "playground"],
    profile: "playground",
};

/// What the page is made of, by its name.
const FILES: [(&str, &str); 8] = {
    macro_rules! file {
        ($name:literal) => {
            ($name, include_str!(concat!("../../playground/page/", $name)))
        };
    }
    [
        file!("playground.css"),
        file!("playground.js"),
        file!("editor.js"),
        file!("keep.js"),
        file!("worker.js"),
        file!("clang.js"),
        file!("wasi.js"),
        file!("compiler.json"),
    ]
};

/// What keeps the pages for visits without a network.
const OFFLINE: &str = include_str!("../../playground/page/offline.js");

/// The scripts that the page itself loads, in this order.
const SCRIPTS: [&str; 3] = ["editor.js", "keep.js", "playground.js"];

const PAGE: &str = include_str!("../../playground/page/page.html");

/// A kernel of a reader's own begins so.
const OWN: (&str, &str) = (
    "// Each thread scales one element of x.\nextern \"C\" __global__ void scale(unsigned int n, float factor, float *x) {\n    \
     unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {\n        x[i] = factor * x[i];\n    }\n}\n",
    "scale<<<4, 256>>>(u32=1000, f32=2, x=f32[1000]=rand)",
);

/// What a reader can work on.
#[derive(Serialize)]
struct Task {
    /// As a list shows it.
    #[serde(skip)]
    title: String,
    /// The name of its file.
    file: String,
    /// What is to be reached.
    goal: String,
    /// What the reader begins with.
    text: String,
    /// The page to read before.
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hints: Vec<String>,
    /// Whether its launches can be stepped through.
    steps: bool,
    /// Launches, where the reader writes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    launches: Option<&'static str>,
}

/// Whether the page has an exercise: one whose file is a kernel, and whose goals need no machine code.
pub fn has(exercise: &Exercise) -> bool {
    let is_kernel = exercise
        .beginning()
        .is_ok_and(|file| file.extension().is_some_and(|ending| ending == "cu" || ending == "ptx"));
    is_kernel && exercise.limits.iter().all(|limit| limit.event != "machine.registers")
}

/// Whether the page has a step: one with kernels of its own, which one GPU runs.
pub fn has_step(step: &Step) -> bool {
    step.elsewhere.is_none() && matches!(step.code, Code::Cuda { file, .. } if file == step.name)
}

/// The address of the page with an exercise or a step in it, below the folder to which `up` leads.
pub fn address(up: &str, kind: &str, name: &str) -> String {
    format!("{up}playground.html?{kind}={name}")
}

/// The groups of what a reader can work on, each with what the page calls it.
type Groups = Vec<(String, Vec<(String, Task)>)>;

fn groups(root: &Path, ladders: &[&'static dyn Ladder]) -> Result<Groups> {
    let mut groups: Groups = Vec::new();
    for exercise in Exercise::all()?.iter().filter(|it| has(it)) {
        let name = format!("Exercises: {}", exercise.part);
        if groups.last().is_none_or(|(last, _)| *last != name) {
            groups.push((name, Vec::new()));
        }
        let group = groups.last_mut().context("it was pushed")?;
        let task = of_exercise(exercise)?;
        group.1.push((format!("exercise={}", exercise.name), task));
    }
    for ladder in ladders {
        let steps = ladder.steps().into_iter().filter(has_step);
        let all = steps.map(|step| {
            let name = format!("kernel={}/{}", ladder.name(), step.name);
            Ok((name, of_step(root, *ladder, &step)?))
        });
        let all = all.collect::<Result<Vec<_>>>()?;
        if !all.is_empty() {
            groups.push((format!("Kernels: {}", ladder.name()), all));
        }
    }
    let own = Task {
        title: "a kernel of your own".to_owned(),
        file: "kernel.cu".to_owned(),
        goal:
            "Write kernels and how they are launched. Run shows what each line does, and hazards."
                .to_owned(),
        text: OWN.0.to_owned(),
        read: Some("your-own-kernel.html".to_owned()),
        hints: Vec::new(),
        steps: true,
        launches: Some(OWN.1),
    };
    groups.push(("Your own".to_owned(), vec![("launches=".to_owned(), own)]));
    Ok(groups)
}

fn of_exercise(exercise: &Exercise) -> Result<Task> {
    let beginning = exercise.beginning()?;
    let ending = beginning.extension().unwrap_or_default().to_string_lossy();
    Ok(Task {
        title: format!("{} {}", report::split(&exercise.name).0, exercise.title),
        file: format!("{}.{ending}", exercise.name),
        goal: exercise.goal.clone(),
        text: exercise.beginning_text()?,
        read: Some(format!("{}.html", exercise.read)),
        hints: exercise.hints.clone(),
        steps: !exercise.launches.is_empty(),
        launches: None,
    })
}

fn of_step(root: &Path, ladder: &dyn Ladder, step: &Step) -> Result<Task> {
    let file = format!("{}.cu", step.name);
    let path = root.join("kernels").join(ladder.name()).join(&file);
    let text = report::files::read_text(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Task {
        title: format!("{} {}", report::split(step.name).0, step.title),
        file,
        goal: format!(
            "This is the kernel of a step. Change it: it is verified at many sizes, searched for hazards, and compared with \
             the step's own. {}",
            step.changes
        ),
        text,
        read: Some(format!("{}/{}.html", ladder.name(), step.name)),
        hints: Vec::new(),
        steps: true,
        launches: None,
    })
}

/// The page's part that is the playground, as one block of HTML.
pub fn html(root: &Path, ladders: &[&'static dyn Ladder]) -> Result<String> {
    let mut options = String::new();
    for (group, tasks) in groups(root, ladders)? {
        // Writing to a String cannot fail.
        let _ = writeln!(options, "<optgroup label=\"{}\">", escape(&group));
        for (name, task) in tasks {
            let _ = writeln!(options, "<option value=\"{name}\">{}</option>", escape(&task.title));
        }
        options += "</optgroup>\n";
    }
    let scripts = SCRIPTS.map(|name| format!("<script src=\"{FOLDER}/{name}\" defer></script>\n"));
    Ok(format!(
        "<link rel=\"stylesheet\" href=\"{FOLDER}/playground.css\">\n{}{}",
        PAGE.replace("{options}\n", &options).replace("{options}", &options),
        scripts.concat().trim_end()
    ))
}

/// Puts what the page loads next to the pages, below `book`. Where this machine has no compiler for it, what to do about it is
/// said.
pub fn write(root: &Path, ladders: &[&'static dyn Ladder], book: &Path) -> Result<Option<String>> {
    let folder = book.join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let put = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))
    };
    for (name, text) in FILES {
        put(name, text.as_bytes())?;
    }
    // It answers for pages of its own folder and those below.
    fs::write(book.join("offline.js"), OFFLINE).context("cannot write offline.js")?;
    let tasks: BTreeMap<String, Task> =
        groups(root, ladders)?.into_iter().flat_map(|(_, tasks)| tasks).collect();
    put("tasks.json", serde_json::to_string(&tasks)?.as_bytes())?;
    put("files.json", serde_json::to_string(&workspace(root)?)?.as_bytes())?;
    if let Some(compiler) = Package::read()?.kept(root) {
        fs::copy(compiler, folder.join("clang.tgz")).context("cannot write the compiler")?;
    }
    let Some(file) = PROGRAM.build(root)? else {
        return Ok(Some(format!("the playground cannot run kernels: {}", PROGRAM.missing())));
    };
    let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    put("playground.wasm", &bytes)?;
    Ok(None)
}

/// The files of the workspace that a check reads, by their paths.
fn workspace(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for exercise in Exercise::all()?.iter().filter(|it| has(it)) {
        paths.push(exercise.folder.join("exercise.toml"));
        paths.extend([exercise.beginning()?, exercise.solution()?]);
    }
    let ladders = fs::read_dir(root.join("kernels")).context("cannot read kernels")?.flatten();
    let shared = root.join("steps/exercises");
    for folder in ladders.map(|ladder| ladder.path()).chain([shared]) {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        paths.extend(files.map(|file| file.path()).filter(|path| {
            path.extension().is_some_and(|ending| ending == "cu" || ending == "cuh")
        }));
    }
    let mut files = BTreeMap::from([("Cargo.toml".to_owned(), String::new())]);
    for path in paths {
        let text = report::files::read_text(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.strip_prefix(root).context("a file of the workspace")?;
        files.insert(name.to_string_lossy().replace('\\', "/"), text);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_kernels_and_exercises_with_all_that_their_checks_read() {
        let root = ladder::workspace::root().expect("the workspace");
        let groups = groups(&root, ladders::LADDERS).expect("groups");
        let tasks: BTreeMap<&str, &Task> =
            groups.iter().flat_map(|(_, all)| all).map(|(name, task)| (&**name, task)).collect();
        assert!(tasks["exercise=02-guard"].text.contains("out[i] = in[i] * in[i];"));
        assert!(tasks["kernel=nbody/06-shared-blocking"].text.contains("__syncthreads"));
        assert!(!tasks.contains_key("exercise=03-count-blocks"), "it has no kernel");
        assert!(!tasks.contains_key("exercise=61-registers"), "it needs machine code");
        let files = workspace(&root).expect("files");
        for path in
            ["steps/exercises/02-guard/solution.cu", "steps/exercises/44-ptx-guard/solution.ptx"]
        {
            assert!(files.contains_key(path), "{path}");
        }
        let html = html(&root, ladders::LADDERS).expect("html");
        assert!(!html.contains("\n\n"), "Markdown would end the block");
        assert!(html.contains("<option value=\"exercise=02-guard\">02 The threads"), "{html}");
    }

    #[test]
    fn scripts_are_among_the_files() {
        for script in SCRIPTS {
            assert!(FILES.iter().any(|(name, _)| *name == script), "{script}");
        }
    }
}
