//! What options ask for: one launch, several with `--launch`, or a file of launches.

use std::path::PathBuf;

use clap::Args;
use ui::{Usage, count};

use super::buffer::Contents;
use super::file;
use super::invocation::Invocation;
use super::plan::{Part, Plan, Tolerance, pair};
use super::value::{self, Named, Value};

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

/// Reads how far a number may be off.
fn tolerance(text: &str) -> Result<f64, Usage> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| "write a number that is not negative: 1e-5".into())
}

#[cfg(test)]
mod tests {
    use super::tolerance;

    #[test]
    fn tolerances_are_numbers_that_are_not_negative() {
        assert!(tolerance("-1").is_err() && tolerance("NaN").is_err() && tolerance("1e-3").is_ok());
    }
}
