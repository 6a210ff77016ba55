// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs in a page: what a reader at this width, in this theme, cannot see.

(function () {
  const faults = [];
  const width = document.documentElement.clientWidth;
  const name = (element) => {
    const text = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
    const kind = element.tagName.toLowerCase();
    const label = element.getAttribute("class");
    return `${kind}${label ? `.${label.split(" ").join(".")}` : ""} "${text}"`;
  };
  const scrolls = (element) => {
    for (let at = element; at && at.tagName !== "MAIN"; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (/auto|scroll/.test(style.overflowX) || style.position === "fixed" ||
          style.position === "absolute" && style.clip !== "auto") {
        return true;
      }
    }
    return false;
  };
  const main = document.querySelector("main");
  const add = (element, why) => {
    if (faults.length < 5) {
      faults.push(`${name(element)} ${why}`);
    }
  };
  if (document.documentElement.scrollWidth > width + 1) {
    faults.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${width}`);
  }
  for (const element of main.querySelectorAll("*")) {
    if (element.closest("svg, math, noscript")) {
      continue;
    }
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > width + 1 || box.left < -1) && !scrolls(element)) {
      add(element, `ends at ${Math.round(box.right)} of ${width}`);
    }
    const style = getComputedStyle(element);
    if (style.overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1) {
      add(element, "hides what is wider than it");
    }
  }
  // A drawing without its style: something in the sheets is not closed.
  for (const shape of main.querySelectorAll(".drawing :is(.busy, .load)")) {
    if (getComputedStyle(shape).fill === "rgb(0, 0, 0)") {
      add(shape, "has no colour");
    }
  }
  // Words of a drawing that its frame cuts off.
  for (const svg of main.querySelectorAll("svg")) {
    const frame = svg.getBoundingClientRect();
    for (const text of frame.width ? svg.querySelectorAll("text") : []) {
      const box = text.getBoundingClientRect();
      if (box.width && (box.right > frame.right + 2 || box.left < frame.left - 2 ||
          box.bottom > frame.bottom + 3 || box.top < frame.top - 3)) {
        add(text, "is cut off by its drawing");
      }
    }
  }
  // Light slabs on a dark page.
  const light = (colour) => {
    const [red, green, blue, alpha = 1] = (colour.match(/[\d.]+/g) || []).map(Number);
    return alpha > 0.5 && 0.2126 * red + 0.7152 * green + 0.0722 * blue > 200;
  };
  if (!light(getComputedStyle(document.documentElement).backgroundColor)) {
    for (const shape of main.querySelectorAll("svg > rect, svg > path")) {
      const box = shape.getBoundingClientRect();
      if (box.width * box.height > 60000 && light(getComputedStyle(shape).fill)) {
        add(shape, "is light on a dark page");
      }
    }
  }
  return faults;
})();
