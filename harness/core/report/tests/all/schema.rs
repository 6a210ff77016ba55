//! The committed JSON schema: it is today's, and reports satisfy it.

use std::fs;
use std::path::Path;

use report::{Report, SCHEMA, schema};
use serde_json::{Value, json};

/// Where a value is not what its schema says; of the keywords that our schema uses, and no other may
/// be in it.
fn fault(value: &Value, schema: &Value, root: &Value) -> Option<String> {
    let schema = schema.as_object().expect("a schema is an object");
    let any = |cases: &Value| {
        let mut cases = cases.as_array().expect("cases").iter();
        cases.any(|case| fault(value, case, root).is_none())
    };
    schema.iter().find_map(|(keyword, rule)| {
        let broken = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" | "default" => None,
            "$ref" => {
                let pointer = rule.as_str()?.strip_prefix('#').expect("a reference in the file");
                return fault(value, root.pointer(pointer).expect("a definition"), root);
            }
            "type" => match rule {
                Value::Array(kinds) => {
                    (!kinds.iter().any(|kind| is(value, kind))).then_some("type")
                }
                kind => (!is(value, kind)).then_some("type"),
            },
            "const" => (value != rule).then_some("const"),
            "enum" => (!rule.as_array()?.contains(value)).then_some("enum"),
            "anyOf" | "oneOf" => (!any(rule)).then_some("no case"),
            "minimum" => (value.as_f64()? < rule.as_f64()?).then_some("minimum"),
            "maximum" => (value.as_f64()? > rule.as_f64()?).then_some("maximum"),
            "minItems" => (value.as_array()?.len() < rule.as_u64()? as usize).then_some("too few"),
            "maxItems" => (value.as_array()?.len() > rule.as_u64()? as usize).then_some("too many"),
            "required" => {
                let mut names = rule.as_array()?.iter().filter_map(Value::as_str);
                let missing = names.find(|name| value.get(name).is_none());
                return missing.map(|name| format!(".{name} is missing"));
            }
            "properties" => {
                return value.as_object()?.iter().find_map(|(name, value)| {
                    let fault = fault(value, rule.get(name)?, root)?;
                    Some(format!(".{name}{fault}"))
                });
            }
            "additionalProperties" if *rule == json!(false) => {
                let known = schema.get("properties").and_then(Value::as_object)?;
                let other = value.as_object()?.keys().find(|name| !known.contains_key(*name));
                return other.map(|name| format!(".{name} is unknown"));
            }
            "additionalProperties" => {
                let mut values = value.as_object()?.iter();
                return values.find_map(|(name, value)| {
                    fault(value, rule, root).map(|fault| format!(".{name}{fault}"))
                });
            }
            "items" => {
                let mut items = value.as_array()?.iter().enumerate();
                return items.find_map(|(at, item)| {
                    fault(item, rule, root).map(|fault| format!("[{at}]{fault}"))
                });
            }
            "prefixItems" => {
                let mut items = value.as_array()?.iter().zip(rule.as_array()?);
                return items.find_map(|(item, rule)| fault(item, rule, root));
            }
            other => panic!("this test does not know the keyword `{other}`"),
        };
        broken.map(|keyword| format!(": {keyword}"))
    })
}

fn is(value: &Value, kind: &Value) -> bool {
    match kind.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    }
}

const REPORTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../reports");
const GOOD: &str = include_str!("../data/report.json");

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn the_committed_schema_is_of_today() {
    let committed = fs::read_to_string(Path::new(REPORTS).join("report.schema.json"))
        .expect("the committed schema");
    assert!(
        committed == schema(),
        "the report's types have changed; write the schema anew:\n  \
         cargo run -p maintain -- schema > reports/report.schema.json"
    );
}

#[test]
fn reports_satisfy_it() {
    let schema = parsed(&schema());
    assert_eq!(fault(&parsed(GOOD), &schema, &schema), None);
    for folder in fs::read_dir(REPORTS).expect("the reports") {
        let file = folder.expect("a folder").path().join("report.json");
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let report = parsed(&text);
        assert_eq!(report["schema"], SCHEMA, "{}", file.display());
        assert_eq!(fault(&report, &schema, &schema), None, "{}", file.display());
    }
}

/// What the program's own reader refuses for its form, the schema refuses as well.
#[test]
fn what_is_no_report_does_not() {
    let schema = parsed(&schema());
    for (pointer, value, expected) in [
        ("/rows/1/timed/0/seconds", json!("fast"), ".rows[1].timed[0].seconds: type"),
        ("/rows/1/outcome", json!("fine"), ".rows[1].outcome: no case"),
        ("/rows/1/timed/0/parent/verdict", json!(1), ".rows[1].timed[0].parent: no case"),
        ("/rows/0/session", json!(-1), ".rows[0].session: minimum"),
        ("/rows/0/timed/0/samples/round/1", json!(0.5), ".rows[0].timed[0].samples.round[1]: type"),
        ("/machine", json!({"os": "linux"}), ".machine.arch is missing"),
        ("/rows/3/wrong", json!({"n": 1, "tolerance": 1, "x": 2}), ".rows[3].wrong: no case"),
    ] {
        let mut report = parsed(GOOD);
        *report.pointer_mut(pointer).expect("a field") = value;
        assert_eq!(fault(&report, &schema, &schema).as_deref(), Some(expected), "{pointer}");
        assert!(Report::from_json(report.to_string().as_bytes(), "r".as_ref()).is_err());
    }
}

/// Every field says what it is.
#[test]
fn every_field_is_described() {
    let schema = parsed(&schema());
    let definitions = schema["$defs"].as_object().expect("definitions");
    for (name, definition) in definitions.iter().chain([(&"Report".to_owned(), &schema)]) {
        for (field, rule) in definition["properties"].as_object().into_iter().flatten() {
            assert!(rule["description"].is_string(), "{name}.{field} has no description");
        }
    }
}
