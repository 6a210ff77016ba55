// SPDX-License-Identifier: MIT OR Apache-2.0
// Colours the code of differences as that of listings is coloured, line by line.
"use strict";

document.querySelectorAll(".difference").forEach((difference) => {
  const name = difference.querySelector("figcaption").textContent;
  const language = name.endsWith(".rs") ? "rust" : "cpp";
  difference.querySelectorAll(".text").forEach((text) => {
    text.innerHTML = hljs.highlight(language, text.textContent).value;
  });
});
