// SPDX-License-Identifier: MIT OR Apache-2.0
// Looks at every page of the built book in a headless Chromium: links and anchors, errors, and what is cut off on a
// phone, a tablet and a large screen, and on the phone in a dark theme; and how some of them are printed.
//
//     node book/tests/pages.mjs [FOLDER]      (default: book/build)

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const book = resolve(process.argv[2] ?? join(here, "../build"));
const widths = [360, 820, 1280];
// Themes change colours alone: of the dark one, one width is enough.
const looks = [...widths.map((width) => ["light", width]), ["navy", widths[0]]];
const seeing = readFileSync(join(here, "faults.js"), "utf8");

// Pages that others link to; not those that only lead elsewhere, nor the sheet of all pages.
const pages = readdirSync(book, { recursive: true })
  .filter((file) => file.endsWith(".html") && !/(^|\/)(print|404|toc)\.html$/.test(file))
  .sort();

const problems = [];
const anchors = new Map();
const links = [];

function problem(page, text) {
  problems.push(`${page}: ${text}`);
}

async function look(tab, page) {
  await tab.resize(widths[0], 900);
  await tab.open(pathToFileURL(join(book, page)).href);
  const found = await tab.value(`({
    address: location.href.replace(/#.*/, ""),
    anchors: [...document.querySelectorAll("[id], a[name]")].map((it) => it.id || it.name),
    links: [...document.querySelectorAll("a[href]")].map((it) => it.href),
    missing: [...document.images].filter((it) => it.complete && !it.naturalWidth).map((it) => it.src),
  })`);
  const { address } = found;
  anchors.set(address, new Set(found.anchors));
  links.push(...found.links.map((link) => ({ page, link })));
  found.missing.forEach((image) => problem(page, `an image cannot be seen: ${image.slice(0, 80)}`));
  for (const text of await tab.value(drawn)) {
    problem(page, text);
  }
  await tab.value("document.querySelectorAll('main details').forEach((it) => { it.open = true; })");
  for (const [theme, width] of looks) {
    await tab.value(`document.getElementById("mdbook-theme-${theme}").click()`);
    await tab.resize(width, 900);
    for (const fault of await tab.value(seeing)) {
      problem(page, `${width} px, ${theme}: ${fault}`);
    }
  }
  tab.errors.forEach((text) => problem(page, `the page reports an error: ${text}`));
}

// A page with plots, and one with kernels that include others: printed from the dark theme they are dark on white, and whole.
const printed = ["access/index.html", "barnes-hut/11-keys.html"].filter((page) => pages.includes(page));

async function print(tab, page) {
  await tab.open(pathToFileURL(join(book, page)).href);
  await tab.value('document.getElementById("mdbook-theme-navy").click()');
  await tab.send("Emulation.setEmulatedMedia", { media: "print" });
  for (const fault of await tab.value(onPaper)) {
    problem(page, `on paper: ${fault}`);
  }
  await tab.send("Emulation.setEmulatedMedia", { media: "" });
}

const onPaper = `(() => {
  const wrong = [];
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const isLight = (colour) => parts(colour).slice(0, 3).every((part) => part > 160);
  const isSeen = (colour) => parts(colour)[3] !== 0;
  for (const it of document.querySelectorAll("html, body, main, main :is(p, li, h2, pre, code, td, th, summary)")) {
    const { color, backgroundColor } = getComputedStyle(it);
    if (isLight(color)) wrong.push(it.localName + " has light words: " + color);
    if (isSeen(backgroundColor) && !isLight(backgroundColor)) wrong.push(it.localName + " is dark: " + backgroundColor);
  }
  for (const it of document.querySelectorAll('main .plot [fill="#FFFFFF"]')) {
    if (!isLight(getComputedStyle(it).fill)) wrong.push("a plot is dark");
  }
  for (const it of document.querySelectorAll("#kernels pre")) {
    if (!it.checkVisibility()) wrong.push("code is left folded: " + it.textContent.slice(0, 40));
  }
  return [...new Set(wrong)];
})()`;

// Has every interactive part of the page drawn; what went wrong.
const drawn = `(async () => {
  const wrong = [];
  for (const part of document.querySelectorAll(".interactive")) {
    part.scrollIntoView();
    const end = Date.now() + 120000; // a machine of CI may be slow
    while (!part.dataset.state && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (part.dataset.state !== "drawn") {
      wrong.push(part.dataset.part + " was not drawn: " + part.querySelector(".drawn").textContent);
      continue;
    }
    // Choose the table's last row: its figures, which the builder's own simulator made, are to be drawn.
    const row = [...part.querySelectorAll("details tbody tr")].pop();
    if (!row) {
      continue;
    }
    const [choice, ...expected] = [...row.cells].map((cell) => cell.textContent);
    const over = part.querySelector("details th").textContent;
    const select = [...part.querySelectorAll("label")].find((it) => it.textContent.startsWith(over)).control;
    select.value = choice;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    const figures = () => [...part.querySelectorAll(".facts dd")].map((it) => it.textContent).join(" | ");
    while (figures() !== expected.join(" | ") && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (figures() !== expected.join(" | ")) {
      wrong.push(part.dataset.part + " at " + choice + " draws " + figures() + ", not " + expected.join(" | "));
    }
  }
  return wrong;
})()`;

const started = Date.now();
const browser = new Browser(process.env.CHROMIUM ?? "chromium");
const rest = [...pages];
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
  const tab = await browser.tab();
  for (let page = rest.shift(); page; page = rest.shift()) {
    await look(tab, page);
  }
}));
const paper = await browser.tab();
for (const page of printed) {
  await print(paper, page);
}
await browser.end();

for (const { page, link } of links.filter(({ link }) => link.startsWith("file:"))) {
  const [address, anchor] = link.split("#");
  const known = anchors.get(address);
  if (!known && address.endsWith(".html") && !existsSync(fileURLToPath(address))) {
    problem(page, `leads nowhere: ${relative(book, fileURLToPath(address))}`);
  } else if (known && anchor && !known.has(decodeURIComponent(anchor))) {
    problem(page, `there is no anchor #${anchor} in ${relative(book, fileURLToPath(address))}`);
  }
}
const unique = [...new Set(problems)];
unique.forEach((text) => console.log(text));
const seconds = ((Date.now() - started) / 1000).toFixed(0);
const checked = `${pages.length} pages in ${looks.length} looks, ${seconds} s`;
console.log(unique.length ? `${unique.length} faults in ${checked}` : `no fault in ${checked}`);
process.exitCode = unique.length ? 1 : 0;
