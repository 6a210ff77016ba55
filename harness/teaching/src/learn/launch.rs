//! The launches of an exercise, as it writes them down: products of numbers that a check, the exercise or the reader chooses.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

/// A launch. Its counts are products and quotients of numbers, `n`, what varies, `answer` (the number that the reader
/// wrote) and what the reader's kernel defines (`#define THREADS 128`); quotients are rounded up.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: Vec<Product>,
    /// Threads of a block in x, y, z.
    pub block: Vec<Product>,
    /// Blocks of a cluster in x, y, z; without clusters if nothing is said.
    #[serde(default)]
    pub cluster: Vec<Product>,
    /// Bytes of dynamic shared memory.
    pub shared: Option<Product>,
    /// How often it is made, one after the other; once if nothing is said.
    pub times: Option<Product>,
    /// Names of data.
    pub arguments: Vec<String>,
}

/// A number as it is, or a product.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Product {
    /// A number.
    Number(u64),
    /// A product as text: `n / 256`.
    Text(String),
}

/// The numbers of which launches and data may be made.
#[derive(Debug, Clone, Default)]
pub struct Numbers(BTreeMap<String, u64>);

impl Numbers {
    /// The number that a reader chose.
    pub fn answer(number: u64) -> Numbers {
        Numbers([("answer".to_owned(), number)].into())
    }

    /// What a reader's kernel defines: `#define THREADS 128`.
    pub fn defined(cuda: &str) -> Numbers {
        let defined = |line: &str| {
            let mut words = line.trim().strip_prefix("#define")?.split_whitespace();
            let (name, number) = (words.next()?, words.next()?);
            Some((name.to_owned(), number.trim_matches(['(', ')', 'u']).parse().ok()?))
        };
        Numbers(cuda.lines().filter_map(defined).collect())
    }

    /// These, the size `n`, and what varies besides.
    pub fn with(&self, n: u64, varied: &BTreeMap<String, u64>) -> Numbers {
        let mut all = self.clone();
        all.0.insert("n".to_owned(), n);
        all.0.extend(varied.clone());
        all
    }
}

/// How a launch is made.
pub struct Shape {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y, z, if there are clusters.
    pub cluster: Option<[u32; 3]>,
    /// Dynamic shared memory.
    pub shared_bytes: u32,
    /// How often, one after the other.
    pub times: u32,
}

/// The most times that one launch is made.
const MOST_TIMES: u32 = 1000;

impl Launch {
    /// How it is made of these numbers.
    ///
    /// # Errors
    /// A number is missing or too large, in words for the reader.
    pub fn shape(&self, numbers: &Numbers) -> Result<Shape> {
        let number = |wanted: &Product| -> Result<u32> {
            let number = match wanted {
                Product::Number(number) => *number,
                Product::Text(text) => product(text, numbers)?,
            };
            u32::try_from(number).with_context(|| format!("{number} is too large for a launch"))
        };
        let three = |counts: &[Product]| -> Result<[u32; 3]> {
            let mut all = [1; 3];
            for (count, wanted) in all.iter_mut().zip(counts) {
                *count = number(wanted)?;
            }
            Ok(all)
        };
        let shared_bytes = self.shared.as_ref().map_or(Ok(0), number)?;
        let times = self.times.as_ref().map_or(Ok(1), number)?;
        ensure!(times <= MOST_TIMES, "{times} launches are more than {MOST_TIMES}");
        let (grid, block) = (three(&self.grid)?, three(&self.block)?);
        let cluster = match self.cluster.as_slice() {
            [] => None,
            counts => Some(three(counts)?),
        };
        Ok(Shape { grid, block, cluster, shared_bytes, times })
    }
}

/// A product of numbers, divided by some, from left to right: `4*n`, `n/THREADS`. Quotients are rounded up.
///
/// # Errors
/// It is none, in words for the reader.
pub fn product(text: &str, numbers: &Numbers) -> Result<u64> {
    let mut value = 1u64;
    let mut rest = text.trim();
    let mut divide = false;
    loop {
        let end = rest.find(['*', '/']).unwrap_or(rest.len());
        let name = rest[..end].trim();
        let factor = match (name.parse(), numbers.0.get(name)) {
            (Ok(number), _) => number,
            (_, Some(number)) => *number,
            _ if name.chars().all(|c| c.is_ascii_uppercase()) && !name.is_empty() => {
                bail!("the launch needs a line `#define {name} NUMBER` of yours")
            }
            _ => bail!("`{text}` is no product of numbers and n"),
        };
        value = match divide {
            true if factor == 0 => bail!("`{text}` of the launch divides by {name}, and that is 0"),
            true => value.div_ceil(factor),
            false => value.checked_mul(factor).with_context(|| format!("`{text}` is too large"))?,
        };
        let Some(operator) = rest[end..].chars().next() else { return Ok(value) };
        divide = operator == '/';
        rest = &rest[end + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(numbers: &Numbers, n: u64) -> Numbers {
        numbers.with(n, &BTreeMap::new())
    }

    #[test]
    fn sizes_are_products_and_quotients_of_n() {
        let numbers = sized(&Numbers::default(), 100);
        for (text, expected) in [("n", 100), ("4*n", 400), ("n/32", 4), ("2*n/32*3", 21), ("7", 7)]
        {
            assert_eq!(product(text, &numbers).expect(text), expected, "{text}");
        }
        for text in ["m", "n/0", "n*", "", "n*99999999999999999999", "n*9999999999999999999"] {
            assert!(product(text, &numbers).is_err(), "{text}");
        }
    }

    #[test]
    fn launches_use_what_a_reader_defines_or_answers() {
        let defined = Numbers::defined(
            "#define THREADS 128 // of a block\n  #define PAD (1)\n#define F(x) x\n",
        );
        assert_eq!(product("n/THREADS*PAD", &sized(&defined, 1000)).expect("a number"), 8);
        let error = product("n/TILE", &sized(&defined, 1000)).expect_err("not defined").to_string();
        assert!(error.contains("#define TILE NUMBER"), "{error}");
        assert_eq!(product("n/answer", &sized(&Numbers::answer(3), 10)).expect("a number"), 4);
        let error =
            product("n/answer", &sized(&Numbers::answer(0), 10)).expect_err("by 0").to_string();
        assert!(error.contains("divides by answer, and that is 0"), "{error}");
    }
}
