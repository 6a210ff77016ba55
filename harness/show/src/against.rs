//! A GPU against a CPU: the steps of both in one table, and what it comes to in sentences.

use report::Machine;
use report::against::{Against, Entry, PublishedTimes, Side};
use report::format::{self, NONE, factor, grouped};

use crate::table::{Cell, Field, Table};
use crate::{Link, words};

/// What the CPU's opponents are called, in the order of [`Against::times`].
const OPPONENTS: [&str; 3] = ["one CPU thread", "fastest on one thread", "best CPU step"];

/// All steps, the CPU's first.
pub fn table(against: &Against, link: Link) -> Table {
    let times = |at: usize| {
        let field = move |entry: &&Entry| times(against.times(entry)[at]);
        Field::number(format!("× {}", OPPONENTS[at]), field)
    };
    let name = |entry: &&Entry| {
        let detour = if entry.detour { " (detour)" } else { "" };
        Cell::name(entry.step.as_str(), link(&entry.ladder, &entry.step))
            .then(format!("{detour}: {}", entry.title))
    };
    let place = |entry: &&Entry| {
        let roles = roles(against, entry);
        Cell::from(place(entry)).detail((!roles.is_empty()).then(|| roles.join(", ")))
    };
    let published = |entry: &&Entry| {
        let published: Vec<String> = entry.published.iter().map(printed).collect();
        published.join("; ")
    };
    let fields = vec![
        Field::text("step", name),
        Field::text("on", place),
        Field::number("n", |entry: &&Entry| entry.n.to_string()),
        Field::number(against.figure.unit.as_str(), |entry: &&Entry| {
            format::number(Some(against.figure.rate(entry.rate)))
        }),
        times(0),
        times(1),
        times(2),
        Field::number("error", |entry: &&Entry| format::error(entry.error)),
        Field::text("published × one CPU thread", published),
    ];
    let steps: Vec<&Entry> = against.cpu.steps.iter().chain(&against.gpu.steps).collect();
    Table::of(&steps, fields).named("GPU against CPU", caption(against).join(" "))
}

/// The table with its caption, for a page of text.
pub fn markdown(against: &Against, link: Link) -> String {
    let table = table(against, link);
    format!("{}\n{}\n", table.markdown(), table.caption)
}

/// What a run says below its table.
pub fn sentence(against: &Against) -> String {
    let top = against.top();
    let names = ["one CPU thread", "the fastest CPU step on one thread", "the best CPU step"];
    let parts = different(against).into_iter().map(|(at, opponent)| {
        let step = if at == 2 { with_threads(opponent) } else { opponent.step.clone() };
        format!("{} {} ({step})", over(top.rate / opponent.rate), names[at])
    });
    let list = words::list(&parts.collect::<Vec<_>>());
    let modelled =
        if top.modelled { " The GPU's time is modelled, only the CPU's is measured." } else { "" };
    let detour = against.faster_detour().map_or_else(String::new, |entry| {
        let times = over(top.rate / entry.rate);
        format!(" A detour of the CPU is faster than that: {times} {}.", with_threads(entry))
    });
    format!("{} on {} is {list}.{detour}{modelled}", top.step, against.gpu_name(top))
}

/// Where the times come from, in a sentence without its full stop.
pub fn basis(against: &Against) -> String {
    let (gpu, cpu) = (&against.gpu.name, &against.cpu.name);
    match against.modelled() {
        (false, _) => format!("on {gpu} and on {cpu}"),
        (true, true) => format!("{cpu} measured, {gpu} modelled (simulated)"),
        (true, false) => format!("{cpu} measured, {gpu} in part modelled"),
    }
}

/// All that a reader must know, a sentence or two each.
pub fn caption(against: &Against) -> Vec<String> {
    let notes = [
        modelled(against),
        Some(opponents(against)),
        Some(sizes(against)),
        machines(against),
        published(against),
        sources(against),
    ];
    notes.into_iter().flatten().collect()
}

/// The opponents that are different steps, by their place in [`OPPONENTS`]. Where two are the same
/// step, one thread comes before the best, and the best before the fastest on one thread.
fn different(against: &Against) -> Vec<(usize, &Entry)> {
    let best = Some(against.best).filter(|_| against.thread != Some(against.best));
    let fastest = against.fastest_thread;
    let fastest = fastest.filter(|it| against.thread != Some(*it) && against.best != *it);
    let opponents = [against.thread, fastest, best].into_iter().enumerate();
    opponents.filter_map(|(at, place)| Some((at, &against.cpu.steps[place?]))).collect()
}

/// Which of the [`OPPONENTS`] a step is.
fn roles(against: &Against, entry: &Entry) -> Vec<&'static str> {
    let opponents = [against.thread(), against.fastest_thread(), Some(against.best())];
    let named = OPPONENTS.into_iter().zip(opponents);
    let is_entry = |of: Option<&Entry>| of.is_some_and(|of| std::ptr::eq(of, entry));
    named.filter(|(_, of)| is_entry(*of)).map(|(name, _)| name).collect()
}

/// What a step runs on: "CPU, 16 threads".
fn place(entry: &Entry) -> String {
    match entry.threads {
        Some(threads) => format!("CPU, {}", words::count(threads, "thread")),
        None if entry.on_cpu => "CPU".to_owned(),
        None if entry.modelled => "GPU, modelled".to_owned(),
        None => "GPU".to_owned(),
    }
}

/// A step of the CPU and its threads: "09-threads, 16 threads".
fn with_threads(entry: &Entry) -> String {
    let threads = entry.threads.map(|threads| format!(", {}", words::count(threads, "thread")));
    format!("{}{}", entry.step, threads.unwrap_or_default())
}

/// "123×", for sentences.
fn over(times: f64) -> String {
    format!("{}×", factor(times).trim_start_matches('×'))
}

/// A factor in three digits; far below one as documents print it: "1/72.4".
fn times(times: Option<f64>) -> String {
    match times {
        None => NONE.to_owned(),
        Some(times) if times < 0.0995 => {
            format!("1/{}", factor(times.recip()).trim_start_matches('×'))
        }
        Some(times) => factor(times),
    }
}

/// A published figure as it was printed, and where.
fn printed(published: &PublishedTimes) -> String {
    let PublishedTimes { gpu, slide, n, text, .. } = published;
    let times = if text.contains('/') { "" } else { "×" };
    let n = n.map_or_else(|| "n not stated".to_owned(), |n| format!("n = {}", grouped(n)));
    format!("{times}{text} on {gpu}, {n}, slide {slide}")
}

/// What the opponents are.
fn opponents(against: &Against) -> String {
    let known = [against.thread(), against.fastest_thread(), Some(against.best())];
    let what = ["One CPU thread", "Fastest on one thread", "Best CPU step"];
    let parts = what.iter().zip(known).map(|(what, entry)| {
        let entry = entry.map_or_else(|| "not known".to_owned(), with_threads);
        format!("{what}: {entry}")
    });
    let parts: Vec<String> = parts.collect();
    let first = if against.thread.is_some() { " (the ladder's first step)" } else { "" };
    let detour = against.faster_detour().map_or_else(String::new, |entry| {
        let times = over(entry.rate / against.best().rate);
        format!(" A detour was faster than that: {}, {times} its rate.", with_threads(entry))
    });
    format!("{}{first}. {}. {}.{detour}", parts[0], parts[1], parts[2])
}

/// That rates are of different sizes, and of which.
fn sizes(against: &Against) -> String {
    let of = |side: &Side| {
        let usual = side.usual_n().unwrap_or_default();
        let others = side.steps.iter().filter(|entry| entry.n != usual);
        let others: Vec<String> =
            others.map(|entry| format!("{} for {}", grouped(entry.n), entry.step)).collect();
        match others.as_slice() {
            [] => grouped(usual),
            others => format!("{} ({})", grouped(usual), others.join(", ")),
        }
    };
    let (gpu, cpu) = (of(&against.gpu), of(&against.cpu));
    format!("Each rate is that at the step's own n: GPU {gpu}, CPU {cpu}.")
}

/// That two computers are compared, and which; none where it is one, or where the GPU is a model.
fn machines(against: &Against) -> Option<String> {
    let (gpu, cpu) = (&against.gpu.machine, &against.cpu.machine);
    let name = |machine: &Machine| {
        let name = machine.cpu.as_deref().unwrap_or("a processor without a name");
        format!("{name} ({}, {} hardware threads)", machine.arch, machine.cores)
    };
    (gpu != cpu && !against.modelled().1).then(|| {
        let (gpu, cpu) = (name(gpu), name(cpu));
        format!("Two computers: the GPU's has {gpu}, the CPU's ladder ran on {cpu}.")
    })
}

/// That the GPU's times are not measured; none where they are.
fn modelled(against: &Against) -> Option<String> {
    let what = match against.modelled() {
        (false, _) => return None,
        (true, true) => "The GPU's times are",
        (true, false) => "Some of the GPU's times are",
    };
    Some(format!("{what} the simulator's model of {}, not measured.", against.gpu.name))
}

/// Whose figures the published ones are; none where there are none.
fn published(against: &Against) -> Option<String> {
    let any = against.gpu.steps.iter().any(|entry| !entry.published.is_empty());
    let source = &against.published.source;
    any.then(|| format!("Published: times one thread of the CPU in that GPU's computer. {source}."))
}

/// When the two reports were made, where that is not the same.
fn sources(against: &Against) -> Option<String> {
    let (gpu, cpu) = (&against.gpu.source, &against.cpu.source);
    (gpu != cpu).then(|| format!("GPU's report: {gpu}. CPU's report: {cpu}."))
}

#[cfg(test)]
mod tests {
    use report::published::{Line, Published};
    use report::synthetic::{self, host, sweep};
    use report::{Outcome, Report, TimeSource};

    use super::*;
    use crate::NO_LINK;

    fn compare(gpu: &Report, cpu: &Report) -> Against {
        let line = Line {
            step: "01-one-thread".to_owned(),
            slide: 28,
            against: "one CPU thread".to_owned(),
            gpu: "Quadro FX 5800 (CC 1.3)".to_owned(),
            n: Some(10_000),
            time_steps: None,
            ratio: "1/72.4".to_owned(),
        };
        let source = "A. Author".to_owned();
        let published = Published { name: "the talk".to_owned(), source, lines: vec![line] };
        Against::of(gpu, cpu, &published).expect("both have steps")
    }

    fn modelled() -> Report {
        let mut report = synthetic::report(sweep().rows, true);
        for row in &mut report.rows {
            (row.outcome, row.time_source) = (Outcome::Simulated, Some(TimeSource::Model));
        }
        report
    }

    #[test]
    fn the_sentence_names_the_opponents() {
        let text = sentence(&compare(&sweep(), &host()));
        let start = "07-unroll on GPU <A&B> is ";
        assert!(text.starts_with(start), "{text}");
        for said in [" one CPU thread (01-c-loop), ", " and ", "(08-threads, 32 threads)."] {
            assert!(text.contains(said), "{said}: {text}");
        }
        let text = sentence(&compare(&modelled(), &host()));
        assert!(text.contains("modelled, only the CPU's is measured."), "{text}");
    }

    #[test]
    fn the_table_has_every_step_and_what_was_published() {
        let against = compare(&sweep(), &host());
        let text = markdown(&against, &|ladder, step| Some(format!("{ladder}/{step}.md")));
        let lines: Vec<&str> = text.lines().take_while(|line| line.starts_with('|')).collect();
        assert_eq!(lines.len(), 2 + 9 + 8, "{text}");
        let first = "| [01-c-loop](cpu/01-c-loop.md): idea of 01-c-loop | CPU, 1 thread | 16384 | \
                     0.310 | ×1.00 | 1/19.7 | 1/552 |";
        assert!(lines[2].starts_with(first), "{}", lines[2]);
        assert!(
            lines[11].contains("1/72.4 on Quadro FX 5800 (CC 1.3), n = 10\u{2009}000, slide 28")
        );
        assert!(text.contains("(detour)") && text.contains("One CPU thread: 01-c-loop"), "{text}");
        assert!(text.contains("A. Author."), "{text}");
        let sizes = "own n: GPU 131\u{2009}072 (8192 for 01-one-thread), CPU 16\u{2009}384.";
        assert!(text.contains(sizes), "{text}");
    }

    #[test]
    fn what_is_modelled_and_two_computers_are_said() {
        let mut cpu = host();
        assert!(!caption(&compare(&sweep(), &cpu)).join(" ").contains("Two computers"));
        cpu.machine.cpu = Some("Another processor".to_owned());
        cpu.machine.cores = 64;
        cpu.date = "2026-11-21".to_owned();
        let caption_of = |gpu: &Report| caption(&compare(gpu, &cpu)).join(" ");
        let text = caption_of(&sweep());
        assert!(text.contains("the GPU's has A processor (x86_64, 2 hardware threads)"), "{text}");
        assert!(text.contains("ran on Another processor (x86_64, 64 hardware threads)"), "{text}");
        assert!(text.contains("CPU's report: 2026-11-21"), "{text}");
        // A model's times are of no computer.
        let text = caption_of(&modelled());
        assert!(!text.contains("Two computers") && text.contains("not measured"), "{text}");
        let table = table(&compare(&modelled(), &host()), NO_LINK).markdown();
        assert!(table.contains("GPU, modelled") && !table.contains("| GPU |"), "{table}");
        assert_eq!(basis(&compare(&sweep(), &host())), "on GPU <A&B> and on A processor");
    }
}
