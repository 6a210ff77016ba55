//! What is to be run and what is wanted of it: one launch as its options say, several as `--launch` or a file of launches do.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::file;
use super::invocation::Invocation;
use super::value::{self, Contents, Named, Value};
use crate::count;
use crate::names::Usage;

/// What is asked for on the command line.
#[derive(Debug, Args)]
pub struct Request {
    /// The kernel of the file; may be left out where there is only one
    #[arg(long, value_name = "NAME", conflicts_with_all = ["launch", "launches"])]
    entry: Option<String>,
    /// Blocks of the grid: X, or X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = count::parse_shape, required_unless_present_any = ["launch", "launches"], conflicts_with_all = ["launch", "launches"])]
    grid: Option<[u32; 3]>,
    /// Threads of a block: X, or X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = count::parse_shape, required_unless_present_any = ["launch", "launches"], conflicts_with_all = ["launch", "launches"])]
    block: Option<[u32; 3]>,
    /// Dynamic shared memory of a block in bytes
    #[arg(long, value_name = "BYTES", value_parser = count::parse_u32, conflicts_with_all = ["launch", "launches"])]
    shared: Option<u32>,
    /// A cooperative launch: all blocks run at once, and may wait for each other (grid.sync())
    #[arg(long)]
    cooperative: bool,
    /// The next argument of the kernel, TYPE=NUMBER or TYPE[COUNT]=FILL; see below
    #[arg(long = "arg", value_name = "VALUE", conflicts_with_all = ["launch", "launches"])]
    arguments: Vec<Named>,
    /// A __constant__ or __device__ variable: NAME=VALUE with a value as for --arg
    #[arg(long = "const", value_name = "NAME=VALUE", value_parser = value::variable)]
    variables: Vec<(String, Value)>,
    /// A buffer with a name, for structs that point to it and for several launches
    #[arg(long = "buffer", value_name = "NAME=VALUE", value_parser = value::buffer)]
    buffers: Vec<(String, Contents)>,
    /// A launch as CUDA writes it, 'KERNEL<<<GRID, BLOCK>>>(VALUE, …)'; several run in their order
    #[arg(long, value_name = "LAUNCH")]
    launch: Vec<Invocation>,
    /// A TOML file with launches, in place of --launch; see below
    #[arg(long, value_name = "FILE", conflicts_with = "launch")]
    launches: Option<PathBuf>,
    /// Print elements of a buffer after the last launch: `out`, `out[0..16]`, `out[5]`
    #[arg(long = "print", value_name = "NAME[RANGE]")]
    prints: Vec<Part>,
    /// Compare a buffer with what it must hold: NAME=FILL with a filling as for --arg
    #[arg(long = "expect", value_name = "NAME=FILL", value_parser = pair)]
    expected: Vec<(String, String)>,
    /// The greatest relative difference that --expect allows: |got - want| ≤ A + R·|want|
    #[arg(long, value_name = "R", default_value_t = 0.0, value_parser = tolerance, allow_negative_numbers = true)]
    rtol: f64,
    /// The greatest absolute difference that --expect allows
    #[arg(long, value_name = "A", default_value_t = 0.0, value_parser = tolerance, allow_negative_numbers = true)]
    atol: f64,
    /// Write a buffer to a file: NAME=FILE, a .npy, or any other for its bytes
    #[arg(long = "save", value_name = "NAME=FILE", value_parser = pair)]
    saves: Vec<(String, String)>,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// All of it, wherever it was written.
#[derive(Debug, Default)]
pub struct Plan {
    pub buffers: Vec<(String, Contents)>,
    pub variables: Vec<(String, Value)>,
    pub launches: Vec<Invocation>,
    pub prints: Vec<Part>,
    /// Buffers and the text of what they must hold.
    pub expected: Vec<(String, String)>,
    pub tolerance: Tolerance,
    pub saves: Vec<(String, PathBuf)>,
    pub seed: u64,
    /// Where files that `expected` names are looked for.
    pub folder: PathBuf,
}

/// How far a number may be from the one that is expected.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tolerance {
    pub relative: f64,
    pub absolute: f64,
}

/// Some elements of a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    /// All that it has, where none are named.
    pub range: Option<Range<u64>>,
}

impl Request {
    /// What is to be done.
    ///
    /// # Errors
    /// The file of launches cannot be read or understood.
    pub fn plan(&self) -> Result<Plan, Usage> {
        let mut plan = match &self.launches {
            Some(path) => file::read(path)?,
            None => Plan::default(),
        };
        for (number, launch) in (1..).zip(&self.launch) {
            let place = format!("--launch {number}");
            plan.launches.push(Invocation { place, ..launch.clone() });
        }
        if let (Some(grid), Some(block)) = (self.grid, self.block) {
            plan.launches.push(Invocation {
                kernel: self.entry.clone(),
                grid,
                block,
                shared: self.shared.unwrap_or(0),
                arguments: self.arguments.clone(),
                ..Invocation::default()
            });
        }
        for launch in &mut plan.launches {
            launch.cooperative |= self.cooperative;
        }
        plan.buffers.extend(self.buffers.iter().cloned());
        plan.variables.extend(self.variables.iter().cloned());
        plan.prints.extend(self.prints.iter().cloned());
        plan.expected.extend(self.expected.iter().cloned());
        plan.saves.extend(self.saves.iter().map(|(name, file)| (name.clone(), file.into())));
        if self.rtol > 0.0 || self.atol > 0.0 {
            plan.tolerance = Tolerance { relative: self.rtol, absolute: self.atol };
        }
        plan.seed = self.seed;
        Ok(plan)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let form = || format!("`{text}`: write out, out[5] or out[0..16]");
        let (name, range) = match text.split_once('[') {
            None => (text, None),
            Some((name, range)) => {
                let range = range.trim_end().strip_suffix(']').ok_or_else(form)?;
                let number = |text: &str| text.trim().parse::<u64>().map_err(|_| form());
                let range = match range.split_once("..") {
                    Some((first, end)) => number(first)?..number(end)?,
                    None => {
                        let only = number(range)?;
                        only..only.checked_add(1).ok_or_else(form)?
                    }
                };
                if range.is_empty() {
                    return Err(format!("`{text}` has no elements; the end is not one of them"));
                }
                (name, Some(range))
            }
        };
        let name = name.trim();
        if !value::is_name(name) {
            return Err(form());
        }
        Ok(Part { name: name.to_owned(), range })
    }
}

/// Reads `NAME=TEXT`.
pub fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, rest)) if value::is_name(name.trim()) && !rest.trim().is_empty() => {
            Ok((name.trim().to_owned(), rest.trim().to_owned()))
        }
        _ => Err("write the name of a buffer and what is for it: out=@want.npy".to_owned()),
    }
}

/// Reads how far a number may be off.
fn tolerance(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| "write a number that is not negative: 1e-5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_ranges_without_their_end() {
        let part = |text: &str| text.parse::<Part>().map(|part| (part.name, part.range));
        assert_eq!(part("out"), Ok(("out".to_owned(), None)));
        assert_eq!(part("out[0..16]"), Ok(("out".to_owned(), Some(0..16))));
        assert_eq!(part("out[5]"), Ok(("out".to_owned(), Some(5..6))));
        for wrong in
            ["", "out[", "out[1", "out[a]", "out[3..3]", "out[4..2]", "[1]", "o-t", "out[-1]"]
        {
            assert!(part(wrong).is_err(), "{wrong}");
        }
        assert!(part("out[18446744073709551615]").is_err());
    }

    #[test]
    fn pairs_have_two_parts() {
        assert_eq!(pair("out=@a=b.npy"), Ok(("out".to_owned(), "@a=b.npy".to_owned())));
        for wrong in ["out", "=1", "out=", "1=2"] {
            assert!(pair(wrong).is_err_and(|why| why.contains("@want.npy")), "{wrong}");
        }
        assert!(tolerance("-1").is_err() && tolerance("NaN").is_err() && tolerance("1e-3").is_ok());
    }
}
