// SPDX-License-Identifier: MIT OR Apache-2.0
// What the keyboard and a screen reader cannot reach in mdBook's pages.
"use strict";

// A label that opens the contents acts as a button, and says whether they are open.
document.getElementById("mdbook-sidebar-toggle")?.setAttribute("role", "button");

// Code that is wider than the page is scrolled by the keyboard once it has the focus.
const reach = () => {
  for (const code of document.querySelectorAll("main pre > code")) {
    if (code.scrollWidth > code.clientWidth) {
      code.tabIndex = 0;
    }
  }
};
reach();
addEventListener("resize", reach);
