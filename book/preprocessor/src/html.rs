//! The little HTML this book needs: escaping on the way out, tags and attributes on the way in.

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

/// The inverse of what mdBook's renderer writes into attribute values.
fn unescape(text: &str) -> String {
    // `&amp;` last: the others would see its result.
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&#x27;", "'")
        .replace("&amp;", "&")
}

/// A start tag with its attributes; names are in lower case.
#[derive(Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name, such as `a`.
    pub name: String,
    /// Name and value of each attribute; the value is empty where there is none.
    pub attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(have, _)| have == name).map(|(_, value)| value.as_str())
    }
}

/// The start tags of a rendered page, in order. Comments and the text of scripts and styles are passed over.
/// Reads what a renderer writes; it is no parser for HTML as people type it.
pub fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
        } else if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (tag, after) = tag(rest);
            rest = after;
            if matches!(tag.name.as_str(), "script" | "style") {
                let end = format!("</{}", tag.name);
                rest = rest.find(&end).map_or("", |at| &rest[at..]);
            }
            tags.push(tag);
        }
    }
    tags
}

/// Reads a start tag whose `<` was passed; returns it and what follows its `>`.
fn tag(text: &str) -> (Tag, &str) {
    let name_end =
        text.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(text.len());
    let mut tag = Tag { name: text[..name_end].to_ascii_lowercase(), attributes: Vec::new() };
    let mut rest = &text[name_end..];
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() {
            return (tag, rest);
        }
        if let Some(after) = rest.strip_prefix('>') {
            return (tag, after);
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/'))
            .unwrap_or(rest.len());
        // A stray `=` would otherwise be read for ever.
        let end = end.max(rest.chars().next().map_or(0, char::len_utf8).min(rest.len()));
        let name = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start();
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            let (raw, next) = match after.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    after[1..].split_once(quote).unwrap_or((&after[1..], ""))
                }
                _ => after.split_at(
                    after.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(after.len()),
                ),
            };
            value = unescape(raw);
            rest = next;
        }
        tag.attributes.push((name, value));
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

    #[test]
    fn broken_markup_ends() {
        for html in ["<", "<a", "<a =", "<a href=\"x", "<a href", "<!-- x", "<script>"] {
            let _ = tags(html);
        }
    }
}
