//! The steps that have no modelled time, and why.

use ladder::Ladder;
use ladders::LADDERS;
use report::split;
use show::table::Table;

/// A row for each reason: the ladder, the steps and what the model does not know of them. `above` leads from the page up
/// to `book/src`.
pub fn table(above: &str) -> String {
    let head = ["ladder", "steps", "what the model does not know"].map(str::to_owned).to_vec();
    let rows = LADDERS.iter().flat_map(|ladder| of_ladder(*ladder, above));
    Table::lines([head].into_iter().chain(rows).collect(), 3).markdown()
}

/// The rows of a ladder. Steps that follow each other with the same reason share one.
fn of_ladder(ladder: &dyn Ladder, above: &str) -> Vec<Vec<String>> {
    let name = ladder.name();
    let steps = ladder.steps();
    let unmodelled: Vec<_> = steps
        .iter()
        .filter_map(|step| Some((step.name, ladder.not_modelled(step.name)?)))
        .collect();
    let rows = unmodelled.chunk_by(|one, next| one.1 == next.1);
    let link = |step: &str| format!("[{}]({above}{name}/{step}.md)", split(step).1);
    rows.map(|row| {
        let links: Vec<_> = row.iter().map(|(step, _)| link(step)).collect();
        vec![format!("[{name}]({above}{name}/index.md)"), links.join(", "), row[0].1.to_owned()]
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_without_a_model_is_linked_once_and_steps_of_one_reason_share_a_row() {
        let table = table("../");
        for ladder in LADDERS {
            let unmodelled = |step: &ladder::Step| ladder.not_modelled(step.name).is_some();
            for step in ladder.steps().iter().filter(|step| unmodelled(step)) {
                let link = format!("](../{}/{}.md)", ladder.name(), step.name);
                assert_eq!(table.matches(&link).count(), 1, "{link} in {table}");
            }
        }
        assert_eq!(table.matches("[barnes-hut]").count(), 1, "{table}");
    }
}
