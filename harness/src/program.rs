//! What the reader's program and the maintainers' share: the options of every command, and how a command ends.

use std::process::ExitCode;

use anstream::ColorChoice;
use anyhow::Result;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, ValueEnum};
use toolchain::compiler::{self, Maker};

use ui::Usage;
use ui::output::{explain, hush, say};

/// Colours of the help.
pub const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Options of every command.
#[derive(Debug, Clone, Copy, Args)]
pub struct Common {
    /// When to use colours: `auto` uses them on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
    /// Suppress progress output
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Compile all kernels with this compiler, those with committed PTX too; `auto` compiles what must be, with NVRTC where
    /// it is, else with clang [default: auto, or LADDER_COMPILER]
    #[arg(long, global = true, value_name = "WHICH", value_enum, hide_short_help = true)]
    pub compiler: Option<Compiler>,
}

/// What compiles kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Compiler {
    /// NVRTC where it is, else clang
    Auto,
    /// NVIDIA's compiler
    Nvrtc,
    /// LLVM's compiler
    Clang,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal
    Auto,
    /// Into files and pipes too
    Always,
    /// Nowhere
    Never,
}

/// Applies the common options, and makes bad surroundings an error of the file that they are about.
pub fn begin(common: Common) {
    match common.color {
        Colour::Auto => ColorChoice::Auto,
        Colour::Always => ColorChoice::Always,
        Colour::Never => ColorChoice::Never,
    }
    .write_global();
    if common.quiet {
        hush();
    }
    let maker = match common.compiler {
        Some(Compiler::Nvrtc) => Some(Maker::Nvrtc),
        Some(Compiler::Clang) => Some(Maker::Clang),
        Some(Compiler::Auto) | None => None,
    };
    if let Some(maker) = maker {
        compiler::choose(maker);
        processes::hand_down(compiler::VARIABLE, maker.to_string());
    }
    // An empty name would put temporary files into the current folder.
    if std::env::var_os("TMPDIR").is_some_and(|name| name.is_empty()) {
        let _ = tempfile::env::override_temp_dir("/tmp".as_ref());
    }
    // A file that may not grow any more is a failed write, and not the end of the program.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(
        signal_hook::consts::SIGXFSZ,
        std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false)),
    );
}

/// The exit code of a command, after its error is printed: 2 for a mistake in the command line, 1 for any other.
pub fn end(done: Result<ExitCode>) -> ExitCode {
    let code = done.unwrap_or_else(|error| {
        let red = AnsiColor::Red.on_default().bold();
        say(&format!("{red}error:{red:#} {}", explain(&error)));
        ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
    });
    device::leave_if_driver_hangs(code);
    code
}
