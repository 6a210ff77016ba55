//! What a kernel left behind, held against what the solution leaves behind.

use ladder::judge::{Errors, Mismatch, Tolerance, ValueMismatch};
use ladder::message::UNWRITTEN;

use launches::events::buffer::Contents;

use super::case::Case;

/// What is wrong with the elements of the result `name` of a case, if anything: `got` is off by more than `tolerance`.
pub fn compare(
    case: &Case,
    name: &str,
    contents: &Contents,
    (got, expected): (&[u8], &[u8]),
    tolerance: f64,
) -> Option<Mismatch> {
    let element = contents.element;
    let numbers = |bytes: &[u8]| -> Vec<[f64; 1]> {
        bytes
            .chunks_exact(element.bytes as usize)
            .map(|one| [element.decode(one).value()])
            .collect()
    };
    let (all, wanted) = (numbers(got), numbers(expected));
    let errors = Errors::between(&all, &wanted);
    let tolerance = Tolerance { rms: tolerance, worst: tolerance };
    if errors.within(tolerance) {
        return None;
    }
    let typical = (wanted.iter().map(|[it]| it * it).sum::<f64>() / wanted.len() as f64).sqrt();
    let is_off = |place: &usize| {
        let ([got], [expected]) = (all[*place], wanted[*place]);
        let is_near = (got - expected).abs() <= tolerance.worst * expected.abs().max(typical);
        !is_near // nor is NaN
    };
    let off: Vec<usize> = (0..all.len()).filter(is_off).collect();
    let at = *off.first().unwrap_or(&errors.worst_index);
    let place = match off.len() {
        0 | 1 => format!("{name}[{at}]"),
        more => format!("{name}[{at}], and {} more of {}", more - 1, all.len()),
    };
    let bytes = &got[at * element.bytes as usize..][..element.bytes as usize];
    // Memory that nobody has written is filled with ones; arithmetic makes another NaN.
    let is_unwritten = all[at][0].is_nan() && bytes.iter().all(|byte| *byte == 0xff);
    let show = |[value]: [f64; 1]| match value.is_nan() {
        true => "NaN".to_owned(),
        false if element.range.is_none() && element.bytes == 4 => (value as f32).to_string(),
        false => value.to_string(),
    };
    Some(Mismatch::Values(Box::new(ValueMismatch {
        quantity: match case.varied.is_empty() {
            true => format!("`{name}`"),
            false => format!("`{name}` with {}", case.words()),
        },
        n: case.n,
        place,
        got: match is_unwritten {
            true => format!("NaN: {UNWRITTEN}"),
            false => show(all[at]),
        },
        expected: show(wanted[at]),
        errors,
        tolerance,
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use launches::events::value::Value;

    fn mismatch(kind: &str, got: &[u8], expected: &[u8], tolerance: f64) -> Option<Mismatch> {
        let value = Value::read(kind, std::path::Path::new(""));
        let Ok(Value::Buffer(contents)) = value else { panic!("{kind}") };
        let case = Case { n: 3, varied: [("threads".to_owned(), 64)].into(), seed: 0 };
        compare(&case, "out", &contents, (got, expected), tolerance)
    }

    fn wrong(kind: &str, got: &[u8], expected: &[u8], tolerance: f64) -> Option<String> {
        mismatch(kind, got, expected, tolerance).map(|wrong| wrong.to_string())
    }

    fn floats(all: &[f32]) -> Vec<u8> {
        all.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    #[test]
    fn the_first_element_that_is_off_is_shown_with_their_number() {
        let expected = floats(&[1.0, 0.1, 4.0]);
        assert_eq!(wrong("f32[3]=zero", &expected, &expected, 0.0), None);
        let said = wrong("f32[3]=zero", &floats(&[1.0, 0.3, 5.0]), &expected, 0.0).expect("wrong");
        assert!(said.contains("out[1], and 1 more of 3"), "{said}");
        assert!(said.contains("0.3") && said.contains("0.1") && !said.contains("0.10000000149"));
        let said =
            wrong("f32[3]=zero", &floats(&[f32::NAN, 0.1, 4.0]), &expected, 0.5).expect("NaN");
        assert!(said.contains("out[0]") && said.contains("NaN"), "{said}");
        let unwritten = [floats(&[1.0]), vec![0xff; 4], floats(&[4.0])].concat();
        let Some(Mismatch::Values(wrong_values)) =
            mismatch("f32[3]=zero", &unwritten, &expected, 0.5)
        else {
            panic!("unwritten")
        };
        assert_eq!(
            (&*wrong_values.place, &*wrong_values.got),
            ("out[1]", "NaN: no thread has written it")
        );
        let said = wrong("i32[1]=zero", &(-2i32).to_le_bytes(), &7i32.to_le_bytes(), 0.0);
        assert!(said.is_some_and(|said| said.contains("-2") && said.contains('7')));
    }

    #[test]
    fn what_is_within_the_tolerance_is_right() {
        let (got, expected) = (floats(&[1.0, 2.0001]), floats(&[1.0, 2.0]));
        assert_eq!(wrong("f32[2]=zero", &got, &expected, 1e-3), None);
        assert!(wrong("f32[2]=zero", &got, &expected, 1e-6).is_some());
    }
}
