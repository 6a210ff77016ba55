//! What is wrong with results, or with what a launch is given. No line is at fault for certain: the first that is not as
//! in the step's own kernel is shown.

use super::form::{HELP, Message, Place, Versions};
use super::text::{kernels, names, nearest, without_comment};
use crate::judge::{Mismatch, Tolerance, ValueMismatch};

/// What is said of an element that still holds what memory was filled with before the launch.
pub const UNWRITTEN: &str = "no thread has written it";

pub(super) fn message(wrong: &Mismatch, versions: Versions) -> Message {
    let (head, mut facts) = match wrong {
        Mismatch::Other { n, what } => (format!("wrong at n = {n}: {what}"), Vec::new()),
        Mismatch::Values(mismatch) => {
            let ValueMismatch { quantity, n, place, got, expected, errors, tolerance } =
                &**mismatch;
            let is_unwritten = got.contains(UNWRITTEN);
            let (got, expected) = match is_unwritten {
                true => (got.clone(), expected.clone()),
                false => aligned(got, expected),
            };
            let mut facts = vec![("where", place.clone()), ("got", got), ("expected", expected)];
            if *tolerance != Tolerance::EXACT {
                facts.push((
                    "error",
                    format!(
                        "{:.2e} (allowed {:.2e}), rms of all {:.2e} (allowed {:.2e})",
                        errors.worst, tolerance.worst, errors.rms, tolerance.rms
                    ),
                ));
            } else if errors.worst.is_finite() {
                facts
                    .push(("error", format!("{:.2e} (allowed 0: it must be exact)", errors.worst)));
            }
            if is_unwritten {
                let help = "see which elements the threads' indices reach, and which conditions keep threads from their store";
                facts.push((HELP, help.to_owned()));
            } else if mismatch.got.contains("NaN") {
                let help = "NaN is what results hold that no thread has written, and what 0 · ∞ and \
                            ∞ − ∞ give: see which threads come to the stores, and what they divide by";
                facts.push((HELP, help.to_owned()));
            }
            (format!("wrong {quantity} at n = {n}"), facts)
        }
    };
    facts.extend(unset(versions).map(|help| (HELP, help)));
    Message { head, places: first_difference(versions).into_iter().collect(), facts }
}

pub(super) fn no_kernel(kernel: &str, versions: Versions) -> Message {
    let text = versions.source.cuda.as_deref().unwrap_or_default();
    let found = kernels(text);
    let known = versions.original.and_then(|original| original.cuda.as_deref()).unwrap_or_default();
    let known: Vec<&str> = kernels(known).into_iter().map(|(name, _)| name).collect();
    let unknown = found.iter().filter(|(name, _)| !known.contains(name));
    let near = nearest(kernel, unknown.clone().map(|(name, _)| *name));
    let place = unknown.clone().find(|(name, _)| near.is_none_or(|near| *name == near));
    let place = place.and_then(|(name, line)| {
        Place::at(
            &versions.source.file,
            text,
            *line,
            Some(name),
            "this one is not launched".to_owned(),
        )
    });
    let help = match text.contains("extern \"C\"") || text.is_empty() {
        true => format!("call the kernel `{kernel}`: that is what the step launches"),
        false => format!("write extern \"C\" __global__ void {kernel}: C++ changes other names"),
    };
    let has: Vec<&str> = found.into_iter().map(|(name, _)| name).collect();
    let has = if has.is_empty() { "no kernel".to_owned() } else { has.join(", ") };
    Message {
        head: format!("{} has no kernel `{kernel}`, which the step launches", versions.source.file),
        places: place.into_iter().collect(),
        facts: vec![("has", has), (HELP, help)],
    }
}

pub(super) fn refused(kernel: &str, what: &str, versions: Versions) -> Message {
    let at = |text, file, label| {
        let (_, line) = kernels(text).into_iter().find(|(name, _)| *name == kernel)?;
        Place::at(file, text, line, Some(kernel), label)
    };
    let text = versions.source.cuda.as_deref().unwrap_or_default();
    let place = at(text, &versions.source.file, what.to_owned());
    let original = versions.original.and_then(|original| {
        let text = original.cuda.as_deref().unwrap_or_default();
        at(text, &original.file, "what it stands for".to_owned())
    });
    Message {
        head: format!("kernel `{kernel}` {what}"),
        places: place.into_iter().chain(original).collect(),
        facts: vec![(HELP, "give it the parameters of the kernel that it stands for".to_owned())],
    }
}

/// The first line that is not as in the step's own kernel.
pub(super) fn first_difference(Versions { source, original }: Versions) -> Option<Place> {
    let original = original?;
    let (mine, own) = (source.cuda.as_deref()?, original.cuda.as_deref()?);
    let mut others = own.lines().map(str::trim_end);
    let (line, other) = (1..)
        .zip(mine.lines().map(str::trim_end))
        .map(|(line, code)| (line, code, others.next()))
        .find_map(|(line, code, other)| (Some(code) != other).then_some((line, other)))?;
    let label = match other.map(str::trim) {
        Some(other) if !other.is_empty() => format!("here {} has `{other}`", original.file),
        _ => format!("the first line that {} has not", original.file),
    };
    Place::at(&source.file, mine, line, None, label)
}

/// What to do about `__constant__` variables that no host sets, since the step's own kernel has none of these names.
fn unset(Versions { source, original }: Versions) -> Option<String> {
    let declared = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.trim_start().starts_with("__constant__"));
        let words = lines.flat_map(|line| names(without_comment(line)).collect::<Vec<_>>());
        words.map(str::to_owned).collect()
    };
    let own = declared(original?.cuda.as_deref()?);
    let mut new = declared(source.cuda.as_deref()?);
    new.retain(|name| !own.contains(name));
    let first = new.first()?;
    Some(format!(
        "the host sets no __constant__ `{first}`, which stays 0: keep the name that the step's own \
         kernel has"
    ))
}

/// Numbers below each other.
fn aligned(got: &str, expected: &str) -> (String, String) {
    let parts = |text: &str| -> Vec<String> {
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        inner.unwrap_or(text).split(", ").map(str::to_owned).collect()
    };
    let (one, other) = (parts(got), parts(expected));
    if one.len() != other.len() {
        return (got.to_owned(), expected.to_owned());
    }
    let wide = |text: &str| text.chars().count();
    let whole = |text: &str| wide(text.split('.').next().unwrap_or(text));
    let padded = |own: &[String], others: &[String]| {
        let pairs = own.iter().zip(others).map(|(own, other)| {
            let before = whole(own).max(whole(other));
            let width = before + (wide(own) - whole(own)).max(wide(other) - whole(other));
            let text = format!("{}{own}", " ".repeat(before - whole(own)));
            format!("{text:width$}")
        });
        pairs.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    (padded(&one, &other), padded(&other, &one))
}

#[cfg(test)]
mod tests {
    use device::Source;

    use super::*;
    use crate::judge::Errors;

    fn source(file: &str, text: &str) -> Source {
        Source { file: file.to_owned(), cuda: Some(text.to_owned()), ..Source::default() }
    }

    const OWN: &str =
        "__constant__ float eps;\nextern \"C\" __global__ void sum(int n)\n{\n  a += b;\n}\n";

    fn explained(mine: &str, what: impl Fn(Versions) -> Message) -> String {
        let (mine, own) = (source("mine.cu", mine), source("kernels/toy/01-a.cu", OWN));
        what(Versions { source: &mine, original: Some(&own) }).text()
    }

    fn wrong(got: &str) -> Mismatch {
        Mismatch::Values(Box::new(ValueMismatch {
            quantity: "sums".to_owned(),
            n: 33,
            place: "element 32".to_owned(),
            got: got.to_owned(),
            expected: "(1.5, -2.25)".to_owned(),
            errors: Errors { rms: 0.5, worst: 1.0, worst_index: 32 },
            tolerance: Tolerance { rms: 1e-6, worst: 2e-6 },
        }))
    }

    #[test]
    fn wrong_results_stand_below_those_expected_and_the_change_above() {
        let mine = OWN.replace("a += b", "a -= b");
        let text = explained(&mine, |versions| message(&wrong("(-1.5, 0)"), versions));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "error: wrong sums at n = 33",
                "   --> mine.cu:4:3",
                "    |",
                "  4 |   a -= b;",
                "    |   ^ here kernels/toy/01-a.cu has `a += b;`",
                "    = where:    element 32",
                "    = got:      -1.5   0",
                "    = expected:  1.5  -2.25",
                "    = error:    1.00e0 (allowed 2.00e-6), rms of all 5.00e-1 (allowed 1.00e-6)",
            ]
        );
        let text = explained(&mine, |versions| message(&wrong("(NaN, 0)"), versions));
        assert!(text.contains("no thread has written"), "{text}");
        let unwritten = wrong(&format!("NaN: {UNWRITTEN}"));
        let text = explained(&mine, |versions| message(&unwritten, versions));
        assert!(
            text.contains("NaN: no thread has written it\n") && text.contains("keep threads from"),
            "{text}"
        );
    }

    #[test]
    fn a_constant_that_no_host_sets_is_named() {
        let mine = OWN.replace("eps", "epsilon");
        let text = explained(&mine, |versions| message(&wrong("(0, 0)"), versions));
        assert!(
            text.contains("mine.cu:1:1\n") && text.contains("`epsilon`, which stays 0"),
            "{text}"
        );
    }

    #[test]
    fn kernels_of_another_name_or_with_other_parameters_are_shown() {
        let text = explained(&OWN.replace("sum", "sums"), |versions| no_kernel("sum", versions));
        assert!(text.contains("mine.cu:2:28\n") && text.contains("has:  sums"), "{text}");
        let text =
            explained(&OWN.replace("int n", ""), |versions| refused("sum", "takes 0", versions));
        assert!(text.contains("mine.cu:2:28\n"), "{text}");
        assert!(text.contains("::: kernels/toy/01-a.cu:2:28\n"), "{text}");
        let mine = OWN.replace("extern \"C\" ", "");
        let text = explained(&mine, |versions| no_kernel("sum", versions));
        assert!(text.contains("extern \"C\" __global__ void sum"), "{text}");
    }
}
