//! `watch`: a verdict on a reader's kernel at each save.

use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use clap::Args;
use device::{Choice, CodeRoute, DEFAULT_GPU};
use launches::readers::Event;
use show::message;
use show::table::terminal::{self, wrap};
use ui::output::{dim, print};
use ui::{Usage, new_seed};

use crate::options::LaunchLimit;
use crate::sanitize::{Asked, Task, Verdict};
use crate::spinner::Spinner;
use crate::watch::file::Watched;
use crate::watch::judge::{Judge, News};
use crate::watch::protocol::Setup;

pub(crate) const WATCH_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  cp kernels/nbody/06-shared-blocking.cu mine.cu
  harness watch mine.cu 06                  edit it, save it, read the verdict
  harness watch mine.cu transpose 02        in place of another ladder's step

Each save is compiled, verified on the simulator, checked for hazards, and
compared with the step's own kernel: changed events and modelled time. With
--sanitize a right kernel is also run under compute-sanitizer on a GPU. Ctrl-C
ends it.
Exit codes: 0 Ctrl-C; 1 no kernel can be compiled here (`harness setup` gets a
compiler); 2 usage";

/// The options of `watch`.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Your kernel, a .cu, .ptx or .rs file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The step it replaces, by number, name or folder, after its ladder if that is not nbody: `06`, `transpose 02`
    #[arg(value_name = "LADDER|STEP", required_unless_present = "stands_for")]
    pub names: Vec<String>,
    /// The step it replaces, another way to name it
    #[arg(long = "as", value_name = "STEP")]
    pub stands_for: Option<String>,
    /// The GPU whose hardware is modelled: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(short, long, alias = "model", value_name = "GPU", default_value = DEFAULT_GPU)]
    pub gpu: String,
    /// Also run a right kernel under NVIDIA's compute-sanitizer on the first GPU of this machine
    #[arg(long)]
    pub sanitize: bool,
    /// Seed of random sizes and inputs in verification [default: a new one each time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How long a launch may take
    #[command(flatten)]
    pub launches: LaunchLimit,
}

/// Gives verdicts until Ctrl-C.
pub fn run(args: &WatchArgs) -> Result<ExitCode> {
    args.launches.set();
    let names: Vec<String> = args.names.iter().chain(&args.stands_for).cloned().collect();
    let named = ladders::named(&names)?;
    let ladder = ladders::ladder_of_kernels(named.ladder().name(), "watch")?;
    let step = named.step()?;
    device::described(&args.gpu).map_err(Usage::of)?;
    let kernels = ladder.kernels()?;
    let file = args.file.display();
    if !args.file.exists() {
        let own = step.file().unwrap_or_default();
        return Err(Usage(format!(
            "there is no {file}; begin with a copy of the step's own kernel: cp kernels/{}/{own} {file}",
            ladder.name()
        ))
        .into());
    }
    // What is no kernel at all does not become one.
    if let Err(error @ device::Error::Code(toolchain::Error::NotAKernel(_))) =
        step.replaced(&args.file, &kernels)
    {
        return Err(Usage(error.to_string()).into());
    }
    let sanitize = args.sanitize.then(|| Asked::find(Choice::Auto)).transpose()?;
    let seed = args.seed.unwrap_or_else(new_seed);
    ctrlc::set_handler(|| std::process::exit(0)).context("cannot take over Ctrl-C")?;
    let mut judge = Judge::new(Setup {
        ladder: ladder.name().to_owned(),
        step: step.name.to_owned(),
        file: args.file.clone(),
        gpu: args.gpu.clone(),
        seed,
    })?;
    let mut watched = Watched::new(&args.file, &kernels);
    print(&format!("{}\n", dim(&format!("{file} in place of {}; Ctrl-C ends it", step.name))))?;
    loop {
        let mut shown = Shown::default();
        let mut is_whole = judge.ask(&mut |news| shown.hear(news), &mut || watched.is_saved())?;
        let Shown { spinner, is_impossible, is_right } = shown;
        drop(spinner);
        if is_impossible {
            return Ok(ExitCode::FAILURE);
        }
        if let Some(asked) = sanitize.as_ref().filter(|_| is_whole && is_right) {
            let task = Task {
                ladder: ladder.name().to_owned(),
                step: step.name.to_owned(),
                file: args.file.clone(),
                device: String::new(),
                code: CodeRoute::Auto.to_string(),
                seed,
            };
            let (verdict, text) = asked.run(ladder, task, &mut || watched.is_saved())?;
            print(&text)?;
            is_whole = verdict != Verdict::Stopped;
        }
        if is_whole {
            print(&format!("{}\n", dim(&format!("waiting for the next save of {file}"))))?;
            watched.wait();
        }
        print("\n")?;
    }
}

/// What the reader sees of a verdict.
#[derive(Default)]
struct Shown {
    spinner: Spinner,
    is_impossible: bool,
    is_right: bool,
}

impl Shown {
    fn hear(&mut self, news: News) -> Result<()> {
        match news {
            News::Nothing => self.spinner.tick(),
            News::Event(Event::Doing(doing)) => self.spinner.begin(&doing),
            News::Event(event) => {
                self.is_impossible |= matches!(event, Event::Impossible(_));
                self.is_right |= matches!(event, Event::Right { .. });
                self.spinner.print(&text(&event))?;
            }
        }
        Ok(())
    }
}

/// An event as it is shown.
fn text(event: &Event) -> String {
    let width = terminal::width();
    match event {
        Event::Doing(_) => String::new(),
        Event::Impossible(why) => {
            let red = AnsiColor::Red.on_default().bold();
            format!("{red}error:{red:#} {}\n", wrap(why, width))
        }
        Event::Wrong(why) => format!("{}\n", message::painted(why, width)),
        Event::Right { code, seconds, gaps } => {
            let green = AnsiColor::Green.on_default().bold();
            let bold = Style::new().bold();
            let mut text = format!(
                "{green}✓{green:#} {bold}correct at every size, no hazards{bold:#} ({seconds:.1} s; {code})\n"
            );
            for gap in gaps {
                text += &format!("{}\n", wrap(&format!("not verified: {gap}"), width));
            }
            text
        }
        Event::Compared(text) => text.clone(),
    }
}
