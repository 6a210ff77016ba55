//! Tables that scroll in their own box.

use maud::{Markup, html};

use super::figures::NONE;

/// A table in a box of its own, in which it can be scrolled with the keyboard too. The first column
/// names the lines.
pub fn scrolled(name: &str, caption: &str, heads: &[&str], lines: Markup) -> Markup {
    // Beside the table, not in it: it would be as wide as the table is.
    html! {
        p.muted.small { (caption) }
        div.scroll tabindex="0" role="region" aria-label={ "Table: " (name) } {
            table aria-label=(name) {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                (lines)
            }
        }
    }
}

/// A cell with a number, or a dash for what there is not.
pub fn number(text: Option<String>) -> Markup {
    html! { td { (text.as_deref().unwrap_or(NONE)) } }
}
