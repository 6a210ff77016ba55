// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs the interactive parts' simulator as the page does, and holds what it counts against `harness events`.
//
//     node book/tests/parts.mjs HARNESS [FOLDER]      (the program, and the built book: default book/build)

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const harness = resolve(process.argv[2]);
const book = resolve(process.argv[3] ?? join(root, "book/build"));

const text = readFileSync(join(book, "interactive/page/wasm.js"), "utf8");
const wasm = text.match(/ladder\.wasm = "([^"]*)"/);
if (!wasm) {
  console.log("SKIPPED: the book was built without the simulator: rustup target add wasm32-unknown-unknown");
  process.exit(0);
}
const bytes = Buffer.from(wasm[1], "base64");
const { instance: { exports: simulator } } = await WebAssembly.instantiate(bytes, {});

function ask(question) {
  const asked = new TextEncoder().encode(JSON.stringify(question));
  // Memory may grow, and is another buffer then: the address first.
  const at = simulator.room(asked.length);
  new Uint8Array(simulator.memory.buffer, at, asked.length).set(asked);
  const length = simulator.answer();
  const said = new Uint8Array(simulator.memory.buffer, simulator.answer_address(), length);
  return JSON.parse(new TextDecoder().decode(said));
}

const cases = [
  ...["0", "1", "3", "8", "32"].map((stride) => ["stride", { stride, offset: "1" }]),
  ...["32", "33", "36", "64"].map((width) => ["padding", { width }]),
  ...["1", "16", "32"].map((run) => ["branch", { run }]),
  ["lines-02", { n: "257", block: "48" }],
  ["lines-02", { n: "1000", block: "1024" }],
  ["warps-02", { n: "100" }],
  ["warps-06", { n: "300", barrier: "kept" }],
  ["warps-14", { n: "512" }],
];

const faults = [];
for (const [part, values] of cases) {
  const what = `${part} ${JSON.stringify(values)}`;
  const answer = ask({ part, values });
  if (answer.error) {
    faults.push(`${what}: ${answer.error}`);
    continue;
  }
  const words = answer.command.split(" ").slice(1);
  const options = { cwd: root, maxBuffer: 1 << 28, encoding: "utf8" };
  const facts = JSON.parse(execFileSync(harness, [...words, "--no-hazards", "--format", "json"], options));
  const counted = (counts) => JSON.stringify(Object.entries(counts).sort());
  if (counted(answer.total) !== counted(facts.total)) {
    faults.push(`${what}: all counts\n  page:    ${counted(answer.total)}\n  program: ${counted(facts.total)}`);
  }
  const own = answer.lines.map(({ line, counts }) => `${line}: ${counted(counts)}`);
  const theirs = facts.lines.map(({ line, counts }) => `${line}: ${counted(counts)}`);
  own.forEach((line, at) => {
    if (line !== theirs[at]) {
      faults.push(`${what}: a line\n  page:    ${line}\n  program: ${theirs[at]}`);
    }
  });
}

const wrong = ask({ part: "stride", values: { stride: "5", offset: "0" } });
if (!wrong.error?.includes("no choice")) {
  faults.push(`a value that is no choice is taken: ${JSON.stringify(wrong).slice(0, 80)}`);
}
faults.forEach((fault) => console.log(fault));
console.log(`${cases.length} answers of the interactive parts, ${faults.length} of them unlike the program's`);
process.exitCode = faults.length ? 1 : 0;
