//! A launch as a part asks for it, and the command that makes the same in a terminal.

/// A launch of a committed kernel.
#[derive(Debug, Clone)]
pub struct Request {
    /// The kernel's file from the root of the repository on, without its ending.
    pub file: &'static str,
    /// The text of its `.cu`.
    pub source: &'static str,
    /// The text of its `.ptx`.
    pub ptx: String,
    /// The kernel's name.
    pub kernel: &'static str,
    /// Blocks.
    pub grid: u32,
    /// Threads of a block.
    pub block: u32,
    /// One for each parameter, as the program reads them: `f32[64]=rand`.
    pub arguments: Vec<String>,
    /// Names and values of variables.
    pub constants: Vec<(&'static str, String)>,
    /// Instructions of each of the first four warps whose steps are recorded.
    pub recorded: u64,
    /// Whether to look for hazards.
    pub hazards: bool,
}

impl Request {
    /// What counts the same in a terminal.
    pub fn command(&self) -> String {
        let Request { file, kernel, grid, block, .. } = self;
        let mut command =
            format!("harness events {file}.ptx --entry {kernel} --grid {grid} --block {block}");
        for (name, value) in &self.constants {
            command += &format!(" --const {name}={value}");
        }
        for value in &self.arguments {
            command += &format!(" --arg {value}");
        }
        command
    }
}
