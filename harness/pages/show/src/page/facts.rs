//! Where the numbers come from: computer, device, what was asked for, and how it was timed.

use maud::{Markup, html};
use report::format::{self, grouped};
use report::{CONFIDENCE, LEAST_EFFECT, LEAST_EFFECT_OF_FEW, Report, Request, Row, TimeSource};

use crate::words;

/// A name and what it stands for.
type Fact = (String, Option<String>);

fn named<const COUNT: usize>(facts: [(&str, Option<String>); COUNT]) -> Vec<Fact> {
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Computer, device and options next to each other.
pub fn facts(report: &Report) -> Markup {
    html! {
        div.columns {
            section { h3 { "Device" } (list(&device(report))) }
            section { h3 { "Computer" } (list(&computer(report))) }
            section { h3 { "What was asked for" } (list(&options(&report.options))) }
        }
    }
}

fn list(facts: &[Fact]) -> Markup {
    html! {
        dl {
            @for (name, value) in facts {
                @if let Some(value) = value { dt { (name) } dd { (value) } }
            }
        }
    }
}

fn device(report: &Report) -> Vec<Fact> {
    let Some(device) = &report.device else {
        return named([("Device", Some("none could be opened".to_owned()))]);
    };
    named([
        ("Name", Some(device.name.clone())),
        ("Times modelled for", device.modelled.clone()),
        ("Compute capability", device.compute_capability.map(|(a, b)| format!("{a}.{b}"))),
        ("Multiprocessors", device.multiprocessors.map(|count| count.to_string())),
        ("Highest clock", device.clock_mhz.map(|clock| format!("{clock}\u{2009}MHz"))),
        ("Memory", Some(format::bytes(device.memory_bytes as f64))),
        ("Driver", device.driver_version.clone()),
        ("CUDA", device.cuda_version.clone()),
    ])
}

fn computer(report: &Report) -> Vec<Fact> {
    let machine = &report.machine;
    named([
        ("System", Some(format!("{}, {}", machine.os, machine.arch))),
        ("Processor", machine.cpu.clone()),
        ("Hardware threads", Some(machine.cores.to_string())),
        ("Day", Some(report.date.clone())),
        ("Revision", report.revision.clone()),
        ("Limits counted anew", report.recounted.as_ref().map(ToString::to_string)),
        ("Seed of the inputs", Some(report.seed.to_string())),
    ])
}

fn options(options: &Request) -> Vec<Fact> {
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    // The CPU has neither.
    let of_kernels = |name: &str| text(name).filter(|_| options.device != "cpu");
    let file = |path: &std::path::PathBuf| path.display().to_string();
    let list = |sizes: Vec<String>| Some(sizes.join(", ")).filter(|sizes| !sizes.is_empty());
    let mut facts = named([
        ("Ladder", text(&options.ladder)),
        ("Steps", list(options.steps.clone())),
        ("Device", text(&options.device)),
        ("Code", of_kernels(&options.code)),
        ("Modelled GPU", of_kernels(&options.model)),
        ("Scheduling", of_kernels(&options.scheduling)),
        ("Threads", options.threads.map(|threads| threads.to_string())),
        ("Vectors", text(&options.vectors)),
        ("Size", options.size.map(grouped)),
        (
            "Kernel replaced",
            options.replacement.as_ref().map(|it| format!("{} as {}", file(&it.file), it.step)),
        ),
        ("Sizes", list(options.sweep_sizes.iter().map(|&n| grouped(n)).collect())),
        ("Threads a block", list(options.sweep_blocks.iter().map(u32::to_string).collect())),
        ("Parameters", list(options.sweep_defines.iter().map(ToString::to_string).collect())),
    ]);
    let of_problem = options.problem.iter();
    facts.extend(of_problem.map(|(name, value)| (format!("--{name}"), Some(value.clone()))));
    facts
}

/// How the times were made, as far as the report tells.
pub fn method(report: &Report) -> Markup {
    let measured = || report.verified().filter(|row| !row.is_modelled());
    let has_samples = measured().flat_map(|row| &row.timed).any(|it| it.samples.seconds.len() > 1);
    let has_rounds = measured().flat_map(|row| &row.timed).any(|it| !it.samples.round.is_empty());
    let confidence = 100.0 * CONFIDENCE;
    let (effect, of_few) = (100.0 * LEAST_EFFECT, 100.0 * LEAST_EFFECT_OF_FEW);
    let results = words::figure(report).map_or("results", |figure| &figure.results);
    html! {
        ul {
            li { "A step is verified before it is timed: its " (results) " against a reference. A wrong step has no time." }
            @if report.verified().any(Row::is_modelled) {
                li { "Modelled times are computed from events that the simulator counted. They are no measurement." }
            }
            @if measured().next().is_some() {
                li { "A measured time is that between two events on " (clocks(measured())) " around passes back to back, after passes that warm up." }
            }
            @if has_samples {
                li { "The number of samples is fixed before the first is taken. A time is their median, with the " (confidence) " % interval of the sign test; no sample is dropped." }
            }
            @if has_rounds {
                li { "Steps are timed in turn, round by round, so that a drifting clock affects all alike. × parent is the median of the ratios of samples of the same round." }
            }
            li { "The verdict is “faster” or “slower” where the whole interval of × parent is more than " (effect) " % from one, else “no difference”. Without an interval the ratio itself decides, and only " (of_few) " % count." }
            li { "× first is the product of × parent along the way up, each at the n at which the two were compared." }
        }
    }
}

/// Whose clock it was.
fn clocks<'r>(mut measured: impl Iterator<Item = &'r Row>) -> &'static str {
    if measured.any(|row| row.time_source == Some(TimeSource::Host)) {
        "the host's clock"
    } else {
        "the device's own clock"
    }
}
