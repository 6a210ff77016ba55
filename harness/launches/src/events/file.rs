//! A file of launches: TOML, with the place of every mistake.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use report::files::read_text;
use serde::Deserialize;
use toml::Spanned;
use ui::Usage;

use super::invocation::{self, Invocation};
use super::plan::{Part, Plan, Tolerance, pair};
use super::value::{Named, Value, is_name};

/// A text with its place in the file.
type Text = Spanned<String>;

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    buffers: BTreeMap<Text, Text>,
    #[serde(default, rename = "const")]
    variables: BTreeMap<Text, Text>,
    launch: Vec<Spanned<Launch>>,
    #[serde(default)]
    print: Vec<Text>,
    #[serde(default)]
    expect: Vec<Text>,
    #[serde(default)]
    save: Vec<Text>,
    #[serde(default)]
    rtol: f64,
    #[serde(default)]
    atol: f64,
}

/// One of its launches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Launch {
    kernel: Option<String>,
    grid: Spanned<Shape>,
    block: Spanned<Shape>,
    #[serde(default)]
    shared: u32,
    #[serde(default)]
    cooperative: bool,
    #[serde(default)]
    args: Vec<Text>,
    #[serde(default = "once")]
    times: Spanned<u32>,
}

fn once() -> Spanned<u32> {
    Spanned::new(0..0, 1)
}

/// `4`, `[32, 8]` or `"32,8"`.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "write a grid or block as 4, [32, 8] or \"32,8\"")]
enum Shape {
    Line(u32),
    Axes(Vec<u32>),
    Text(String),
}

/// Reads a file of launches. Files that it names are looked for from its own folder on.
///
/// # Errors
/// It cannot be read, or its text is none; the line and the remedy are named.
pub fn read(path: &Path) -> Result<Plan, Usage> {
    let name = path.display().to_string();
    let text = read_text(path).map_err(|error| Usage(format!("cannot read {name}: {error}")))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Reader { name: &name, text: &text, folder }.plan()
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
    folder: &'a Path,
}

impl Reader<'_> {
    fn plan(&self) -> Result<Plan, Usage> {
        let written: Written = toml::from_str(self.text).map_err(|error| {
            let place = self.at(error.span().map_or(0, |span| span.start));
            Usage(format!("{place}: {}", error.message().trim()))
        })?;
        let mut plan = Plan {
            tolerance: Tolerance { relative: written.rtol, absolute: written.atol },
            folder: self.folder.to_owned(),
            ..Plan::default()
        };
        for (name, text) in &written.buffers {
            let value = self.read(text, |text| Value::read(text, self.folder))?;
            self.read(name, |name| match is_name(name) {
                true => Ok(()),
                false => {
                    Err(format!("`{name}` cannot be the name of a buffer; write one of C").into())
                }
            })?;
            let Value::Buffer(contents) = value else {
                let why = "write a buffer as f32[1024]=rand or @x.npy";
                return Err(self.wrong(text.span().start, why));
            };
            plan.buffers.push((name.get_ref().clone(), contents));
        }
        for (name, text) in &written.variables {
            let value = self.read(text, |text| Value::read(text, self.folder))?;
            plan.variables.push((name.get_ref().clone(), value));
        }
        for launch in &written.launch {
            plan.launches.push(self.launch(launch)?);
        }
        if plan.launches.is_empty() {
            return Err(Usage(format!(
                "{}: there is no launch in it; add a [[launch]]",
                self.name
            )));
        }
        for text in &written.print {
            plan.prints.push(self.read(text, str::parse::<Part>)?);
        }
        for text in &written.expect {
            plan.expected.push(self.read(text, pair)?);
        }
        for text in &written.save {
            let (name, file) = self.read(text, pair)?;
            plan.saves.push((name, self.folder.join(file)));
        }
        Ok(plan)
    }

    fn launch(&self, launch: &Spanned<Launch>) -> Result<Invocation, Usage> {
        let place = self.at(launch.span().start);
        let launch = launch.get_ref();
        let mut arguments = Vec::new();
        for text in &launch.args {
            arguments.push(self.read(text, |text| Named::read(text, self.folder))?);
        }
        let times = &launch.times;
        let Some(again) = times.get_ref().checked_sub(1) else {
            return Err(self.wrong(times.span().start, "a launch runs at least once"));
        };
        Ok(Invocation {
            kernel: launch.kernel.clone(),
            grid: self.shape(&launch.grid)?,
            block: self.shape(&launch.block)?,
            shared: launch.shared,
            cooperative: launch.cooperative,
            arguments,
            again,
            place,
        })
    }

    fn shape(&self, shape: &Spanned<Shape>) -> Result<[u32; 3], Usage> {
        let text = match shape.get_ref() {
            Shape::Line(x) => x.to_string(),
            Shape::Axes(axes) => axes.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
            Shape::Text(text) => text.clone(),
        };
        invocation::dimensions(&text).map_err(|why| self.wrong(shape.span().start, why))
    }

    /// Reads a text; what is wrong with it is said with its place.
    fn read<T>(&self, text: &Text, read: impl Fn(&str) -> Result<T, Usage>) -> Result<T, Usage> {
        read(text.get_ref()).map_err(|why| self.wrong(text.span().start, why))
    }

    fn wrong(&self, at: usize, why: impl Display) -> Usage {
        Usage(format!("{}: {why}", self.at(at)))
    }

    /// The line of a byte.
    fn at(&self, byte: usize) -> String {
        let before = &self.text.as_bytes()[..byte.min(self.text.len())];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        format!("{}:{line}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<Plan, String> {
        Reader { name: "l.toml", text, folder: Path::new("data") }
            .plan()
            .map_err(|error| error.to_string())
    }

    #[test]
    fn launches_share_buffers() {
        let text = r#"
            rtol = 1e-5
            print = ["y[0..4]"]
            expect = ["y=@want.npy"]
            save = ["y=y.npy"]
            [buffers]
            x = "f32[64]=rand"
            y = "f32[64]=@y.bin"
            [const]
            n = "i32=64"
            [[launch]]
            kernel = "scale"
            grid = 2
            block = [16, 2]
            args = ["x", "f32=2"]
            [[launch]]
            grid = "1"
            block = 64
            shared = 256
            cooperative = true
            times = 3
        "#;
        let plan = plan(text).expect("a plan");
        assert_eq!(plan.launches.len(), 2);
        let [first, second] = &plan.launches[..] else { panic!("two") };
        assert_eq!((first.grid, first.block, first.again), ([2, 1, 1], [16, 2, 1], 0));
        assert_eq!((second.again, second.shared, second.cooperative), (2, 256, true));
        assert_eq!(first.place, "l.toml:11");
        assert_eq!(plan.saves, [("y".to_owned(), "data/y.npy".into())]);
        assert_eq!(plan.prints[0].range, Some(0..4));
        assert_eq!(plan.tolerance.relative, 1e-5);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let refused = |text: &str| plan(text).expect_err("refused");
        for (text, words) in [
            ("a = ", "l.toml:1"),
            ("[[launch]]\ngrid = 1", "missing field `block`"),
            ("[[launch]]\ngrid = 1\nblok = 1", "l.toml:3: unknown field `blok`"),
            ("[buffers]\nx = \"f32[4]=ran\"\n[[launch]]\ngrid = 1\nblock = 1", "l.toml:2: `ran`"),
            (
                "[buffers]\nx = \"i32=4\"\n[[launch]]\ngrid = 1\nblock = 1",
                "l.toml:2: write a buffer",
            ),
            ("[[launch]]\ngrid = 0\nblock = 1", "l.toml:2: `0`"),
            (
                "[[launch]]\ngrid = 1\nblock = 1\nargs = [\"x\",\n \"g32=2\"]",
                "l.toml:5: there is no type",
            ),
            ("[[launch]]\ngrid = 1\nblock = 1\ntimes = 0", "l.toml:4: a launch runs"),
            ("launch = []", "no launch"),
            ("save = [\"x\"]\n[[launch]]\ngrid = 1\nblock = 1", "l.toml:1: write the name"),
        ] {
            assert!(refused(text).contains(words), "{text}: {}", refused(text));
        }
    }
}
