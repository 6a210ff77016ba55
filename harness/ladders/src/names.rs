//! Names as people type them: which ladder, step or list of steps is meant, and the nearest one
//! where none is.

use ladder::{Ladder, Step};
use report::split;
use ui::{Usage, nearest};

use crate::list::LADDERS;

/// The ladder of this name.
///
/// # Errors
/// No ladder has this name; the nearest is named, and all are listed.
pub fn ladder(name: &str) -> Result<&'static dyn Ladder, Usage> {
    let found = LADDERS.iter().find(|ladder| ladder.name() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = LADDERS.iter().map(|ladder| ladder.name()).collect();
        Usage(format!(
            "there is no ladder `{name}`{}\nladders: {}",
            nearest(name, &names),
            names.join(", ")
        ))
    })
}

/// What the words `[LADDER] [STEP]…` mean.
#[derive(Clone)]
pub struct Named {
    /// The ladder; none where nothing was said.
    pub ladder: Option<&'static dyn Ladder>,
    /// A list for [`steps()`]; none where no step was named.
    pub steps: Option<String>,
}

impl Named {
    /// The ladder, or the first of the workbook.
    pub fn ladder(&self) -> &'static dyn Ladder {
        self.ladder.unwrap_or(LADDERS[0])
    }

    /// The one step that is named.
    ///
    /// # Errors
    /// None is named, or several.
    pub fn step(&self) -> Result<Step, Usage> {
        let ladder = self.ladder();
        let Some(name) = &self.steps else {
            let steps: Vec<&str> = ladder.steps().iter().map(|step| step.name).collect();
            let all = steps.join(", ");
            return Err(Usage(format!("name a step of the ladder {}: {all}", ladder.name())));
        };
        step(ladder, name)
    }
}

/// What the words `[LADDER] [STEP]…` mean. Steps without a ladder are the first ladder's if it has them, or else of the only one
/// that does.
///
/// # Errors
/// A word is neither a ladder nor a step, with what it may have been; or several ladders have the steps.
pub fn named(words: &[String]) -> Result<Named, Usage> {
    let Some((first, rest)) = words.split_first() else {
        return Ok(Named { ladder: None, steps: None });
    };
    let list = |words: &[String]| (!words.is_empty()).then(|| words.join(","));
    if let Some(&ladder) = LADDERS.iter().find(|ladder| ladder.name() == first) {
        return Ok(Named { ladder: Some(ladder), steps: list(rest) });
    }
    let all = words.join(",");
    let mut found = LADDERS.iter().copied().filter(|ladder| steps(*ladder, &all).is_ok());
    match (found.next(), found.next()) {
        (Some(ladder), other) if ladder.name() == LADDERS[0].name() || other.is_none() => {
            Ok(Named { ladder: Some(ladder), steps: Some(all) })
        }
        (Some(one), Some(other)) => {
            let (one, other) = (one.name(), other.name());
            let more = if found.next().is_some() { " and others" } else { "" };
            Err(Usage(format!(
                "the ladders {one} and {other}{more} have a step `{all}`: name the ladder first, as in `{one} {all}`"
            )))
        }
        // A number is meant to be one of the first ladder's.
        _ if first.starts_with(|first: char| first.is_ascii_digit() || first == '.') => {
            steps(LADDERS[0], &all).and(Err(unknown(first)))
        }
        _ => Err(unknown(first)),
    }
}

/// Why a word is no name, with the nearest one.
fn unknown(word: &str) -> Usage {
    let ladders = LADDERS.iter().map(|ladder| ladder.name());
    let of_all = LADDERS.iter().flat_map(|ladder| ladder.steps());
    let names: Vec<&str> = ladders.chain(of_all.map(|step| split(step.name).1)).collect();
    Usage(format!(
        "there is no ladder or step `{word}`{}\nladders: {}; their steps: `harness list`",
        nearest(word, &names),
        LADDERS.iter().map(|ladder| ladder.name()).collect::<Vec<_>>().join(", ")
    ))
}

/// The ladder of this name, if its steps are kernels, which `why` is for.
///
/// # Errors
/// As [`ladder()`]; or its steps run on the CPU.
pub fn ladder_of_kernels(name: &str, why: &str) -> Result<&'static dyn Ladder, Usage> {
    let found = ladder(name)?;
    if !found.is_for_cpu() {
        return Ok(found);
    }
    let others = LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()).map(|it| it.name());
    Err(Usage(format!(
        "{why} is for kernels, and the steps of the ladder {name} run on the CPU; name another: {}",
        others.collect::<Vec<_>>().join(", ")
    )))
}

/// The step that `name` means: its number (`5`, `05`, `05x`), its slug (`rsqrt`) or its folder
/// (`05-rsqrt`). A library's function is none.
///
/// # Errors
/// The name is of no step, or of several.
pub fn step(ladder: &dyn Ladder, name: &str) -> Result<Step, Usage> {
    let all = ladder.steps();
    let places = places(ladder, &all, name)?;
    match *places {
        [place] => Ok(all[place]),
        _ => {
            let folders: Vec<&str> = places.iter().map(|place| all[*place].name).collect();
            Err(Usage(format!("`{name}` may be {}: name one of them", folders.join(" or "))))
        }
    }
}

/// The steps that a list means, in ladder order and each once: names and ranges with both ends
/// (`01..06`), parted by commas. A number or slug that several steps have means all of them. A ladder's libraries, which
/// follow its steps, are meant by their own names alone.
///
/// # Errors
/// A name is of no step, or a range runs backwards.
pub fn steps(ladder: &dyn Ladder, list: &str) -> Result<Vec<Step>, Usage> {
    let all = with_libraries(ladder);
    let mut chosen = vec![false; all.len()];
    for item in list.split(',').map(str::trim) {
        let Some((first, last)) = item.split_once("..") else {
            places(ladder, &all, item)?.into_iter().for_each(|place| chosen[place] = true);
            continue;
        };
        let first = if first.is_empty() { 0 } else { places(ladder, &all, first)?[0] };
        let last = match last.trim_start_matches('=') {
            "" => ladder.steps().len() - 1,
            last => *places(ladder, &all, last)?.last().expect("at least one"),
        };
        if first > last {
            return Err(Usage(format!(
                "`{item}` runs backwards; write the lower step first: 01..06"
            )));
        }
        chosen[first..=last].fill(true);
    }
    Ok(all.into_iter().zip(chosen).filter_map(|(step, chosen)| chosen.then_some(step)).collect())
}

/// A ladder's steps, then its libraries.
fn with_libraries(ladder: &dyn Ladder) -> Vec<Step> {
    ladder.steps().into_iter().chain(ladder.libraries()).collect()
}

/// Where the steps stand that `name` may mean; at least one.
fn places(ladder: &dyn Ladder, all: &[Step], name: &str) -> Result<Vec<usize>, Usage> {
    let wanted = name.trim().to_ascii_lowercase();
    if wanted.is_empty() {
        return Err(Usage("a step's name is missing; write a list as 05,06 or 01..06".to_owned()));
    }
    let short = |number: &str| number.trim_start_matches('0').to_owned();
    let is_meant = |step: &Step| {
        let (number, slug) = split(step.name);
        wanted == step.name
            || wanted == slug
            || (!short(&wanted).is_empty() && short(&wanted) == short(number))
    };
    let steps = all.iter().enumerate();
    let meant: Vec<usize> =
        steps.filter_map(|(place, step)| is_meant(step).then_some(place)).collect();
    if !meant.is_empty() {
        return Ok(meant);
    }
    let folders: Vec<&str> = all.iter().map(|step| step.name).collect();
    let known: Vec<&str> = folders.iter().flat_map(|folder| [*folder, split(folder).1]).collect();
    Err(Usage(format!(
        "the ladder {} has no step `{name}`{}\nsteps: {}",
        ladder.name(),
        nearest(&wanted, &known),
        folders.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(list: &str) -> Vec<&'static str> {
        let nbody = ladder("nbody").expect("the first ladder");
        steps(nbody, list).expect("steps").iter().map(|step| step.name).collect()
    }

    fn refusal<T: std::fmt::Debug>(result: Result<T, Usage>) -> String {
        result.expect_err("no such name").to_string()
    }

    #[test]
    fn a_step_has_many_names() {
        for name in ["5", "05", "rsqrt", "05-rsqrt", " 05 ", "RSQRT"] {
            assert_eq!(folders(name), ["05-rsqrt"], "{name}");
        }
        for name in ["9x", "09x", "unroll-128", "09x-unroll-128"] {
            assert_eq!(folders(name), ["09x-unroll-128"], "{name}");
        }
    }

    #[test]
    fn lists_are_in_ladder_order_and_ranges_have_both_ends() {
        assert_eq!(folders("06,1,rsqrt,06"), ["01-one-thread", "05-rsqrt", "06-shared-blocking"]);
        assert_eq!(folders("04..06"), folders("04,05,05x,06"));
        assert_eq!(folders("..02"), folders("01,02"));
        let last = LADDERS[0].steps().last().expect("a step").name;
        assert_eq!(folders("09.."), folders(&format!("09..{last}")));
        assert!(folders("09..").starts_with(&folders("09,09x,10")));
    }

    #[test]
    fn what_several_steps_are_called_means_all_and_never_one() {
        assert_eq!(folders("11x"), ["11x-async-copies", "11x-uniform-loads"]);
        assert_eq!(folders("fixed-point"), ["14x-fixed-point", "18x-fixed-point"]);
        assert_eq!(folders("11..11x"), folders("11,11x"));
        let nbody = ladder("nbody").expect("the first ladder");
        let message = refusal(step(nbody, "11x"));
        assert!(message.contains("11x-async-copies or 11x-uniform-loads"), "{message}");
        assert_eq!(step(nbody, "11x-uniform-loads").expect("a step").name, "11x-uniform-loads");
    }

    #[test]
    fn libraries_follow_the_steps_in_lists_and_are_no_steps() {
        let scan = ladder("scan").expect("a ladder with a library");
        let names = |list: &str| {
            let found = steps(scan, list).expect("steps");
            found.iter().map(|step| step.name).collect::<Vec<_>>()
        };
        assert_eq!(names("cub,01"), ["01-blocks", "cub"]);
        assert!(!names("..").contains(&"cub") && !names("01..").contains(&"cub"));
        assert!(refusal(step(scan, "cub")).contains("no step `cub`"));
    }

    #[test]
    fn words_are_a_ladder_and_steps_or_one_of_both() {
        let meant = |words: &str| {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            let named = named(&words)?;
            Ok((named.ladder.map(|ladder| ladder.name()), named.steps))
        };
        let of = |words| meant(words).map_err(|error: Usage| error.to_string()).expect("names");
        assert_eq!(of(""), (None, None));
        assert_eq!(of("transpose"), (Some("transpose"), None));
        assert_eq!(of("transpose 03 05..06"), (Some("transpose"), Some("03,05..06".to_owned())));
        assert_eq!(of("06 rsqrt"), (Some("nbody"), Some("06,rsqrt".to_owned())));
        assert_eq!(of("lock-free"), (Some("barnes-hut"), Some("lock-free".to_owned())));
        let message = refusal(meant("transpos"));
        assert!(message.contains("did you mean `transpose`?"), "{message}");
        assert!(refusal(meant("naive")).contains("name the ladder first"));
    }

    #[test]
    fn mistakes_name_the_nearest_and_all() {
        let nbody = ladder("nbody").expect("the first ladder");
        let message = refusal(step(nbody, "rsqr"));
        assert!(message.contains("did you mean `rsqrt`?"), "{message}");
        assert!(message.contains("10-fast-math"), "{message}");
        let message = refusal(ladder("nbdy").map(|found| found.name()));
        assert!(message.contains("did you mean `nbody`?"), "{message}");
        assert!(!refusal(step(nbody, "quicksort")).contains("did you mean"));
        assert!(refusal(steps(nbody, "06..01")).contains("backwards"));
        for name in ["", "1,", "1,,2"] {
            assert!(refusal(steps(nbody, name)).contains("01..06"), "{name:?}");
        }
        for name in ["0", "00", "99", "x", "1...2"] {
            assert!(steps(nbody, name).is_err(), "{name:?}");
        }
    }
}
