//! What the comparison says, in sentences.

use report::Machine;

use super::{Against, Entry, Published, Side};
use crate::plot::numbers;
use crate::published::SOURCE;

/// What the CPU's opponents are called, in the order of [`Against::times`].
pub const OPPONENTS: [&str; 3] = ["one CPU thread", "fastest on one thread", "best CPU step"];

/// "123×", for sentences.
fn times(factor: f64) -> String {
    format!("{}×", numbers::factor(factor).trim_start_matches('×'))
}

/// The opponents that are different steps, by their place in [`OPPONENTS`]. Of two that are the same
/// one, one thread tells more than the best, and the best more than the fastest on one thread.
fn different(against: &Against) -> Vec<(usize, &Entry)> {
    let best = Some(against.best).filter(|_| against.thread != Some(against.best));
    let fastest = against.fastest_thread;
    let fastest = fastest.filter(|it| against.thread != Some(*it) && against.best != *it);
    let opponents = [against.thread, fastest, best].into_iter().enumerate();
    opponents.filter_map(|(at, place)| Some((at, &against.cpu.steps[place?]))).collect()
}

/// Which of the [`OPPONENTS`] a step of the CPU is.
pub fn roles(against: &Against, place: usize) -> Vec<&'static str> {
    let opponents = [against.thread, against.fastest_thread, Some(against.best)];
    let named = OPPONENTS.into_iter().zip(opponents);
    named.filter(|(_, of)| *of == Some(place)).map(|(name, _)| name).collect()
}

/// The threads of a step on a CPU: "16 threads"; empty where they are not known.
pub fn threads(entry: &Entry) -> String {
    match entry.threads {
        Some(1) => "1 thread".to_owned(),
        Some(threads) => format!("{threads} threads"),
        None => String::new(),
    }
}

/// A step of the CPU and its threads: "09-threads, 16 threads".
fn with_threads(entry: &Entry) -> String {
    match entry.threads {
        Some(_) => format!("{}, {}", entry.step, threads(entry)),
        None => entry.step.clone(),
    }
}

/// A published figure as it was printed: "×107.5", "1/72.4".
pub fn printed(published: &Published) -> String {
    let text = &published.text;
    if text.contains('/') { text.clone() } else { format!("×{text}") }
}

/// What a run says below its table, but for where the picture is.
pub fn sentence(against: &Against) -> String {
    let top = against.top();
    let parts = different(against).into_iter().map(|(at, opponent)| {
        let what =
            ["one CPU thread", "the fastest CPU step on one thread", "the best CPU step"][at];
        let step = if at == 2 { with_threads(opponent) } else { opponent.step.clone() };
        format!("{} {what} ({step})", times(top.rate / opponent.rate))
    });
    let parts: Vec<String> = parts.collect();
    let list = match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    };
    let modelled = if top.modelled {
        " The GPU's time is a model's, only the CPU's was measured."
    } else {
        ""
    };
    let detour = against.faster_detour().map_or_else(String::new, |entry| {
        let times = times(top.rate / entry.rate);
        format!(" A detour of the CPU is faster than that: {times} {}.", with_threads(entry))
    });
    format!("{} on {} is {list}.{detour}{modelled}", top.step, against.gpu_name(top))
}

/// The picture's message.
pub fn message(against: &Against) -> String {
    let top = against.top();
    let parts = different(against).into_iter().filter(|(at, _)| *at != 1);
    let parts: Vec<String> = parts
        .map(|(at, opponent)| {
            let what = if at == 0 { "one CPU thread" } else { "the best CPU step" };
            format!("{} {what}", numbers::factor(top.rate / opponent.rate))
        })
        .collect();
    format!("{} on {}: {}", top.step, against.gpu_name(top), parts.join(", "))
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

/// What the opponents are.
pub fn opponents(against: &Against) -> String {
    let known = [against.thread(), against.fastest_thread(), Some(against.best())];
    let what = ["One CPU thread", "Fastest on one thread", "Best CPU step"];
    let parts = what.iter().zip(known).map(|(what, entry)| match entry {
        Some(entry) => format!("{what}: {}", with_threads(entry)),
        None => format!("{what}: not known"),
    });
    let parts: Vec<String> = parts.collect();
    let first = if against.thread.is_some() { " (the tutorial's loop)" } else { "" };
    let detour = against.faster_detour().map_or_else(String::new, |entry| {
        let times = times(entry.rate / against.best().rate);
        format!(" Faster than that was a detour: {}, {times} its rate.", with_threads(entry))
    });
    format!("{}{first}. {}. {}.{detour}", parts[0], parts[1], parts[2])
}

/// That rates are of different sizes, and of which.
pub fn sizes(against: &Against) -> String {
    let of = |side: &Side| {
        let usual = side.usual_n().unwrap_or_default();
        let others = side.steps.iter().filter(|entry| entry.n != usual);
        let others: Vec<String> =
            others.map(|entry| format!("{} for {}", numbers::count(entry.n), entry.step)).collect();
        match others.as_slice() {
            [] => numbers::count(usual),
            others => format!("{} ({})", numbers::count(usual), others.join(", ")),
        }
    };
    format!(
        "Each rate is n² / time at the step's own n, so that n differs: GPU {}, CPU {}.",
        of(&against.gpu),
        of(&against.cpu)
    )
}

/// That two computers are compared, and which; none where it is one, or where the GPU is a model.
pub fn machines(against: &Against) -> Option<String> {
    let (gpu, cpu) = (&against.gpu.machine, &against.cpu.machine);
    let name = |machine: &Machine| {
        let name = machine.cpu.as_deref().unwrap_or("a processor without a name");
        format!("{name} ({}, {} hardware threads)", machine.arch, machine.cores)
    };
    (gpu != cpu && !against.modelled().1).then(|| {
        format!(
            "Two computers: beside the GPU is {}, the CPU's ladder ran on {}.",
            name(gpu),
            name(cpu)
        )
    })
}

/// That the GPU's times are none; none where they are.
pub fn modelled(against: &Against) -> Option<String> {
    let what = match against.modelled() {
        (false, _) => return None,
        (true, true) => "The GPU's times are",
        (true, false) => "Some of the GPU's times are",
    };
    Some(format!("{what} the simulator's model of {}, not measured.", against.gpu.name))
}

/// Whose figures the published ones are; none where there are none.
pub fn published(against: &Against) -> Option<String> {
    let any = against.gpu.steps.iter().any(|entry| !entry.published.is_empty());
    any.then(|| {
        format!(
            "Published: times one thread of the CPU beside each of the tutorial's GPUs, which is \
             another CPU than this one. {SOURCE}."
        )
    })
}

/// When the two reports were made, where that is not the same.
pub fn sources(against: &Against) -> Option<String> {
    let (gpu, cpu) = (&against.gpu.source, &against.cpu.source);
    (gpu != cpu).then(|| format!("GPU's report: {gpu}. CPU's report: {cpu}."))
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
