//! The little HTML this book needs: escaping on the way out, tags and attributes on the way in.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// `text` with the characters that HTML would read as markup replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

/// A start tag with its attributes; names are in lower case.
#[derive(Debug)]
pub struct Tag {
    /// Its name, such as `a`.
    pub name: String,
    /// Name and value of each attribute; the value is empty where there is none.
    attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(have, _)| have == name).map(|(_, value)| value.as_str())
    }
}

/// The start tags of a rendered page, in order. Comments and the text of scripts and styles are passed over.
pub fn tags(html: &str) -> Vec<Tag> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    let tokenizer = Tokenizer::new(Tags::default(), TokenizerOpts::default());
    // No script stops it.
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

#[derive(Default)]
struct Tags(RefCell<Vec<Tag>>);

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let Token::TagToken(tag) = token else { return TokenSinkResult::Continue };
        if tag.kind == TagKind::EndTag {
            return TokenSinkResult::Continue;
        }
        let after = match &*tag.name {
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" => TokenSinkResult::RawData(RawKind::Rawtext),
            _ => TokenSinkResult::Continue,
        };
        let attributes =
            tag.attrs.iter().map(|it| (it.name.local.to_string(), it.value.to_string()));
        let (name, attributes) = (tag.name.to_string(), attributes.collect());
        self.0.borrow_mut().push(Tag { name, attributes });
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(
            escape(r#"if (a < b && c > "d")"#),
            "if (a &lt; b &amp;&amp; c &gt; &quot;d&quot;)"
        );
    }

    #[test]
    fn tags_and_attributes_are_read() {
        let found =
            tags("<p>1 < 2<a class=x href='b.html#c' >t</a><img alt src=\"d&amp;e.png\"/></p>");
        let names: Vec<_> = found.iter().map(|tag| tag.name.as_str()).collect();
        assert_eq!(names, ["p", "a", "img"]);
        assert_eq!(found[1].attribute("href"), Some("b.html#c"));
        assert_eq!(found[1].attribute("class"), Some("x"));
        assert_eq!(found[2].attribute("alt"), Some(""));
        assert_eq!(found[2].attribute("src"), Some("d&e.png"));
    }

    #[test]
    fn scripts_and_comments_hold_no_tags() {
        let found =
            tags("<script>if (a<b) '<a href=\"no\">'</script><!-- <a href='no'> --><b id=x>");
        let names: Vec<_> = found.iter().map(|tag| tag.name.as_str()).collect();
        assert_eq!(names, ["script", "b"]);
    }
}
