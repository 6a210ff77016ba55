//! Damage: tokens, lines and numbers deleted, doubled, moved and replaced, and texts cut short.

use std::ops::Range;

use crate::corpus::Corpus;
use crate::random::Random;

/// Numbers at which something may go wrong.
const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "31",
    "32",
    "33",
    "63",
    "64",
    "255",
    "256",
    "4096",
    "65535",
    "65536",
    "2147483647",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "0fFFFFFFFF",
    "0x8000000000000000",
];

/// A file of the corpus with up to six damages.
pub fn mutant(corpus: &Corpus, random: &mut Random) -> String {
    let mut text = random.of(&corpus.texts).clone();
    for _ in 0..1 + random.below(6) {
        text = damage(text, corpus, random);
    }
    text
}

fn damage(text: String, corpus: &Corpus, random: &mut Random) -> String {
    let tokens = tokens(&text);
    if tokens.is_empty() {
        return text;
    }
    let at = random.of(&tokens).clone();
    let other = random.of(&tokens).clone();
    let line = line_of(&text, at.start);
    let replaced = |range: Range<usize>, by: &str| {
        let mut text = text.clone();
        text.replace_range(range, by);
        text
    };
    match random.below(16) {
        0 => replaced(at, ""),
        1 => replaced(at.clone(), &format!("{0} {0}", &text[at])),
        2 | 3 => replaced(at, &text[other]),
        4 | 5 => replaced(at, random.of::<String>(&corpus.tokens)),
        6 => replaced(at.start..at.start, &format!("{} ", random.of::<String>(&corpus.tokens))),
        7 => replaced(line, ""),
        8 => replaced(line.start..line.start, &text[line]),
        9 => {
            let other = line_of(&text, other.start);
            replaced(line.start..line.start, &text[other])
        }
        10 => text[..at.start].to_string(),
        11 => text[at.end..].to_string(),
        12..=14 => {
            let numbers: Vec<_> = tokens
                .into_iter()
                .filter(|t| text[t.clone()].starts_with(char::is_numeric))
                .collect();
            match numbers.is_empty() {
                true => text,
                false => replaced(random.of(&numbers).clone(), random.of::<&str>(&NUMBERS)),
            }
        }
        _ => {
            let byte = char::from(random.next() as u8 & 0x7f);
            let end = at.start + text[at.start..].chars().next().map_or(0, char::len_utf8);
            replaced(at.start..end, &byte.to_string())
        }
    }
}

/// Where words and single signs are.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
    let mut all: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        let end = at + c.len_utf8();
        match all.last_mut() {
            Some(last) if last.end == at && is_word(c) && text[last.clone()].ends_with(is_word) => {
                last.end = end;
            }
            _ => all.push(at..end),
        }
    }
    all
}

fn line_of(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    start..end
}
