//! What a compiler said, with the lines that it means.

use device::Source;
use toolchain::headers;

use super::form::{HELP, Message, Place};
use super::text::{names, nearest, without_comment};

/// Errors that are shown: those after them mostly follow from them.
const SHOWN: usize = 4;

/// How compilers mark an error in a line `FILE(LINE): error: WHAT`.
const MARKS: [&str; 3] = ["): error: ", "): catastrophic error: ", "): fatal error: "];

/// An error, as the compiler has it.
struct Diagnostic<'l> {
    /// The file, as it was compiled.
    file: &'l str,
    line: u32,
    what: String,
    /// The source line and the line with a mark below it, where the compiler prints them.
    shown: Option<(&'l str, &'l str)>,
}

/// The errors of a compiler's log; the log itself where it has none that can be read.
pub(super) fn messages(log: &str, compiler: &str, source: &Source) -> String {
    let said = errors(log);
    if said.is_empty() {
        let head = format!("{compiler} rejects {}:\n{}", source.file, log.trim());
        return Message { head, ..Message::default() }.text();
    }
    let others = said.len().saturating_sub(SHOWN);
    let mut texts: Vec<String> =
        said.iter().take(SHOWN).map(|said| message(said, compiler, source).text()).collect();
    match others {
        0 => {}
        1 => texts.push("and one other error".to_owned()),
        _ => texts.push(format!("and {others} other errors")),
    }
    texts.join("\n\n")
}

fn errors(log: &str) -> Vec<Diagnostic<'_>> {
    let lines: Vec<&str> = log.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((place, what)) = MARKS.iter().find_map(|mark| line.split_once(mark)) else {
            continue;
        };
        let Some((file, number)) = place.rsplit_once('(') else { continue };
        let Ok(line) = number.parse() else { continue };
        let rest: Vec<&str> =
            lines[index + 1..].iter().take_while(|line| !line.trim().is_empty()).copied().collect();
        let marked = rest.iter().position(|line| line.trim() == "^").filter(|at| *at > 0);
        let shown = marked.map(|at| (rest[at - 1], rest[at]));
        // A long message goes on in lines of its own.
        let more = rest[..marked.map_or(rest.len(), |at| at - 1)].iter().map(|line| line.trim());
        let what = [what.trim()].into_iter().chain(more).collect::<Vec<_>>().join(" ");
        found.push(Diagnostic { file, line, what, shown });
    }
    found
}

fn message(said: &Diagnostic, compiler: &str, source: &Source) -> Message {
    let mut facts = vec![("compiler", compiler.to_owned())];
    let known = source.file(said.file);
    let text = known.map(|(_, text)| text).unwrap_or_default();
    let file = known.map_or(said.file, |(file, _)| file);
    let code = text.lines().nth(said.line.saturating_sub(1) as usize).unwrap_or_default();
    let name = quoted(&said.what);
    let place = lacking(said, file, text).or_else(|| {
        let mut place = Place::at(file, text, said.line, name, String::new())?;
        if let Some(start) = said.shown.and_then(|shown| marked(shown, code)) {
            place.column = code[..start].chars().count() + 1;
            place.width = names(&code[start..])
                .next()
                .filter(|name| code[start..].starts_with(name))
                .map_or(1, |name| name.chars().count());
        }
        Some(place)
    });
    if said.what.ends_with("is undefined")
        && let Some(name) = name
        && let Some(near) = nearest(name, names(text))
    {
        facts.push((HELP, format!("did you mean `{near}`?")));
    }
    if let Some(rest) = said.what.strip_prefix("cannot open source file") {
        facts.push((HELP, unknown_header(rest.trim().trim_matches('"'))));
    }
    if said.what.ends_with("file not found") {
        facts.push((HELP, NOT_CLANGS.to_owned()));
    }
    Message { head: said.what.clone(), places: place.into_iter().collect(), facts }
}

/// What to do about a header that the compiler does not find.
fn unknown_header(name: &str) -> String {
    match headers::installed().iter().any(headers::Headers::have_library) {
        false => {
            "CUDA's headers are not all here: cargo run -p harness -- setup gets them".to_owned()
        }
        true => format!(
            "kernels can include CUDA's own headers (cuda/..., cooperative_groups.h) and the common ones of C++; \
             `{name}` is none of them"
        ),
    }
}

/// What to do about a header that clang does not find.
const NOT_CLANGS: &str = "with clang kernels can include cooperative_groups.h, cuda_fp16.h, cuda_bf16.h and the C++ headers that need \
                          no library; for others use NVRTC: --compiler nvrtc";

/// The name in a message's quotes, of which each compiler has its own.
fn quoted(what: &str) -> Option<&str> {
    let quote = if what.contains('"') { '"' } else { '\'' };
    let (name, _) = what.split_once(quote)?.1.split_once(quote)?;
    names(name).next().filter(|first| *first == name)
}

/// Where the mark of the compiler's lines stands in the line itself, which it may have indented, in bytes.
fn marked((shown, mark): (&str, &str), code: &str) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let at = (mark.find('^')? + indent(code)).checked_sub(indent(shown))?;
    (at < code.len() && code.is_char_boundary(at)).then_some(at)
}

/// A `;` that a compiler misses only where the next line begins: it is the line before that lacks it.
fn lacking(said: &Diagnostic, file: &str, text: &str) -> Option<Place> {
    if said.what != "expected a \";\"" {
        return None;
    }
    let lines: Vec<&str> = text.lines().take(said.line as usize).collect();
    let (code, before) = lines.split_last()?;
    if let Some(shown) = said.shown
        && marked(shown, code)? > code.len() - code.trim_start().len()
    {
        return None;
    }
    let (index, line) =
        before.iter().enumerate().rfind(|(_, line)| !without_comment(line).trim().is_empty())?;
    let label = "a `;` is missing here".to_owned();
    Some(Place {
        file: file.to_owned(),
        line: u32::try_from(index + 1).ok()?,
        column: without_comment(line).chars().count() + 1,
        width: 1,
        text: line.trim_end().to_owned(),
        label,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Source {
        Source {
            file: "my kernels/mine.cu".to_owned(),
            cuda: Some("int a; // b\n\n    b = 1; c = epsq; float epssq;\n}\n".to_owned()),
            cuda_name: "/kernels/mine.cu".to_owned(),
            ..Source::default()
        }
    }

    #[test]
    fn a_compilers_mark_is_found_in_the_line_itself() {
        let log = "nvrtc: warning: old\nmine.cu(3): error: identifier \"epsq\" is undefined\n      \
                   b = 1; c = epsq; float epssq;\n                 ^\n\n1 error detected.\n";
        assert_eq!(
            messages(log, "NVRTC 12.9", &source()),
            "error: identifier \"epsq\" is undefined\n   --> my kernels/mine.cu:3:16\n    |\n  3 |     b = 1; c = epsq; float epssq;\n    |                ^^^^\n    = compiler: NVRTC 12.9\n    = help:     did you mean `epssq`?"
        );
    }

    #[test]
    fn without_a_mark_the_name_is_marked() {
        let log = "/kernels/mine.cu(3): error: identifier \"epsq\" is undefined\n\n1 error\n";
        let text = messages(log, "NVRTC 11.8", &source());
        assert!(text.contains("mine.cu:3:16\n"), "{text}");
    }

    #[test]
    fn clangs_messages_are_read_as_nvrtcs() {
        let log = "/kernels/mine.cu(3): error: use of undeclared identifier 'epsq'\n    b = 1; c = epsq; float \
                   epssq;\n               ^\n\n/kernels/mine.cu(1): fatal error: 'a.h' file not found\n";
        let text = messages(log, "clang 22", &source());
        assert!(text.contains("mine.cu:3:16\n") && text.contains("^^^^\n"), "{text}");
        assert!(
            text.contains("'a.h' file not found") && text.contains("--compiler nvrtc"),
            "{text}"
        );
    }

    #[test]
    fn a_missing_semicolon_is_where_it_is_missing() {
        for shown in ["", "      b = 1; c = epsq; float epssq;\n      ^\n"] {
            let log = format!("/kernels/mine.cu(3): error: expected a \";\"\n{shown}\n");
            let text = messages(&log, "NVRTC", &source());
            assert!(text.contains("mine.cu:1:7\n") && text.contains("missing here"), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_shown_as_it_is() {
        let text = messages("nvrtc: error: out of luck", "NVRTC 1", &source());
        assert_eq!(text, "error: NVRTC 1 rejects my kernels/mine.cu:\nnvrtc: error: out of luck");
        let many = "x.cu(1): error: no\n\n".repeat(6);
        assert!(messages(&many, "NVRTC 1", &source()).ends_with("and 2 other errors"));
    }
}
