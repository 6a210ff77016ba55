//! Labels that keep apart: those of an axis, and those next to the ends of lines.

use super::lettering::second;

/// The labels of a level axis that have room, each with its pixel. Those that come first have
/// precedence.
pub fn fitting(labels: impl IntoIterator<Item = (i32, String)>) -> Vec<(i32, String)> {
    let half = |text: &str| second().width(text) / 2 + 8;
    let mut fitting: Vec<(i32, String)> = Vec::new();
    for (at, text) in labels {
        let is_free =
            |(other, taken): &(i32, String)| (at - other).abs() >= half(&text) + half(taken);
        if fitting.iter().all(is_free) {
            fitting.push((at, text));
        }
    }
    fitting
}

/// Places for labels that want to stand at `wanted`, at least `gap` apart and from `low` to `high`
/// where that is long enough: each as near to where it wants to stand as its neighbours let it.
pub fn apart(wanted: &[i32], gap: i32, (low, high): (i32, i32)) -> Vec<i32> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&at| wanted[at]);
    // Runs of labels that touch: the sum of where their first would have to stand, and their number.
    let mut runs: Vec<(f64, usize)> = Vec::new();
    let first = |&(sum, count): &(f64, usize)| {
        let length = gap * (count as i32 - 1);
        let most = f64::from(high - length).max(f64::from(low));
        (sum / count as f64).clamp(f64::from(low), most)
    };
    for &at in &order {
        runs.push((f64::from(wanted[at]), 1));
        while let [.., before, last] = runs.as_slice() {
            let end = first(before) + f64::from(gap) * before.1 as f64;
            if first(last) >= end {
                break;
            }
            // Seen from the first of the joined run, each of the last wants to stand further up.
            let shift = f64::from(gap) * before.1 as f64 * last.1 as f64;
            let joined = (before.0 + last.0 - shift, before.1 + last.1);
            runs.truncate(runs.len() - 2);
            runs.push(joined);
        }
    }
    let mut places = vec![0; wanted.len()];
    let mut order = order.into_iter();
    for run in &runs {
        let start = first(run).round() as i32;
        for (place, at) in order.by_ref().take(run.1).enumerate() {
            places[at] = start + gap * place as i32;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{apart, fitting};

    #[test]
    fn the_first_labels_have_precedence() {
        let labels = [(100, "1000"), (0, "100"), (70, "500"), (200, "10 000")];
        let kept = fitting(labels.map(|(at, text)| (at, text.to_owned())));
        assert_eq!(kept.iter().map(|label| label.0).collect::<Vec<_>>(), [100, 0, 200]);
    }

    #[test]
    fn labels_share_the_move_and_stay_inside() {
        assert_eq!(apart(&[300, 100, 200], 30, (0, 400)), [300, 100, 200]);
        assert_eq!(apart(&[100, 104, 96], 30, (0, 400)), [100, 130, 70]);
        assert_eq!(apart(&[0, 0, 400, 400], 30, (0, 400)), [0, 30, 370, 400]);
        assert!(apart(&[], 30, (0, 400)).is_empty());
    }
}
