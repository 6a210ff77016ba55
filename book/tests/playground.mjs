// SPDX-License-Identifier: MIT OR Apache-2.0
// Uses the built book's playground as a reader does, in a headless Chromium.
//
//     node book/tests/playground.mjs [FOLDER]      (default: book/build)

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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
let cut = null; // ends the connection over which a part of the compiler was sent
let cuts = false; // whether a download gets a part only
let before = ""; // what the worker runs before its own script
const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
  const file = join(book, path);
  if (!existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  const bytes = path.endsWith("worker.js") ? Buffer.concat([Buffer.from(before), readFileSync(file)]) : readFileSync(file);
  response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream", "content-length": bytes.length });
  if (path.endsWith("clang.tgz")) {
    asked += 1;
    if (cuts) {
      response.write(bytes.subarray(0, 2e6));
      cut = () => response.destroy();
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

// What is seen, for a fault's text.
const seen = () => tab.value(`[".state", ".verdict"].map((it) => document.querySelector(it)?.textContent.slice(0, 1000) ?? "").join(" | ")
  || document.body.innerText.slice(0, 300)`).catch((error) => error.message);

// Waits for what an expression says; a slow machine's time is no fault.
async function until(expression, what, seconds = 300) {
  const end = Date.now() + 1000 * seconds;
  while (!await tab.value(expression)) {
    if (Date.now() > end) {
      throw new Error(`${what}: waited ${seconds} s`);
    }
    await new Promise((next) => setTimeout(next, 50));
  }
}

// What the page reported since it was opened, but for what a missing network explains.
function expectNoErrors(what) {
  const errors = tab.errors.splice(0).filter((text) => !text.includes("net::ERR_"));
  errors.forEach((text) => faults.push(`${what}: the page reports an error: ${text}`));
}

async function open(query) {
  expectNoErrors(`before ${query}`);
  await tab.open(`${address}?${query}`);
  await until("document.querySelector('.workbench textarea[name=text]')?.value || document.querySelector('.state').textContent.startsWith('There')",
    `the page with ${query}`);
}

// Takes another task from the list.
const choose = (name) => tab.value(`(() => {
  const { task } = document.querySelector(".workbench form").elements;
  task.value = ${quoted(name)};
  task.dispatchEvent(new Event("change", { bubbles: true }));
})()`);

const click = (name) => tab.value(`document.querySelector(".workbench form").elements[${quoted(name)}].click()`);
const state = () => tab.value("document.querySelector('.workbench .state').textContent");
const typed = () => tab.value("document.querySelector('.workbench textarea[name=text]').value");

// Types a text over what is there.
const type = (text, field = "text") => tab.value(`(() => {
  const area = document.querySelector(".workbench form").elements[${quoted(field)}];
  area.value = ${quoted(text)};
  area.dispatchEvent(new Event("input", { bubbles: true }));
})()`);

// The verdict, once there is one.
async function verdict() {
  await until("!document.querySelector('.workbench form').elements.run.disabled", "a verdict");
  return tab.value(`(() => {
    const verdict = document.querySelector(".verdict");
    const marked = [...document.querySelectorAll(".numbers .marked")].map((it) => Number(it.textContent));
    return { kind: verdict.className.split(" ")[1], text: verdict.textContent, marked };
  })()`);
}

async function run(text) {
  await type(text);
  await click("run");
  return verdict();
}

const exercise = (name, file) => readFileSync(join(root, "steps/exercises", name, file), "utf8");
const began = Date.now();
const since = (start) => (Date.now() - start) / 1000;
const times = { first: 0, later: 0, slowest: 0 };
// What a reader begins with or a wrong solution is refused, the solution passes.
const names = ["02-guard", "04-grid-stride", "05-two-dimensions", "12-tail", "16-reverse", "17-halo", "18-stale-tile", "24-reduction", "29-ballot", "44-ptx-guard"];

const stories = {
  async "a cut download"() {
    await open("exercise=01-which-element");
    const solution = exercise("01-which-element", "solution.cu");
    await type(solution);
    cuts = true;
    await click("run");
    await until("/: [1-9][.\\d]* of/.test(document.querySelector('.state').textContent)", "the first bytes of the compiler");
    cut();
    const { text } = await verdict();
    cuts = false;
    expect(text.includes("broke off") && text.includes("Run again"), `a cut download: ${text}`);
    expect(await typed() === solution, "a cut download loses what was typed");
  },

  async "the first verdict, and that of a later visit"() {
    for (const which of ["first", "later"]) {
      const start = Date.now();
      await open("exercise=01-which-element");
      const { kind, text } = await run(exercise("01-which-element", "solution.cu"));
      times[which] = since(start);
      expect(kind === "right", `01-which-element: ${text}`);
    }
  },

  async "ten exercises"() {
    await open(`exercise=${names[0]}`);
    for (const name of names) {
      await choose(`exercise=${name}`);
      const ending = name.includes("ptx") ? "ptx" : "cu";
      const wrong = await run(exercise(name, `exercise.${ending}`));
      expect(wrong.kind === "wrong", `${name}: its beginning is ${wrong.kind}: ${wrong.text}`);
      const start = Date.now();
      const right = await run(exercise(name, `solution.${ending}`));
      times.slowest = Math.max(times.slowest, since(start));
      expect(right.kind === "right", `${name}: its solution is ${right.kind}: ${right.text}`);
    }
  },

  async "an error of the compiler"() {
    await open("exercise=02-guard");
    const mistake = await run(exercise("02-guard", "solution.cu").replace("if (i < n)", "if (i < m)"));
    expect(mistake.kind === "wrong" && mistake.text.includes("undeclared identifier") && mistake.marked.length === 1,
      `an error of the compiler: ${quoted(mistake)}`);
  },

  async "a race, and its first warps step by step"() {
    await open("exercise=18-stale-tile");
    const race = await run(exercise("18-stale-tile", "exercise.cu"));
    expect(race.text.includes("race") && race.marked.length >= 1, `a race: ${quoted(race)}`);
    await click("steps");
    await until("document.querySelector('.steps .listing li.here') !== null", "the steps of the first warps");
  },

  async "a loop that counts and never ends"() {
    await open("launches=");
    await type("endless<<<1, 32>>>(x=i32[1]=zero)", "launches");
    const stopped = await run('extern "C" __global__ void endless(volatile int *x) {\n    for (int i = 0;; i++) {\n        x[0] = i;\n    }\n}\n');
    expect(stopped.kind !== "right" && /loop|end/.test(stopped.text), `an endless loop: ${quoted(stopped)}`);
  },

  async "a kernel in the place of a step's, and a link with its text"() {
    await open("kernel=transpose/02-tiled");
    await click("run");
    const step = await verdict();
    expect(step.kind === "right" && step.text.includes("correct at every size"), `a step's kernel: ${step.text}`);
    await click("share");
    await until("location.hash.startsWith('#text=')", "a link");
    const [link, shared] = [await tab.value("location.href"), await typed()];
    await tab.open("about:blank");
    await tab.open(link);
    await until("document.querySelector('.workbench textarea[name=text]').value !== ''", "the shared text");
    expect(await typed() === shared, "a link loses its text");
  },

  // The reader hears it, and gets a verdict all the same.
  async "blocked storage"() {
    await without("localStorage", '{ get() { throw new DOMException("blocked", "SecurityError"); } }', async () => {
      await open("exercise=02-guard");
      await type(exercise("02-guard", "solution.cu"));
      expect((await state()).includes("keeps nothing"), `blocked storage is not said: ${await state()}`);
      await click("run");
      const unkept = await verdict();
      expect(unkept.kind === "right", `with blocked storage: ${unkept.text}`);
    });
  },

  async "little memory"() {
    before = 'WebAssembly.Instance = function () { throw new RangeError("Out of memory: Cannot allocate Wasm memory for new instance"); };';
    await open("exercise=02-guard");
    const solution = exercise("02-guard", "solution.cu");
    const { kind, text } = await run(solution);
    before = "";
    expect(kind === "impossible" && text.includes("too little memory") && text.includes("Close other tabs"), `little memory: ${text}`);
    expect(await typed() === solution, "little memory loses what was typed");
  },

  async "a browser that is too old"() {
    for (const [name, what] of [["WebAssembly", "WebAssembly"], ["Worker", "workers"], ["DecompressionStream", "decompression"]]) {
      await without(name, "{ value: undefined }", async () => {
        await tab.open(`${address}?exercise=02-guard`);
        await until("document.querySelector('.workbench .state').textContent !== ''", `the page without ${name}`);
        const said = await state();
        expect(said.includes(`too old: it has no ${what}`) && said.includes("Firefox"), `without ${name}: ${said}`);
      });
    }
  },

  async "a page that was opened as a file"() {
    await tab.open(pathToFileURL(join(book, "playground.html")).href);
    await until("document.querySelector('.workbench .state code') !== null", "what to type");
    const said = await state();
    expect(said.includes("python3 -m http.server") && !said.includes("`"), `as a file: ${said}`);
  },

  async "a phone"() {
    await tab.resize(390, 800);
    await open("exercise=02-guard");
    expect(!await tab.value("document.documentElement.scrollWidth > 390"), "the page is wider than 390 px");
  },

  // What came once is kept.
  async "no network"() {
    const fetched = asked;
    await open("exercise=02-guard");
    await run(exercise("02-guard", "solution.cu"));
    expect(asked === fetched, "the compiler is fetched again");
    await until(`navigator.serviceWorker.controller && caches.open("ladder-book").then(async (store) => {
      const own = ["playground.html", ...["worker.js", "wasi.js", "clang.js", "compiler.json", "files.json", "tasks.json", "playground.wasm"]
        .map((it) => "playground/" + it)];
      return (await Promise.all(own.map((it) => store.match(it, { ignoreSearch: true })))).every(Boolean);
    })`, "what the browser keeps");
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    const offline = await run(exercise("02-guard", "exercise.cu"));
    expect(offline.kind === "wrong", `without a network: ${offline.text}`);
    await open("exercise=02-guard");
    const reloaded = await run(exercise("02-guard", "solution.cu"));
    expect(reloaded.kind === "right", `opened without a network: ${reloaded.text}`);
  },
};

// A story on pages in which a property of the window is another.
async function without(name, property, story) {
  const { identifier } = await tab.send("Page.addScriptToEvaluateOnNewDocument", { source: `Object.defineProperty(window, "${name}", ${property})` });
  try {
    await story();
  } finally {
    await tab.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
  }
}

for (const [what, story] of Object.entries(stories)) {
  const start = Date.now();
  try {
    await story();
  } catch (error) {
    faults.push(`${what}: ${error.message}; the page says: ${await seen()}`);
  }
  expectNoErrors(what);
  console.log(`${what}: ${since(start).toFixed(1)} s`);
}
await browser.end();
server.close();
faults.forEach((fault) => console.log(fault));
console.log(`first verdict ${times.first.toFixed(1)} s, of a later visit ${times.later.toFixed(1)} s, of ${names.length} exercises at most ${times.slowest.toFixed(1)} s; `
  + `${faults.length} faults, ${since(began).toFixed(0)} s`);
process.exitCode = faults.length ? 1 : 0;
