//! The committed comparison of the model, which CI makes again, has no wrong direction and no ladder that is too far off.

use report::validation::Ladders;

#[test]
fn the_committed_comparison_of_the_model_has_no_faults() {
    let root = ladder::workspace::root().expect("the workspace");
    let text = std::fs::read_to_string(root.join("reports/h200-model/ladders.json"));
    let all: Ladders = serde_json::from_str(&text.expect("committed")).expect("a comparison");
    assert_eq!(all.faults(), Vec::<String>::new());
    assert!(all.ladders.len() > 20, "{} ladders", all.ladders.len());
}
