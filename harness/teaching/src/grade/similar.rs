//! Which submissions are alike: found by winnowing, as in S. Schleimer, D. S. Wilkerson and A. Aiken, "Winnowing: Local
//! Algorithms for Document Fingerprinting", SIGMOD 2003, doi:10.1145/872757.872770.
//!
//! ```text
//! text ─ tokens: names and numbers are all alike, comments and blanks are none
//!      ─ a hash of every GRAM tokens in a row
//!      ─ the least of every WINDOW hashes in a row: the fingerprints, at most WINDOW apart
//! ```
//!
//! So renamed variables, moved functions and other comments change little, and every common run of GRAM + WINDOW - 1 tokens
//! is found. What the exercise gives, and what much of the class has, says nothing and is left out.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Tokens of a hash: shorter runs are common to all programs.
const GRAM: usize = 12;

/// Hashes of which one is kept.
const WINDOW: usize = 6;

/// A fingerprint that more than this part of a class has says nothing; within these numbers of files.
const COMMON: usize = 8;
const COMMON_FILES: (usize, usize) = (5, 20);

/// The least fingerprints that two must share to be listed, and the least part of the smaller file's own.
const LEAST_SHARED: usize = 4;
const LEAST_PART: f64 = 0.3;

/// Words of C++, PTX and Rust that say what a program does; all other names are alike.
const WORDS: &str = " if else for while do switch case break continue return struct class template typename const \
    static inline extern volatile unsigned signed int float double char bool void long short auto constexpr half \
    fn let mut match impl trait use pub loop in usize u32 i32 f32 u64 i64 f64 u8 as where move self \
    __global__ __device__ __shared__ __constant__ __syncthreads __syncwarp threadIdx blockIdx blockDim gridDim \
    mov add sub mul mad fma ld st setp bra bar atom ret cvt shl shr and or xor div rem min max global shared param pred ";

/// A fingerprint, and the line in which its tokens begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Print {
    hash: u64,
    lines: (usize, usize),
}

/// A file as it is compared.
#[derive(Debug)]
pub struct Prints(Vec<Print>);

/// Two files that are alike.
#[derive(Debug, PartialEq)]
pub struct Pair {
    /// Their places among the files.
    pub files: [usize; 2],
    /// The fingerprints that both have.
    pub shared: usize,
    /// Their part of those that the smaller file has beyond what is given, from 0 to 1.
    pub part: f64,
    /// Of each file the lines that they span, from 1.
    pub lines: [HashSet<usize>; 2],
}

impl Prints {
    /// Those of a text.
    pub fn of(text: &str) -> Prints {
        let tokens = tokens(text);
        let hash = |gram: &[(u64, usize)]| {
            let mut hasher = DefaultHasher::new();
            gram.iter().for_each(|(token, _)| token.hash(&mut hasher));
            Print { hash: hasher.finish(), lines: (gram[0].1, gram[gram.len() - 1].1) }
        };
        let grams: Vec<Print> = tokens.windows(GRAM).map(hash).collect();
        let mut prints: Vec<Print> = Vec::new();
        let mut last = None;
        for first in 0..grams.len().saturating_sub(WINDOW - 1) {
            let window = &grams[first..first + WINDOW];
            // The last of equal ones, so that long runs of one hash are kept once.
            let least = (0..WINDOW).rev().min_by_key(|at| window[*at].hash).unwrap_or(0);
            if last != Some(first + least) {
                last = Some(first + least);
                prints.push(window[least]);
            }
        }
        Prints(prints)
    }

    fn hashes(&self) -> HashSet<u64> {
        self.0.iter().map(|print| print.hash).collect()
    }
}

/// Pairs of files that are alike, from the most alike on; `given` is what the exercise gives.
pub fn pairs(files: &[&Prints], given: &Prints) -> Vec<Pair> {
    let given = given.hashes();
    let mut having: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut own = vec![0; files.len()];
    for (place, file) in files.iter().enumerate() {
        for hash in file.hashes().difference(&given) {
            having.entry(*hash).or_default().push(place);
            own[place] += 1;
        }
    }
    let most = (files.len() / COMMON).clamp(COMMON_FILES.0, COMMON_FILES.1);
    having.retain(|_, places| places.len() <= most);
    let mut shared: HashMap<[usize; 2], Vec<u64>> = HashMap::new();
    for (hash, places) in &having {
        for (at, place) in places.iter().enumerate() {
            for other in &places[..at] {
                shared.entry([*other, *place]).or_default().push(*hash);
            }
        }
    }
    let pair = |(places, hashes): ([usize; 2], Vec<u64>)| {
        let part = hashes.len() as f64 / own[places[0]].min(own[places[1]]) as f64;
        let is_alike = hashes.len() >= LEAST_SHARED && part >= LEAST_PART;
        let hashes: HashSet<u64> = hashes.into_iter().collect();
        let lines = |place: usize| {
            let both = files[place].0.iter().filter(|print| hashes.contains(&print.hash));
            both.flat_map(|print| print.lines.0..=print.lines.1).collect()
        };
        is_alike.then(|| Pair {
            files: places,
            shared: hashes.len(),
            part,
            lines: places.map(lines),
        })
    };
    let mut pairs: Vec<Pair> = shared.into_iter().filter_map(pair).collect();
    pairs.sort_by(|a, b| {
        let by_part = b.part.total_cmp(&a.part).then(b.shared.cmp(&a.shared));
        by_part.then(a.files.cmp(&b.files))
    });
    pairs
}

/// The tokens of a text with their lines, from 1.
fn tokens(text: &str) -> Vec<(u64, usize)> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(c) = rest.chars().next() {
        let end_of = |end: Option<usize>| end.unwrap_or(rest.len());
        let (token, length) = if c.is_whitespace() {
            (None, c.len_utf8())
        } else if rest.starts_with("//") {
            (None, end_of(rest.find('\n')))
        } else if let Some(inner) = rest.strip_prefix("/*") {
            (None, end_of(inner.find("*/").map(|end| end + 4)))
        } else if c == '"' {
            let mut is_escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                ends
            });
            (Some("\""), end_of(end.map(|end| end + 2)))
        } else if is_of_name(c) {
            let length = end_of(rest.find(|c| !is_of_name(c)));
            let word = &rest[..length];
            let is_known = WORDS.contains(&format!(" {word} "));
            let kind = if c.is_ascii_digit() { "0" } else { "a" };
            (Some(if is_known { word } else { kind }), length)
        } else {
            (Some(&rest[..c.len_utf8()]), c.len_utf8())
        };
        if let Some(token) = token {
            let mut hasher = DefaultHasher::new();
            token.hash(&mut hasher);
            tokens.push((hasher.finish(), line));
        }
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = "__global__ void sum(unsigned n, const float* in, float* out) {\n    \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n    // your code\n}\n";

    /// A solution in this style: loops of different shapes.
    fn solution(style: usize) -> String {
        let body = match style % 4 {
            0 => {
                "for (unsigned j = 0; j < n; j += 2) { t[j & 7] += in[j] * 0.5f; } out[i] = t[0] + t[1] - t[2] * 3.0f;"
            }
            1 => {
                "float s = 0; while (s < n) { s = s * s + in[i]; if (s > 4) break; else s = s / 2; } out[i] = s ? 1 : s;"
            }
            2 => {
                "do { out[i] = max(in[i], out[i - 1]) | 3; i = i << 1; } while (i < n && !(i % 5 == 2)); return;"
            }
            _ => {
                "switch (i & 3) { case 0: out[i] = -in[i]; break; case 1: out[i] = ~n; break; case 2: out[n - i] = 1; }"
            }
        };
        format!("{}{}\n    {body}\n}}\n", &GIVEN[..GIVEN.len() - 2], "x".repeat(style))
    }

    fn found(files: &[String]) -> Vec<Pair> {
        let prints: Vec<Prints> = files.iter().map(|text| Prints::of(text)).collect();
        let prints: Vec<&Prints> = prints.iter().collect();
        pairs(&prints, &Prints::of(GIVEN))
    }

    #[test]
    fn renamed_commented_and_reindented_copies_are_found_and_others_are_not() {
        let copy = solution(0)
            .replace("unsigned j", "unsigned /* mine */ index")
            .replace("j ", "index ")
            .replace("[j", "[index")
            .replace("t[", "partial_sums[")
            .replace("; ", ";\n\n  // and then\n      ")
            .replace("0.5f", "0.25f");
        let files = [solution(0), solution(1), solution(2), copy, solution(3)];
        let pairs = found(&files);
        let [pair] = &pairs[..] else { panic!("{pairs:?}") };
        assert_eq!(pair.files, [0, 3]);
        assert!(pair.part > 0.9 && pair.shared >= LEAST_SHARED, "{pair:?}");
        assert!(pair.lines[0].contains(&4) && pair.lines[1].len() > 3, "{pair:?}");
    }

    #[test]
    fn what_is_given_and_what_all_write_says_nothing() {
        let given: Vec<String> = (0..3).map(|_| GIVEN.to_owned()).collect();
        assert_eq!(found(&given), []);
        let all: Vec<String> = (0..=COMMON_FILES.0).map(|_| solution(2)).collect();
        assert_eq!(found(&all), []);
        assert_eq!(found(&[]), []);
        assert_eq!(found(&["".to_owned(), "/* \"".to_owned(), "\"\\".to_owned()]), []);
    }

    #[test]
    fn a_part_that_was_copied_is_found_in_a_longer_file() {
        let longer = format!("{}\n{}", solution(1), solution(3).replace("sum", "more"));
        let pairs = found(&[solution(3), longer, solution(0)]);
        assert_eq!(pairs.iter().map(|pair| pair.files).collect::<Vec<_>>(), [[0, 1]]);
        assert!(pairs[0].part > 0.9 && !pairs[0].lines[1].contains(&4), "{pairs:?}");
    }
}
