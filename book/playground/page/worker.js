// SPDX-License-Identifier: MIT OR Apache-2.0
// Compiles and checks what a reader typed, beside the page, which so never freezes. A message asks; the last of the answers has
// `answer` or `trouble`, those before it say what is being done.
"use strict";

importScripts("wasi.js", "clang.js");

const utf8 = new TextEncoder();
const loaded = {};
// What came of compiling the same before: a solution is compiled once.
const compiled = new Map();
const MOST_COMPILED = 32;

async function fetched(name) {
  const answer = await fetch(name).catch(() => null);
  if (!answer?.ok) {
    throw new Trouble(`${name} is not next to this page.`, name.endsWith(".wasm")
      ? "The book was built without it: run `rustup target add wasm32-wasip1` and build the book again."
      : "Look at the connection, and load the page again. What you typed is kept.");
  }
  return answer;
}

// Each of these once.
function once(name, make) {
  loaded[name] ??= make().catch((error) => {
    delete loaded[name];
    throw error;
  });
  return loaded[name];
}

const program = () => once("program", async () => WebAssembly.compile(await (await fetched("playground.wasm")).arrayBuffer()));
const files = () => once("files", async () => (await fetched("files.json")).json());
const settings = () => once("settings", async () => (await fetched("compiler.json")).json());

function clang(check, tell) {
  return once("clang", async () => {
    const digest = (bytes) => runProgram(check, { words: ["playground", "digest"], root: new Folder(), input: bytes }).output;
    const module = await loadClang(await settings(), digest, tell);
    tell("compiler", module);
    return module;
  });
}

// Does what the check asks of clang: `job` is in JSON, and so is what came of it.
function compile(module, job) {
  if (!compiled.has(job)) {
    const { arguments: words, files: given } = JSON.parse(job);
    const root = new Folder();
    root.put("tmp", new Folder());
    given.forEach(([name, text]) => root.put(name, new File(utf8.encode(text))));
    const { code, output, log } = runProgram(module, { words: ["clang", ...words], root });
    if (compiled.size === MOST_COMPILED) {
      compiled.delete(compiled.keys().next().value);
    }
    compiled.set(job, JSON.stringify({ succeeded: code === 0, output, log }));
  }
  return utf8.encode(compiled.get(job));
}

async function answer({ request, columns, needsCompiler }, tell) {
  const [check, texts] = await Promise.all([program(), files()]);
  const compiler = needsCompiler ? await clang(check, tell) : null;
  tell("check");
  const root = new Folder();
  Object.entries(texts).forEach(([path, text]) => root.put(path, new File(utf8.encode(text))));
  root.put("tmp", new Folder());
  const job = new File();
  root.put("clang/job", job);
  root.put("clang/ran", new File(undefined, () => compile(compiler, new TextDecoder().decode(job.contents()))));
  const environment = [`COLUMNS=${columns}`];
  const { code, output, log } = runProgram(check, { words: ["playground"], environment, root, input: utf8.encode(JSON.stringify(request)) });
  if (code !== 0) {
    throw new Error(log || `the check ended with ${code}`);
  }
  const found = JSON.parse(output);
  // What a kernel printed before it was stopped often says why.
  return log ? { ...found, text: `${log}\n${found.text}` } : found;
}

// Makes the compiler and the check ready before they are asked for, if the browser keeps the compiler: what ran once runs faster
// the next time. An exercise is tried with its own solution.
async function prepare(task, tell) {
  if (loaded.clang || await kept.has((await settings()).sha256)) {
    const request = task.exercise ? { task, seed: 1 }
      : { task: { launches: "k<<<1, 1>>>()" }, text: 'extern "C" __global__ void k() {}', seed: 1 };
    await answer({ request, columns: 80, needsCompiler: true }, tell);
  }
}

async function serve(data) {
  loaded.clang ??= data.compiler && Promise.resolve(data.compiler);
  const tell = (stage, ...rest) => self.postMessage({ stage, rest });
  try {
    if (data.ahead) {
      await prepare(data.ahead, tell).catch(() => {}); // who asks for a verdict hears what is wrong
      return;
    }
    self.postMessage({ answer: await answer(data, tell) });
  } catch (error) {
    self.postMessage({ trouble: explained(error) });
  }
}

// One after the other.
let last = Promise.resolve();
self.onmessage = ({ data }) => {
  last = last.then(() => serve(data));
};

function explained(error) {
  if (error instanceof Trouble) {
    return error.message;
  }
  if (error instanceof RangeError || /memory/i.test(error.message)) {
    return "The browser has too little memory for this.\nClose other tabs, and press Run again. What you typed is kept.";
  }
  return `The check crashed: ${error.message}\n${error.said ?? ""}\nUndo your last change, and report this with your text.`;
}
