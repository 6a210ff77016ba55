// SPDX-License-Identifier: MIT OR Apache-2.0
// A text area with numbered lines, colours behind its letters, and marks on lines that a verdict names.
"use strict";

class Editor {
  constructor(root, changed) {
    const part = (name) => root.querySelector(name);
    [this.area, this.painted, this.numbers] = [part("textarea"), part(".painted"), part(".numbers")];
    this.code = this.painted.firstElementChild;
    this.marks = new Set();
    this.leaves = false;
    this.area.addEventListener("input", () => {
      this.marks.clear();
      this.paint();
      changed();
    });
    this.area.addEventListener("scroll", () => this.follow());
    this.area.addEventListener("keydown", (event) => this.key(event));
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.scrollTo(0, 0);
    this.mark([]);
  }

  // Lines from 1 that are shown as wrong.
  mark(lines) {
    this.marks = new Set(lines);
    this.paint();
  }

  // Puts the cursor at a line and a column, from 1.
  go(line, column = 1) {
    const lines = this.text.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0);
    const at = Math.min(before + column - 1, before + (lines[line - 1] ?? "").length);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, (line - 4) * height);
  }

  paint() {
    // A last line without letters has a height too.
    this.code.textContent = `${this.text}\n`;
    delete this.code.dataset.highlighted;
    if (window.hljs) {
      this.code.className = "language-cpp";
      (hljs.highlightElement ?? hljs.highlightBlock)(this.code);
    }
    const count = this.text.split("\n").length;
    this.numbers.replaceChildren(...Array.from({ length: count }, (_, at) => {
      const line = document.createElement("span");
      line.textContent = at + 1;
      line.classList.toggle("marked", this.marks.has(at + 1));
      return line;
    }));
    this.follow();
  }

  follow() {
    this.painted.scrollLeft = this.area.scrollLeft;
    this.painted.scrollTop = this.area.scrollTop;
    this.numbers.scrollTop = this.area.scrollTop;
  }

  // Tab indents, unless Escape was pressed before; a new line is indented as the one above.
  key(event) {
    if (event.key === "Escape") {
      this.leaves = true;
      return;
    }
    if (event.key === "Tab" && !event.shiftKey && !this.leaves) {
      event.preventDefault();
      this.insert("    ");
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && !event.isComposing) {
      event.preventDefault();
      const above = this.text.slice(0, this.area.selectionStart).split("\n").pop();
      this.insert(`\n${above.match(/^\s*/)[0]}${above.trimEnd().endsWith("{") ? "    " : ""}`);
    }
    this.leaves = false;
  }

  insert(text) {
    // The old command keeps what can be undone.
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
      this.area.dispatchEvent(new Event("input"));
    }
  }
}
