//! What a source file declares, imports and names.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::slice;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Names joined by `::`.
pub type Names = Vec<String>;

/// What is of interest in a file, without its tests.
#[derive(Debug, Default)]
pub struct Source {
    /// Modules with files of their own.
    pub children: Vec<String>,
    /// What `use` brings into it, by the name that it has here.
    pub uses: BTreeMap<String, Names>,
    /// Modules all of which `pub use` exports.
    pub exported_globs: Vec<Names>,
    /// Modules all of which `use` brings in.
    pub globs: Vec<Names>,
    /// What its code names: every path, every `use` that is not `pub`.
    pub paths: BTreeSet<Names>,
    /// Types and functions that it names without a path.
    pub names: BTreeSet<String>,
    /// Items that it defines.
    pub items: BTreeSet<String>,
}

type Tokens<'t> = Peekable<slice::Iter<'t, TokenTree>>;

impl Source {
    /// Reads the text of a file.
    ///
    /// # Panics
    /// It is no Rust.
    pub fn read(text: &str) -> Source {
        let mut source = Source::default();
        source.read_tokens(text.parse().expect("tokens of Rust"));
        source
    }

    fn read_tokens(&mut self, tokens: TokenStream) {
        let all = Vec::from_iter(tokens);
        let mut tokens = all.iter().peekable();
        let (mut is_exported, mut sign) = (false, None);
        while let Some(token) = tokens.next() {
            let (was_exported, after) = (std::mem::take(&mut is_exported), sign.take());
            match token {
                TokenTree::Punct(punct) => {
                    sign = Some(punct.as_char());
                    if sign == Some('#') && tokens.peek().is_some_and(|next| is_test(next)) {
                        skip_item(&mut tokens);
                    }
                }
                TokenTree::Group(group) => self.read_tokens(group.stream()),
                TokenTree::Ident(ident) => match ident.to_string().as_str() {
                    "pub" => {
                        is_exported = true;
                        tokens.next_if(|next| is_group(next, Delimiter::Parenthesis));
                    }
                    "use" => self.read_use(&mut tokens, &Names::new(), was_exported),
                    "mod" => {
                        let name = tokens.next().and_then(name);
                        if tokens.peek().is_some_and(|next| is_punct(next, ';')) {
                            self.children.extend(name);
                        }
                    }
                    // `*const T`, `const fn` and `fn(T)` define no item of the next name.
                    "const" if after == Some('*') => {}
                    "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static"
                    | "macro_rules" => {
                        tokens.next_if(|next| is_punct(next, '!'));
                        let item =
                            tokens.next_if(|next| name(next).is_some_and(|name| name != "fn"));
                        self.items.extend(item.and_then(name));
                    }
                    first => self.read_path(&mut tokens, first, after == Some('.')),
                },
                TokenTree::Literal(_) => {}
            }
        }
    }

    /// Reads what follows `use`, or what is in its braces after the names `before`.
    fn read_use(&mut self, tokens: &mut Tokens, before: &Names, is_exported: bool) {
        loop {
            let mut path = before.clone();
            let mut alias = None;
            let mut is_entered = false;
            let mut last = None;
            for token in tokens.by_ref() {
                match token {
                    TokenTree::Ident(ident) if ident == "as" => alias = Some(String::new()),
                    TokenTree::Ident(ident) if alias.is_some() => alias = Some(ident.to_string()),
                    TokenTree::Ident(ident) if ident == "self" && !path.is_empty() => {}
                    TokenTree::Ident(ident) => path.push(ident.to_string()),
                    TokenTree::Group(group) => {
                        let all = Vec::from_iter(group.stream());
                        self.read_use(&mut all.iter().peekable(), &path, is_exported);
                        is_entered = true;
                    }
                    token if is_punct(token, '*') => {
                        let globs =
                            if is_exported { &mut self.exported_globs } else { &mut self.globs };
                        globs.push(path.clone());
                        is_entered = true;
                    }
                    _ => {}
                }
                let is_end = is_punct(token, ',') || is_punct(token, ';');
                last = Some(token);
                if is_end {
                    break;
                }
            }
            let Some(last) = last else { return };
            if let Some(own) = alias.or_else(|| path.last().cloned()).filter(|_| !is_entered) {
                if !is_exported {
                    self.paths.insert(path.clone());
                }
                self.uses.insert(own, path);
            }
            if is_punct(last, ';') {
                return;
            }
        }
    }

    /// Reads names joined by `::`, or a single one: `.name` is no path, and of others only types and calls are of interest.
    fn read_path(&mut self, tokens: &mut Tokens, first: &str, is_member: bool) {
        let mut path = vec![first.to_owned()];
        loop {
            let mut after = tokens.clone();
            let has_colons =
                [(); 2].iter().all(|()| after.next().is_some_and(|it| is_punct(it, ':')));
            let Some(next) = after.next().and_then(name).filter(|_| has_colons) else {
                break;
            };
            path.push(next);
            *tokens = after;
        }
        if path.len() > 1 {
            self.paths.insert(path);
        } else if first.starts_with(char::is_uppercase)
            || !is_member
                && tokens.peek().is_some_and(|next| is_group(next, Delimiter::Parenthesis))
        {
            self.names.extend(path);
        }
    }
}

fn name(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

/// Whether what follows `#` says that an item is for tests: `[cfg(test)]`, `[cfg(all(test, …))]`, `[test]`.
fn is_test(attribute: &TokenTree) -> bool {
    let words = attribute.to_string();
    let mut words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next();
    first == Some("test")
        || first == Some("cfg")
            && words.all(|it| it != "not")
            && attribute.to_string().contains("test")
}

/// Passes over an item: it ends with `;` or braces.
fn skip_item(tokens: &mut Tokens) {
    for token in tokens.by_ref() {
        if is_punct(token, ';') || is_group(token, Delimiter::Brace) {
            return;
        }
    }
}

#[test]
fn imports_and_paths_are_read() {
    let source = Source::read(
        "mod a; mod b { mod c {} }
         use a::{self, X as Y, deep::{Z, *}}; pub(crate) use super::Shown; pub use a::*;
         #[cfg(test)] mod tests { use crate::no; }
         const fn f(x: Shown) -> u8 { g(x.h()) + crate::m::n(m!(k::l)) } // o::p
         #[cfg(test)] use crate::nothing;",
    );
    let names = |path: &str| path.split("::").map(str::to_owned).collect::<Names>();
    assert_eq!(source.children, ["a"]);
    assert_eq!(source.uses["Y"], names("a::X"));
    assert_eq!(source.uses["Shown"], names("super::Shown"));
    assert_eq!((source.globs, source.exported_globs), (vec![names("a::deep")], vec![names("a")]));
    let paths = ["a", "a::X", "a::deep::Z", "crate::m::n", "k::l"].map(names);
    assert_eq!(source.paths, paths.into_iter().collect());
    assert_eq!(Vec::from_iter(source.names), ["Shown", "g"]);
    assert_eq!(Vec::from_iter(source.items), ["f"]);
}
