//! Refuses a stranger's source that may reach for files of this machine, or name them in messages.
//!
//! A file is included only by its name in quotes, which [`Include`](super::include::Include) then finds in the kernel's own
//! folder, or in angle brackets, which is the compiler's own. The source is read as a compiler reads it: lines are spliced
//! first, then comments and literals are taken out, so that none of them hides a directive. What no kernel needs and what
//! compilers read in different ways (raw strings, trigraphs) is refused as a whole.

use std::iter::Peekable;
use std::str::Chars;

use crate::error::Error;
use crate::source::Source;

/// Directives that read nothing and rename nothing. `include` and `pragma` are looked into.
const DIRECTIVES: &[&str] = &[
    "", "define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif",
    "error", "warning",
];

/// What a pragma may begin with.
const PRAGMAS: &[&str] = &[
    "unroll",
    "nounroll",
    "once",
    "nv_diag_suppress",
    "nv_diag_default",
    "nv_diagnostic",
    "diag_suppress",
    "diag_default",
    "push_macro",
    "pop_macro",
];

/// Names that ask for files wherever they stand.
const NAMES: &[&str] = &["__has_include", "__has_include_next", "__has_embed", "__pragma"];

/// Refuses a source whose text, or that of a file that it includes, may reach for files of this machine.
///
/// # Errors
/// The first such place.
pub fn check(source: &Source) -> Result<(), Error> {
    let own = source.cuda.iter().map(|text| (&source.file, text));
    let included = source.includes.iter().map(|include| (&include.file, &include.text));
    own.chain(included).try_for_each(|(file, text)| check_text(file, text))
}

/// The same of one file's text.
///
/// # Errors
/// The first such place.
pub fn check_text(file: &str, text: &str) -> Result<(), Error> {
    refusal(text).map_or(Ok(()), |(line, what)| {
        Err(Error::Unavailable {
            what: format!("{file}:{line}: {what}"),
            remedy: "a kernel that is not trusted includes only files of its own folder, as #include \"NAME.cuh\""
                .to_string(),
        })
    })
}

/// The line of the first thing that is refused, and what it is.
fn refusal(text: &str) -> Option<(u32, String)> {
    for trigraph in ["??=", "??/", "??'"] {
        if let Some(at) = text.find(trigraph) {
            let line = text[..at].lines().count().max(1) as u32;
            return Some((line, format!("the trigraph {trigraph}")));
        }
    }
    let mut reader = Reader { rest: text.chars().peekable(), line: 1 };
    let mut tokens = Vec::new();
    loop {
        let line = reader.line;
        match reader.token() {
            Ok(Some(Token::LineEnd)) => {
                if let Some(what) = line_refusal(&tokens) {
                    return Some((line, what));
                }
                tokens.clear();
            }
            Ok(Some(token)) => tokens.push(token),
            Ok(None) => return line_refusal(&tokens).map(|what| (line, what)),
            Err(what) => return Some((line, what)),
        }
    }
}

/// What is refused of a logical line.
fn line_refusal(tokens: &[Token]) -> Option<String> {
    if let Some(what) = directive_refusal(tokens) {
        return Some(what);
    }
    if matches!(tokens.first(), Some(Token::Name(name)) if name == "import" || name == "module") {
        return Some("a module".to_string());
    }
    for (place, token) in tokens.iter().enumerate() {
        match token {
            Token::Name(name) if NAMES.contains(&name.as_str()) => {
                return Some(format!("`{name}`"));
            }
            Token::Name(name) if name == "_Pragma" => match &tokens[place + 1..] {
                [Token::Other('('), Token::Text(text), Token::Other(')'), ..]
                    if is_known_pragma(text) => {}
                _ => return Some("a _Pragma that is none of the known".to_string()),
            },
            Token::Text(text) => {
                let text = text.to_ascii_lowercase();
                if [".incbin", ".include"].iter().any(|word| text.contains(word)) {
                    return Some("an assembler directive that reads a file".to_string());
                }
            }
            _ => {}
        }
    }
    None
}

/// What is refused of a line that begins with `#`.
fn directive_refusal(tokens: &[Token]) -> Option<String> {
    let rest = match tokens {
        [Token::Other('#'), rest @ ..] | [Token::Other('%'), Token::Other(':'), rest @ ..] => rest,
        _ => return None,
    };
    let (name, rest) = match rest {
        [] => ("", rest),
        [Token::Name(name), rest @ ..] => (name.as_str(), rest),
        _ => return Some("a line marker".to_string()),
    };
    match (name, rest) {
        ("include", [Token::Text(name)]) if is_file(name) => None,
        ("include", [Token::Other('<'), .., Token::Other('>')]) if is_header(rest) => None,
        ("include", _) => Some("an #include that names no file of the kernel's folder".to_string()),
        ("pragma", [Token::Name(word), ..]) if PRAGMAS.contains(&word.as_str()) => None,
        ("pragma", _) => Some("a #pragma that is none of the known".to_string()),
        (name, _) if DIRECTIVES.contains(&name) => None,
        (name, _) => Some(format!("`#{name}`")),
    }
}

fn is_known_pragma(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .is_some_and(|it| PRAGMAS.contains(&it))
}

/// Whether a name is one of a file, and no path.
fn is_file(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain)
}

/// Whether `<…>` can only be a header of the compiler's: names and slashes, nowhere upwards, not from the root.
fn is_header(tokens: &[Token]) -> bool {
    let inner = &tokens[1..tokens.len() - 1];
    let is_plain = |token: &Token| {
        matches!(token, Token::Name(_) | Token::Number | Token::Other('/' | '.' | '-'))
    };
    let goes_up = inner
        .windows(2)
        .any(|two| matches!(two, [Token::Other('.' | '/'), Token::Other('.' | '/')]));
    matches!(inner.first(), Some(Token::Name(_))) && inner.iter().all(is_plain) && !goes_up
}

/// A part of a source that a compiler's preprocessor tells apart.
#[derive(Debug, PartialEq)]
enum Token {
    Name(String),
    Number,
    /// What is between two quotes.
    Text(String),
    Character,
    Other(char),
    LineEnd,
}

/// Reads spliced lines without comments.
struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
    line: u32,
}

impl Reader<'_> {
    /// The next character, behind ends of lines that a backslash takes away.
    fn peek(&mut self) -> Option<char> {
        while self.rest.peek() == Some(&'\\') {
            let mut ahead = self.rest.clone();
            ahead.next();
            // Some compilers take a backslash before blanks for one at the end of its line.
            while ahead.next_if(|c| matches!(c, ' ' | '\t' | '\r')).is_some() {}
            if ahead.next_if_eq(&'\n').is_none() {
                break;
            }
            self.rest = ahead;
            self.line += 1;
        }
        self.rest.peek().copied()
    }

    fn next(&mut self) -> Option<char> {
        self.peek()?;
        let c = self.rest.next()?;
        self.line += u32::from(c == '\n');
        Some(c)
    }

    fn next_if(&mut self, is: impl Fn(char) -> bool) -> Option<char> {
        if is(self.peek()?) { self.next() } else { None }
    }

    fn token(&mut self) -> Result<Option<Token>, String> {
        while self.next_if(|c| c != '\n' && c.is_whitespace()).is_some() {}
        let Some(c) = self.next() else { return Ok(None) };
        Ok(Some(match c {
            '\n' => Token::LineEnd,
            '\0' => return Err("a zero byte".to_string()),
            '/' if self.next_if(|c| c == '/').is_some() => {
                while self.next_if(|c| c != '\n').is_some() {}
                return self.token();
            }
            '/' if self.next_if(|c| c == '*').is_some() => {
                self.skip_comment();
                return self.token();
            }
            '"' => Token::Text(self.literal('"')),
            '\'' => {
                self.literal('\'');
                Token::Character
            }
            c if is_of_name(c) && !c.is_numeric() => {
                let mut name = String::from(c);
                while let Some(c) = self.next_if(is_of_name) {
                    name.push(c);
                }
                if self.peek() == Some('"')
                    && matches!(name.as_str(), "R" | "LR" | "uR" | "UR" | "u8R")
                {
                    return Err("a raw string".to_string());
                }
                Token::Name(name)
            }
            c if c.is_ascii_digit() => {
                self.skip_number();
                Token::Number
            }
            other => Token::Other(other),
        }))
    }

    fn skip_comment(&mut self) {
        let mut last = ' ';
        while let Some(c) = self.next() {
            if (last, c) == ('*', '/') {
                return;
            }
            last = c;
        }
    }

    /// A literal up to its quote or the end of its line.
    fn literal(&mut self, quote: char) -> String {
        let mut text = String::new();
        while let Some(c) = self.next_if(|c| c != '\n') {
            match c {
                '\\' => {
                    text.push(c);
                    text.extend(self.next_if(|c| c != '\n'));
                }
                c if c == quote => break,
                c => text.push(c),
            }
        }
        text
    }

    /// A number with the quotes that part its digits, which open no literal.
    fn skip_number(&mut self) {
        loop {
            while self.next_if(|c| is_of_name(c) || c == '.').is_some() {}
            let mut ahead = self.rest.clone();
            let parts = ahead.next() == Some('\'') && ahead.next().is_some_and(is_of_name);
            if self.peek() != Some('\'') || !parts {
                return;
            }
            self.next();
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Option<String> {
        refusal(text).map(|(line, what)| format!("{line}: {what}"))
    }

    #[test]
    fn what_kernels_are_made_of_is_accepted() {
        for text in [
            "#include \"ring.cuh\" // shared\n#include <cuda_fp16.h>\n#include <cooperative_groups/reduce.h>\n",
            "#pragma unroll 4\n_Pragma(\"unroll\")\n#pragma once\n#define A(x) \\\n  x\n#undef A\n#\n%: define B\n",
            "#if defined(A) && A > 1'000'000\n#error don't\n#endif\nint big = 1'000; char c = '\"'; // \"\n",
            "asm volatile(\"mov.u32 %0, %laneid;\" : \"=r\"(x)); /* # include \"no\" */ int import_count;\n",
            "const char* s = \"#include \\\"/etc/passwd\\\"\"; // #include \"/etc/passwd\"\n",
        ] {
            assert_eq!(refused(text), None, "{text}");
        }
    }

    #[test]
    fn no_spelling_of_an_include_reaches_another_file() {
        for text in [
            "#include \"/etc/passwd\"",
            "#include \"../secret.cuh\"",
            "#include \".hidden\"",
            "#include </etc/passwd>",
            "#include <../etc/passwd>",
            "#include <a/../../etc/passwd>",
            "#include <etc//passwd>",
            "#include <a/*>\n#include \"/etc/passwd\" //*/",
            "#include \"a\\\n/../b\"",
            "#define F \"/etc/passwd\"\n#include F",
            "#include_next \"a.cuh\"",
            "#import \"a.cuh\"",
            "#embed \"/etc/passwd\"",
            "%:include \"/etc/passwd\"",
            "??=include \"/etc/passwd\"",
            "#inc\\\nlude \"/etc/passwd\"",
            "#inc\\  \r\nlude \"/etc/passwd\"",
            "# /* \n */ include \"/etc/passwd\"",
            "/* */ #include \"/etc/passwd\"",
            "int a = 1'000; /* ' */\n#include \"/etc/passwd\"",
            "char c = '\\\\';\n#include \"/etc/passwd\"",
            "const char* s = \"\\\\\";\n#include \"/etc/passwd\"",
            "const char* s = R\"(\n)\";",
            "#if __has_include(\"/etc/passwd\")\n#endif",
            "import \"/etc/passwd\";",
            "#line 1 \"/etc/passwd\"",
            "# 1 \"/etc/passwd\"",
            "#pragma GCC dependency \"/etc/passwd\"",
            "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")",
            "#define P(x) _Pragma(#x)",
            "asm(\".INCBIN \\\"/etc/passwd\\\"\");",
            "#ident \"x\"",
            "int a;\0",
        ] {
            assert!(refused(text).is_some(), "{text}");
        }
    }

    #[test]
    fn the_place_is_named() {
        assert_eq!(refused("int a;\n\n#line 3\n").as_deref(), Some("3: `#line`"));
        let error = check_text("mine.cu", "\n#include \"/etc/passwd\"\n").unwrap_err().to_string();
        assert!(
            error.starts_with("mine.cu:2: an #include") && error.contains("NAME.cuh"),
            "{error}"
        );
    }
}
