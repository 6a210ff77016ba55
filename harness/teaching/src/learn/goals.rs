//! The events of a trial, held against the limits of an exercise.

use anyhow::{Context, Result};
use device::Source;
use ladder::message;
use launches::facts::{Facts, LineFacts};
use launches::format;
use serde_json::Value;

use super::wanted::Limit;

/// Lists of [`Facts`] whose members are found by a name, and what they are called.
const NAMED: [(&str, &str, &str); 2] =
    [("classes", "class", "instructions"), ("opcodes", "opcode", "instructions")];

/// A goal that is missed.
pub struct Missed {
    /// The event that is too large or too small, as a [`Limit`] names it.
    pub event: String,
    /// The number, and what was wanted.
    pub sentence: String,
    /// A question that leads on.
    pub ask: String,
    /// Whether it is about how the work is divided among threads.
    pub is_of_division: bool,
}

/// What is within the limits, for each of them; or the first that is not. `value` knows the numbers of events.
///
/// # Errors
/// There is no such event.
pub fn judge(
    limits: &[Limit],
    value: &dyn Fn(&str) -> Option<f64>,
) -> Result<Result<Vec<String>, Missed>> {
    let mut reached = Vec::new();
    for limit in limits {
        let name = words(&limit.event);
        let value =
            value(&limit.event).with_context(|| format!("there is no event {}", limit.event))?;
        let is_within = limit.most.is_none_or(|most| value <= most)
            && limit.least.is_none_or(|least| value >= least);
        let bounds = [(limit.least, "at least"), (limit.most, "at most")];
        let bounds = bounds.map(|(bound, words)| Some(format!("{words} {}", number(bound?))));
        let wanted = bounds.into_iter().flatten().collect::<Vec<_>>().join(" and ");
        let sentence = format!("{name}: {}, {wanted} wanted", number(value));
        if !is_within {
            let (event, ask) = (limit.event.clone(), limit.ask.clone());
            return Ok(Err(Missed { event, sentence, ask, is_of_division: false }));
        }
        reached.push(sentence);
    }
    Ok(Ok(reached))
}

impl Missed {
    /// What its reader gets to read, with the line of the kernel that has most of the event.
    pub fn in_kernel(self, facts: &Facts, source: &Source) -> String {
        let place =
            costliest(facts, &self.event).map(|line| (line, "most of them are here".to_owned()));
        let think = vec![("think", self.ask)];
        message::remark(self.sentence, source, place.into_iter().collect(), think)
    }

    /// The same without a line.
    pub fn plain(self) -> String {
        format!("error: {}\n  = think: {}", self.sentence, self.ask)
    }
}

/// The number of an event by its path in the JSON of [`Facts`]: `total.barriers`, `classes.division.warps`. A kind of
/// instruction that does not occur has none of them; `None` where there is no such event.
pub fn event(facts: &Facts, path: &str) -> Option<f64> {
    if path == "launches" {
        return Some(facts.launches.len().max(1) as f64);
    }
    let all = serde_json::to_value(facts).ok()?;
    if let Some((list, key, _)) = named(path) {
        let name = path.strip_prefix(list)?.strip_prefix('.')?.strip_suffix(".warps")?;
        let members = all.get(list)?.as_array()?;
        let found = members.iter().find(|member| member[key] == name);
        return found.map_or(Some(0.0), |member| member["warps"].as_f64());
    }
    match path.split('.').try_fold(&all, |value, part| value.get(part))? {
        // A ratio of requests that there are none of.
        Value::Null => Some(0.0),
        value => value.as_f64(),
    }
}

/// The list that `path` goes into.
fn named(path: &str) -> Option<(&'static str, &'static str, &'static str)> {
    NAMED.into_iter().find(|(list, ..)| path.split('.').next() == Some(list))
}

/// The line that has most of an event.
pub fn costliest(facts: &Facts, path: &str) -> Option<u32> {
    let count = match path.rsplit('.').next()? {
        "sectors_per_request" | "bytes_used_percent" => "global_sectors",
        "wavefronts_per_request" => "shared_wavefronts",
        "constant_wavefronts_per_request" => "constant_wavefronts",
        "divergent_percent" => "divergent",
        _ if !path.starts_with("total.") => return None,
        other => other,
    };
    let of = |line: &LineFacts| serde_json::to_value(line.counts).ok()?.get(count)?.as_u64();
    let lines = facts.lines.iter().filter_map(|line| Some((line.line, of(line)?)));
    lines.filter(|(_, count)| *count > 0).max_by_key(|(_, count)| *count).map(|(line, _)| line)
}

/// An event's name in words.
pub fn words(path: &str) -> String {
    if let Some((list, _, what)) = named(path) {
        let name = path.trim_start_matches(list).trim_start_matches('.');
        return format!("{what} of the kind `{}`", name.trim_end_matches(".warps"));
    }
    match path {
        "total.warps" => "instructions issued by warps".to_owned(),
        "total.divergent" => "divergent branches".to_owned(),
        "total.atomic_lanes" => "atomic additions of threads".to_owned(),
        "machine.registers" => "registers of a thread".to_owned(),
        "residency.warps" => "warps on a multiprocessor".to_owned(),
        "ratios.bytes_used_percent" => "bytes used of the sectors touched, in %".to_owned(),
        "ratios.divergent_percent" => "divergent branches, in %".to_owned(),
        "ratios.active_lanes_percent" => "active lanes, in %".to_owned(),
        "ratios.wavefronts_per_request" => "wavefronts of a shared request".to_owned(),
        "blocks_run" => "blocks".to_owned(),
        _ => path.rsplit('.').next().unwrap_or(path).replace('_', " "),
    }
}

/// A number as short as it is exact to a reader; large ones with a unit.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        format::count(value as u64)
    } else if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_named_in_words() {
        for (path, expected) in [
            ("ratios.sectors_per_request", "sectors per request"),
            ("total.global_requests", "global requests"),
            ("classes.integer division.warps", "instructions of the kind `integer division`"),
            ("opcodes.bar.sync.warps", "instructions of the kind `bar.sync`"),
        ] {
            assert_eq!(words(path), expected);
        }
    }

    #[test]
    fn numbers_are_exact_while_they_are_short() {
        for (value, expected) in [
            (16.5, "16.5"),
            (1.0 / 3.0, "0.3333"),
            (-3.0, "-3"),
            (4_500_000.0, "4500000"),
            (134_233_088.0, "134 M"),
        ] {
            assert_eq!(number(value), expected);
        }
    }
}
