//! What the comparison of two processors says, in sentences.

use report::Machine;
use report::against::{Against, Entry, PublishedTimes, Side};
use report::format::{factor, grouped};

/// The picture's message.
pub fn message(against: &Against) -> String {
    let top = against.top();
    let over =
        |opponent: &Entry, what: &str| format!("{} {what}", factor(top.rate / opponent.rate));
    let thread = against.thread().map(|thread| over(thread, "one CPU thread"));
    let is_same = against.thread == Some(against.best);
    let best = (!is_same).then(|| over(against.best(), "the best CPU step"));
    let parts: Vec<String> = [thread, best].into_iter().flatten().collect();
    format!("{} on {}: {}", top.step, against.gpu_name(top), parts.join(", "))
}

/// Where the times come from.
pub fn basis(against: &Against) -> String {
    let (gpu, cpu) = (&against.gpu.name, &against.cpu.name);
    match against.modelled() {
        (false, _) => format!("on {gpu} and on {cpu}"),
        (true, true) => format!("{cpu} measured, {gpu} modelled (simulated)"),
        (true, false) => format!("{cpu} measured, {gpu} in part modelled"),
    }
}

/// Which of the opponents a step is.
pub fn roles(against: &Against, entry: &Entry) -> Vec<&'static str> {
    let opponents = [against.thread(), against.fastest_thread(), Some(against.best())];
    let names = ["one CPU thread", "fastest on one thread", "best CPU step"];
    let is_it = |of: Option<&Entry>| of.is_some_and(|of| std::ptr::eq(of, entry));
    let named = names.into_iter().zip(opponents);
    named.filter(|(_, of)| is_it(*of)).map(|(name, _)| name).collect()
}

/// What stands under a step's name.
pub fn below(side: &Side, entry: &Entry) -> String {
    let detour = if entry.detour { "detour" } else { "" };
    let n = match side.usual_n() {
        Some(n) if n != entry.n => format!("n = {}", grouped(entry.n)),
        _ => String::new(),
    };
    let parts = [detour.to_owned(), entry.title.clone(), threads(entry), n];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// The threads of a step on a CPU: "16 threads"; empty where they are not known.
fn threads(entry: &Entry) -> String {
    match entry.threads {
        Some(1) => "1 thread".to_owned(),
        Some(threads) => format!("{threads} threads"),
        None => String::new(),
    }
}

/// A factor in three digits; far below one as documents write it: "1/72.4". A dash for what there
/// is not.
pub fn times(times: Option<f64>) -> String {
    match times {
        None => "–".to_owned(),
        Some(times) if times < 0.0995 => {
            format!("1/{}", factor(times.recip()).trim_start_matches('×'))
        }
        Some(times) => factor(times),
    }
}

/// A published figure as it was printed: "×107.5", "1/72.4".
pub fn printed(published: &PublishedTimes) -> String {
    let text = &published.text;
    if text.contains('/') { text.clone() } else { format!("×{text}") }
}

/// What a reader must know of the two runs.
pub fn runs(against: &Against) -> String {
    let detour = against.faster_detour();
    let detour =
        detour.map(|it| format!("The detour {} is faster than the best CPU step.", it.step));
    let parts = [detour, modelled(against), Some(sizes(against)), machines(against)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// That the GPU's times were not measured.
fn modelled(against: &Against) -> Option<String> {
    let name = &against.gpu.name;
    let start = match against.modelled() {
        (false, _) => return None,
        (true, true) => "The GPU's times are",
        (true, false) => "Some of the GPU's times are",
    };
    Some(format!("{start} the simulator's model of {name}, not measured."))
}

/// That rates are of different sizes, and of which.
fn sizes(against: &Against) -> String {
    let of = |side: &Side| {
        let usual = side.usual_n().unwrap_or_default();
        let others = side.steps.iter().filter(|entry| entry.n != usual);
        let others = others.map(|entry| format!("{} for {}", grouped(entry.n), entry.step));
        let others: Vec<String> = others.collect();
        match others.as_slice() {
            [] => grouped(usual),
            others => format!("{} ({})", grouped(usual), others.join(", ")),
        }
    };
    format!(
        "Each rate is taken at the step's own n, so that n differs: GPU {}, CPU {}.",
        of(&against.gpu),
        of(&against.cpu)
    )
}

/// That two computers are compared, and which; `None` where it is one, or where the GPU is a model.
fn machines(against: &Against) -> Option<String> {
    let (gpu, cpu) = (&against.gpu.machine, &against.cpu.machine);
    let name = |machine: &Machine| {
        let name = machine.cpu.as_deref().unwrap_or("a processor without a name");
        format!("{name} ({}, {} hardware threads)", machine.arch, machine.cores)
    };
    (gpu != cpu && !against.modelled().1).then(|| {
        format!(
            "Two computers: the GPU's has {}, the CPU's ladder ran on {}.",
            name(gpu),
            name(cpu)
        )
    })
}

/// What the published figures are, and whose.
pub fn published(against: &Against) -> String {
    if against.gpu.steps.iter().all(|entry| entry.published.is_empty()) {
        return String::new();
    }
    let (name, source) = (&against.published.name, &against.published.source);
    format!(
        "Published: times one thread of the CPU in the computer of each of {name}'s GPUs, which is \
         another CPU than this one. {source}."
    )
}

/// Day and revision of the two reports.
pub fn source(against: &Against) -> String {
    let (gpu, cpu) = (&against.gpu, &against.cpu);
    if gpu.source == cpu.source {
        return gpu.source.clone();
    }
    format!("GPU: {}, CPU: {}", gpu.date, cpu.date)
}
