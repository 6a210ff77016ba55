//! The frame of every page: no script, nothing that is fetched, dark where the reader's system is.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:54rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff;overflow-wrap:anywhere}\
body.wide{max-width:90rem}\
.scroll{overflow-x:auto;overflow-wrap:normal}\
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .8rem;text-align:left;vertical-align:top;border-bottom:1px solid #ccc}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
pre{background:#f4f4f4;padding:.8rem;overflow-x:auto;font-size:.85rem;overflow-wrap:normal}\
pre mark{display:inline-block;min-width:100%;background:#ffe9a8;color:inherit}\
a{color:#0b57a4}.note{color:#555}details{margin:.5rem 0}summary{cursor:pointer}\
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1rem}.sides>div{min-width:0}\
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181d}pre{background:#22252c}th,td{border-color:#444}\
pre mark{background:#554400}a{color:#8cb8ff}.note{color:#aaa}}";

/// How wide a page is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// For text.
    Narrow,
    /// For tables and sources next to each other.
    Wide,
}

/// A page. With `refresh` it is loaded again after so many seconds.
pub fn page(title: &str, width: Width, refresh: Option<u32>, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                @if let Some(seconds) = refresh { meta http-equiv="refresh" content=(seconds); }
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body.wide[width == Width::Wide] {
                h1 { (title) }
                (body)
            }
        }
    };
    page.into_string()
}
