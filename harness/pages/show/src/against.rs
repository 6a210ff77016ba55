//! A GPU against a CPU: the steps of both in one table, and what it comes to in sentences.

use report::against::{Against, Entry, OPPONENTS, PublishedTimes, times};
use report::format::{self, factor, grouped};

use crate::steps::idea;
use crate::table::{Cell, Field, Table};
use crate::{Link, words};

/// All steps, the CPU's first.
pub fn table(against: &Against, link: Link) -> Table {
    let times = |at: usize| {
        let field = move |entry: &&Entry| {
            Cell::from(times(against.times(entry)[at]))
                .detail(against.intervals(entry)[at].map(format::ends))
        };
        Field::number(format!("× {}", OPPONENTS[at]), field)
    };
    let name = |entry: &&Entry| {
        idea(&entry.step, link(&entry.ladder, &entry.step), entry.detour, &entry.title)
    };
    let place = |entry: &&Entry| {
        let roles = against.roles(entry);
        Cell::from(place(entry)).detail((!roles.is_empty()).then(|| roles.join(", ")))
    };
    let published =
        |entry: &&Entry| entry.published.iter().map(printed).collect::<Vec<_>>().join("; ");
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
        let interval = against.intervals(top)[at];
        let interval = match interval {
            Some(interval) => format!("; {}", format::ends(interval)),
            // That is said once, below.
            None if top.modelled => String::new(),
            None => "; too few samples for an interval".to_owned(),
        };
        format!("{} {} ({step}{interval})", factor(top.rate / opponent.rate), names[at])
    });
    let list = words::list(&parts.collect::<Vec<_>>());
    let modelled = if top.modelled {
        " The GPU's time is modelled, only the CPU's is measured: there is no interval."
    } else {
        ""
    };
    let detour = against.faster_detour().map_or_else(String::new, |entry| {
        let times = factor(top.rate / entry.rate);
        format!(" A detour of the CPU is faster than that: {times} {}.", with_threads(entry))
    });
    format!("{} on {} is {list}.{detour}{modelled}", top.step, against.gpu_name(top))
}

/// All that a reader must know, a sentence or two each.
pub fn caption(against: &Against) -> Vec<String> {
    let sizes = format!("Each rate is that at the step's own n: {}.", against.sizes());
    let is_published = against.gpu.steps.iter().any(|entry| !entry.published.is_empty());
    let published = is_published.then(|| {
        let source = &against.published.source;
        format!("Published: times one thread of the CPU in that GPU's computer. {source}.")
    });
    let (gpu, cpu) = (&against.gpu.source, &against.cpu.source);
    let sources = (gpu != cpu).then(|| format!("GPU's report: {gpu}. CPU's report: {cpu}."));
    let opponents = Some(opponents(against));
    let notes = [against.model(), opponents, Some(sizes), against.machines(), published, sources];
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

/// A published figure as it was printed, and where.
fn printed(published: &PublishedTimes) -> String {
    let PublishedTimes { gpu, slide, n, .. } = published;
    let n = n.map_or_else(|| "n not stated".to_owned(), |n| format!("n = {}", grouped(n)));
    format!("{} on {gpu}, {n}, slide {slide}", published.printed())
}

/// What the opponents are.
fn opponents(against: &Against) -> String {
    let known = [against.thread(), against.fastest_thread(), Some(against.best())];
    let [thread, fastest, best] =
        known.map(|entry| entry.map_or_else(|| "not known".to_owned(), with_threads));
    let first = if against.thread.is_some() { " (the ladder's first step)" } else { "" };
    let detour = against.faster_detour().map_or_else(String::new, |entry| {
        let times = factor(entry.rate / against.best().rate);
        format!(" A detour was faster than that: {}, {times} its rate.", with_threads(entry))
    });
    format!(
        "One CPU thread: {thread}{first}. Fastest on one thread: {fastest}. Best CPU step: \
         {best}.{detour}"
    )
}

#[cfg(test)]
mod tests {
    use report::Report;
    use report::synthetic::{self, host, modelled, sweep};

    use super::*;
    use crate::{NO_LINK, says};

    fn compare(gpu: &Report, cpu: &Report) -> Against {
        let line = ("01-one-thread", 28, "one CPU thread", Some(10_000), ["1/72.4", "1/36.7"]);
        Against::of(gpu, cpu, &synthetic::published(&[line])).expect("both have steps")
    }

    fn model() -> Report {
        modelled(synthetic::report(sweep().rows, true))
    }

    #[test]
    fn the_sentence_names_the_opponents() {
        let text = sentence(&compare(&sweep(), &host()));
        assert!(text.starts_with("07-unroll on GPU <A&B> is "), "{text}");
        let few = "; too few samples for an interval";
        let opponents = [" one CPU thread (01-c-loop", " and ", "(08-threads, 32 threads"];
        says(&text, &[opponents[0], opponents[1], opponents[2], &format!("01-c-loop{few}), ")]);
        let text = sentence(&compare(&model(), &host()));
        says(&text, &["modelled, only the CPU's is measured: there is no interval."]);
    }

    #[test]
    fn the_table_has_every_step_and_what_was_published() {
        let against = compare(&sweep(), &host());
        let text = markdown(&against, &|ladder, step| Some(format!("{ladder}/{step}.md")));
        let lines = text.lines().take_while(|line| line.starts_with('|'));
        assert_eq!(lines.count(), 2 + 9 + 8, "{text}");
        says(
            &text,
            &[
                "|\n| [01-c-loop](cpu/01-c-loop.md): idea of 01-c-loop | CPU, 1 thread | 16384 | \
                 0.310 | 1.00× | 1/19.7 | 1/552 |",
                "1/72.4 on GPU One (CC 1.3), n = 10\u{2009}000, slide 28",
                "(detour)",
                "One CPU thread: 01-c-loop",
                "A. Author, A Talk.",
                "own n: GPU 131\u{2009}072 (8192 for 01-one-thread), CPU 16\u{2009}384.",
            ],
        );
    }

    #[test]
    fn what_is_modelled_and_two_computers_are_said() {
        let mut cpu = host();
        assert!(!caption(&compare(&sweep(), &cpu)).join(" ").contains("Two computers"));
        cpu.machine.cpu = Some("Another processor".to_owned());
        cpu.machine.cores = 64;
        cpu.date = "2026-11-21".to_owned();
        says(
            &caption(&compare(&sweep(), &cpu)).join(" "),
            &[
                "the GPU's has A processor (x86_64, 2 hardware threads)",
                "ran on Another processor (x86_64, 64 hardware threads)",
                "CPU's report: 2026-11-21",
            ],
        );
        // A model's times are of no computer.
        let text = caption(&compare(&model(), &cpu)).join(" ");
        assert!(!text.contains("Two computers") && text.contains("not measured"), "{text}");
        let table = table(&compare(&model(), &host()), NO_LINK).markdown();
        assert!(table.contains("GPU, modelled") && !table.contains("| GPU |"), "{table}");
        assert_eq!(compare(&sweep(), &host()).basis(), "on GPU <A&B> and on A processor");
    }
}
