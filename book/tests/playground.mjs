// SPDX-License-Identifier: MIT OR Apache-2.0
// Uses the built book's playground as a reader does, in a headless Chromium.
//
//     node book/tests/playground.mjs [FOLDER]      (default: book/build)

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser } from "./browser.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const book = resolve(process.argv[2] ?? join(root, "book/build"));

for (const [file, remedy] of [
  ["playground/playground.wasm", "rustup target add wasm32-wasip1, and build the book again"],
  ["playground/clang.tgz", "cargo run -p book -- compiler"],
]) {
  if (!existsSync(join(book, file))) {
    console.log(`SKIPPED: the built book has no ${file}; get it: ${remedy}`);
    process.exit(0);
  }
}

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm" };
let asked = 0; // how often the compiler was
let broken = false; // whether its download is cut
const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
  const file = join(book, path);
  if (!existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  const bytes = readFileSync(file);
  response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream", "content-length": bytes.length });
  if (path.endsWith("clang.tgz")) {
    asked += 1;
    if (broken) {
      response.write(bytes.subarray(0, 1e6), () => response.destroy());
      return;
    }
  }
  response.end(bytes);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = `http://127.0.0.1:${server.address().port}/playground.html`;

const faults = [];
const expect = (is, what) => is || faults.push(what);
const browser = new Browser(process.env.CHROMIUM ?? "chromium");
const tab = await browser.tab();
const quoted = JSON.stringify;

async function until(expression, what, seconds = 120) {
  const end = Date.now() + 1000 * seconds;
  while (!await tab.value(expression)) {
    if (Date.now() > end) {
      throw new Error(`${what}: waited ${seconds} s; the page says: ${await tab.value("document.querySelector('.state').textContent")}`);
    }
    await new Promise((next) => setTimeout(next, 50));
  }
}

async function open(query) {
  await tab.open(`${address}?${query}`);
  await until("document.querySelector('.workbench textarea[name=text]').value !== '' || document.querySelector('.state').textContent.startsWith('There')", query);
}

// Types a text over what is there, and presses Run; the verdict.
async function run(text) {
  await tab.value(`(() => {
    const form = document.querySelector(".workbench form");
    if (${quoted(text)} !== null) {
      form.elements.text.value = ${quoted(text)};
      form.elements.text.dispatchEvent(new Event("input", { bubbles: true }));
    }
    form.elements.run.click();
  })()`);
  await until("!document.querySelector('.workbench form').elements.run.disabled", "a verdict");
  return tab.value(`(() => {
    const verdict = document.querySelector(".verdict");
    const marked = [...document.querySelectorAll(".numbers .marked")].map((it) => Number(it.textContent));
    return { kind: verdict.className.split(" ")[1], text: verdict.textContent, marked };
  })()`);
}

const exercise = (name, file) => readFileSync(join(root, "steps/exercises", name, file), "utf8");

const began = Date.now();
await open("exercise=01-which-element");
broken = true;
const typed = exercise("01-which-element", "solution.cu");
const cut = await run(typed);
expect(cut.text.includes("broke off") && cut.text.includes("Run again"), `a cut download: ${cut.text}`);
expect(await tab.value("document.querySelector('.workbench textarea[name=text]').value") === typed, "a cut download loses what was typed");
broken = false;
const first = Date.now();
const verdict = await run(null);
const firstVerdict = (Date.now() - first) / 1000;
expect(verdict.kind === "right", `01-which-element: ${verdict.text}`);
const again = Date.now();
await run(null);
const nextVerdict = (Date.now() - again) / 1000;

// Ten exercises: what they begin with or a wrong solution is refused, their solution passes.
const names = ["02-guard", "04-grid-stride", "05-two-dimensions", "12-tail", "16-reverse", "17-halo", "18-stale-tile", "24-reduction", "29-ballot", "44-ptx-guard"];
let slowest = 0;
for (const name of names) {
  await open(`exercise=${name}`);
  const ending = name.includes("ptx") ? "ptx" : "cu";
  const wrong = await run(exercise(name, `exercise.${ending}`));
  expect(wrong.kind === "wrong", `${name}: its beginning is ${wrong.kind}: ${wrong.text}`);
  const start = Date.now();
  const right = await run(exercise(name, `solution.${ending}`));
  slowest = Math.max(slowest, (Date.now() - start) / 1000);
  expect(right.kind === "right", `${name}: its solution is ${right.kind}: ${right.text}`);
}

await open("exercise=02-guard");
const mistake = await run(exercise("02-guard", "solution.cu").replace("if (i < n)", "if (i < m)"));
expect(mistake.kind === "wrong" && mistake.text.includes("undeclared identifier") && mistake.marked.length === 1, `an error of the compiler: ${quoted(mistake)}`);

// A race, with both of its lines.
await open("exercise=18-stale-tile");
const race = await run(exercise("18-stale-tile", "exercise.cu"));
expect(race.text.includes("race") && race.marked.length >= 1, `a race: ${quoted(race)}`);

// The first warps, step by step.
await tab.value("document.querySelector('.workbench form').elements.steps.click()");
await until("document.querySelector('.steps .listing li.here') !== null", "the steps of the first warps");

// A loop that counts and never ends is stopped, and so is one that the reader stops.
await open("launches=");
const endless = 'extern "C" __global__ void endless(volatile int *x) {\n    for (int i = 0;; i++) {\n        x[0] = i;\n    }\n}\n';
await tab.value(`document.querySelector(".workbench form").elements.launches.value = "endless<<<1, 32>>>(x=i32[1]=zero)"`);
const stopped = await run(endless);
expect(stopped.kind !== "right" && /loop|end/.test(stopped.text), `an endless loop: ${quoted(stopped)}`);

// A kernel in the place of a step's.
await open("kernel=nbody/05-rsqrt");
const step = await run(null);
expect(step.kind === "right" && step.text.includes("correct at every size"), `a step's kernel: ${step.text}`);

// A link has the text in it.
await tab.value("document.querySelector('.workbench form').elements.share.click()");
await until("location.hash.startsWith('#text=')", "a link");
const link = await tab.value("location.href");
const shared = await tab.value("document.querySelector('.workbench textarea[name=text]').value");
await tab.open("about:blank");
await tab.open(link);
await until("document.querySelector('.workbench textarea[name=text]').value !== ''", "the shared text");
expect(await tab.value("document.querySelector('.workbench textarea[name=text]').value") === shared, "a link loses its text");

// Where storage is blocked the reader hears it, and gets a verdict all the same.
const blocked = await tab.send("Page.addScriptToEvaluateOnNewDocument",
  { source: `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("blocked", "SecurityError"); } })` });
await open("exercise=02-guard");
await tab.value(`document.querySelector(".workbench textarea[name=text]").dispatchEvent(new Event("input", { bubbles: true }))`);
expect((await tab.value("document.querySelector('.workbench .state').textContent")).includes("keeps nothing"), "blocked storage is not said");
const unkept = await run(exercise("02-guard", "solution.cu"));
expect(unkept.kind === "right", `with blocked storage: ${unkept.text}`);
await tab.send("Page.removeScriptToEvaluateOnNewDocument", blocked);

// On a phone.
await tab.resize(390, 800);
const tooWide = await tab.value("document.documentElement.scrollWidth > 390");
expect(!tooWide, "the page is wider than 390 px");
tab.errors.forEach((text) => faults.push(`the page reports an error: ${text}`));

// Without a network: what came once is kept.
const before = asked;
await tab.open(`${address}?exercise=02-guard`);
await until("document.querySelector('.workbench textarea[name=text]').value !== ''", "the page");
await run(exercise("02-guard", "solution.cu"));
expect(asked === before, "the compiler is fetched again");
server.closeAllConnections();
await new Promise((closed) => server.close(closed));
const offline = await run(exercise("02-guard", "exercise.cu"));
expect(offline.kind === "wrong", `without a network: ${offline.text}`);

await tab.open(`${address}?exercise=02-guard`);
await until("document.querySelector('.workbench textarea[name=text]').value !== ''", "the page without a network");
const reloaded = await run(exercise("02-guard", "solution.cu"));
expect(reloaded.kind === "right", `opened without a network: ${reloaded.text}`);

await browser.end();
faults.forEach((fault) => console.log(fault));
const seconds = ((Date.now() - began) / 1000).toFixed(0);
console.log(`first verdict ${firstVerdict.toFixed(1)} s, the next ${nextVerdict.toFixed(1)} s, of ${names.length} exercises at most ${slowest.toFixed(1)} s; `
  + `${faults.length} faults, ${seconds} s`);
process.exitCode = faults.length ? 1 : 0;
