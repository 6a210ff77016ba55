//! Values as `harness events` reads them: `i32=5`, `f32=0.5`, `f32[1024]=rand`. Of its forms those that parts use.

use crate::error::Error;

/// An argument of a kernel, or what one of its variables is set to.
#[derive(Debug, PartialEq)]
pub enum Value {
    /// Four bytes that are passed.
    Word([u8; 4]),
    /// Memory whose address is passed, with its first contents.
    Buffer(Vec<u8>),
    /// Memory of so many bytes that nothing has written.
    Unwritten(u64),
}

/// Reads a value.
///
/// # Errors
/// It has none of these forms.
pub fn read(text: &str) -> Result<Value, Error> {
    let wrong = || Error::Argument(text.to_owned());
    let (kind, value) = text.split_once('=').ok_or_else(wrong)?;
    let Some((element, count)) = kind.split_once('[') else {
        return word(kind, value).map(Value::Word).ok_or_else(wrong);
    };
    let count: u64 = count.strip_suffix(']').and_then(|it| it.parse().ok()).ok_or_else(wrong)?;
    match value {
        "uninit" => Ok(Value::Unwritten(4 * count)),
        "rand" if element == "f32" => Ok(Value::Buffer(random(count))),
        _ => {
            let word = if value == "zero" { Some([0; 4]) } else { word(element, value) };
            word.map(|word| Value::Buffer(word.repeat(count as usize))).ok_or_else(wrong)
        }
    }
}

fn word(element: &str, value: &str) -> Option<[u8; 4]> {
    match element {
        "i32" => value.parse::<i32>().ok().map(i32::to_le_bytes),
        "f32" => value.parse::<f32>().ok().map(f32::to_le_bytes),
        _ => None,
    }
}

/// Floats from 0 up to 1: no event of a part's kernels depends on which (a linear congruential generator with the
/// constants of Knuth's MMIX).
fn random(count: u64) -> Vec<u8> {
    let mut state = 1u64;
    let next = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1u64 << 24) as f32).to_le_bytes()
    };
    (0..count).flat_map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_program() {
        assert_eq!(read("i32=-3").expect("a value"), Value::Word((-3i32).to_le_bytes()));
        assert_eq!(read("f32=0.5").expect("a value"), Value::Word(0.5f32.to_le_bytes()));
        assert_eq!(read("f32[8]=uninit").expect("a value"), Value::Unwritten(32));
        assert_eq!(read("f32[2]=zero").expect("a value"), Value::Buffer(vec![0; 8]));
        assert!(matches!(read("f32[3]=rand"), Ok(Value::Buffer(bytes)) if bytes.len() == 12));
        for wrong in ["", "i32", "i32=x", "f64=1", "f32[x]=rand", "i32[4]=rand"] {
            assert!(read(wrong).is_err_and(|error| error.to_string().contains(wrong)), "{wrong}");
        }
    }
}
