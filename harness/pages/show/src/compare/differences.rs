//! What differs between two runs besides their times, and what makes their times doubtful.

use std::collections::BTreeSet;

use report::{Info, Report, Request, Row};

/// A sentence for each.
pub fn warnings(a: &Report, b: &Report) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(machines(a, b));
    warnings.extend(options(a, b));
    warnings.extend(codes(a, b));
    warnings.extend(["A", "B"].into_iter().zip([a, b]).filter_map(doubts));
    warnings
}

/// The row of another report with the same step and variant.
pub fn twin<'r>(row: &Row, report: &'r Report) -> Option<&'r Row> {
    report.rows.iter().find(|other| {
        (&other.ladder, &other.step) == (&row.ladder, &row.step) && other.has_variant_of(row)
    })
}

/// `what` of A and B, if they are not the same.
fn differ(what: &str, a: String, b: String) -> Option<String> {
    (a != b).then(|| format!("another {what}: {a} in A, {b} in B"))
}

/// A value that may not be there, in words.
fn word<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

fn machines(a: &Report, b: &Report) -> Vec<String> {
    fn of(report: &Report, fact: fn(&Info) -> Option<String>) -> String {
        word(report.device.as_ref().and_then(fact))
    }
    type Fact = (&'static str, fn(&Report) -> String);
    let facts: [Fact; 9] = [
        ("device", |it| of(it, |device| Some(device.name.clone()))),
        ("modelled GPU", |it| of(it, |device| device.modelled.clone())),
        ("driver", |it| of(it, |device| device.driver_version.clone())),
        ("CUDA version of the driver", |it| of(it, |device| device.cuda_version.clone())),
        ("highest clock in MHz", |it| of(it, |device| Some(device.clock_mhz?.to_string()))),
        ("processor", |it| word(it.machine.cpu.as_ref())),
        ("number of hardware threads", |it| it.machine.cores.to_string()),
        ("operating system", |it| it.machine.os.clone()),
        ("architecture", |it| it.machine.arch.clone()),
    ];
    facts.into_iter().filter_map(|(what, fact)| differ(what, fact(a), fact(b))).collect()
}

fn options(a: &Report, b: &Report) -> Vec<String> {
    let kernel = |report: &Report| {
        let kernel = report.options.replacement.as_ref();
        word(kernel.map(|kernel| format!("{} as {}", kernel.file.display(), kernel.step)))
    };
    let scheduling = |report: &Report| match report.options.scheduling.as_str() {
        "" => "independent".to_owned(),
        other => other.to_owned(),
    };
    let values = |options: &Request| {
        let all: Vec<String> = options.sweep_defines.iter().map(ToString::to_string).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(" ") }
    };
    let (x, y) = (&a.options, &b.options);
    let found = [
        differ("seed", a.seed.to_string(), b.seed.to_string()),
        differ("--size", word(x.size), word(y.size)),
        differ("--kernel", kernel(a), kernel(b)),
        differ("--define", values(x), values(y)),
        differ("--code", x.code.clone(), y.code.clone()),
        differ("--scheduling", scheduling(a), scheduling(b)),
        differ("--threads", word(x.threads), word(y.threads)),
        differ("--vectors", x.vectors.clone(), y.vectors.clone()),
    ];
    let names: BTreeSet<&String> = x.problem.keys().chain(y.problem.keys()).collect();
    let of_problem = names.into_iter().filter_map(|name| {
        let value = |options: &Request| word(options.problem.get(name));
        differ(&format!("--{name}"), value(x), value(y))
    });
    found.into_iter().flatten().chain(of_problem).collect()
}

/// Steps whose code was made by another compiler or for another chip.
fn codes(a: &Report, b: &Report) -> Option<String> {
    let mut others = a.rows.iter().filter_map(|row| {
        let codes = (row.code.as_deref()?, twin(row, b)?.code.as_deref()?);
        (codes.0 != codes.1).then_some((row.step.as_str(), codes))
    });
    let (step, (of_a, of_b)) = others.next()?;
    let more = match others.count() {
        0 => String::new(),
        1 => " and of another step".to_owned(),
        more => format!(" and of {more} other steps"),
    };
    Some(format!("another code of {step}{more}: {of_a} in A, {of_b} in B"))
}

/// Samples that were marked when they were taken, and a workspace that differs from its revision.
fn doubts((name, report): (&str, &Report)) -> Option<String> {
    let mut samples = 0;
    let mut suspects: BTreeSet<(usize, u64, u32)> = BTreeSet::new();
    let mut reasons: BTreeSet<&str> = BTreeSet::new();
    for (place, row) in report.rows.iter().enumerate() {
        for timed in &row.timed {
            samples += timed.samples.seconds.len();
            for suspect in &timed.samples.suspects {
                suspects.insert((place, timed.n, suspect.sample));
                reasons.insert(&suspect.reason);
            }
        }
    }
    let marked = (!suspects.is_empty()).then(|| {
        let reasons = Vec::from_iter(reasons).join("; ");
        format!("{} of {samples} samples are suspect ({reasons})", suspects.len())
    });
    let changed = report.revision.as_deref().is_some_and(|revision| revision.ends_with("-dirty"));
    let changed = changed.then(|| "files differ from the revision it names".to_owned());
    let doubts: Vec<String> = marked.into_iter().chain(changed).collect();
    (!doubts.is_empty()).then(|| format!("in {name} {}", doubts.join(", and ")))
}
