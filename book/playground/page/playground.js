// SPDX-License-Identifier: MIT OR Apache-2.0
// The playground: what is edited, what is asked of the worker, what is said.
"use strict";

(async function () {
  const folder = document.currentScript.src.replace(/[^/]*$/, "");
  const form = document.querySelector(".workbench form");
  const { task: choice, launches, run, stop, steps, hint, reset, share } = form.elements;
  const [goal, state, progress, verdict, drawn] = [".goal", ".state", "progress", ".verdict", ".steps"].map((it) => form.querySelector(it));
  const kept = new Kept();
  const editor = new Editor(form.querySelector(".editor"), keep);
  let [tasks, worker, compiler, hints, note, soon] = [{}, null, null, 0, "", 0];

  // What is between backticks is code.
  function say(text) {
    state.replaceChildren(...text.split("`").map((part, at) => {
      return at % 2 === 0 ? part : Object.assign(document.createElement("code"), { textContent: part });
    }));
  }

  const missing = [["WebAssembly", "WebAssembly"], ["Worker", "workers"], ["DecompressionStream", "decompression"], ["indexedDB", "storage"]]
    .filter(([name]) => typeof window[name] === "undefined").map(([, what]) => what);
  // A browser that does not understand this script leaves the words there that say so.
  document.querySelector(".workbench .unable").remove();
  form.hidden = false;
  if (location.protocol === "file:") {
    say("Browsers run no compiler in a page that was opened as a file. Type `python3 -m http.server` in the book's folder, and open "
      + "http://localhost:8000/playground.html");
    run.disabled = true;
    return;
  }
  if (missing.length > 0) {
    say(`This browser is too old: it has no ${missing.join(", no ")}. Take one of 2023 or later (Chrome or Edge 110, Firefox 113, Safari 16.4).`);
    run.disabled = true;
    return;
  }

  // What the reader works on: "exercise=02-guard", "kernel=nbody/06-shared-blocking" or "launches=".
  const current = () => choice.value;
  const parted = () => current().split(/=(.*)/s).slice(0, 2);

  // That, as the check names it.
  function subject() {
    const [kind, name] = parted();
    return { [kind]: kind === "launches" ? launches.value : name };
  }

  function keep() {
    const all = [kept.set(current(), editor.text), kept.set(`launches of ${current()}`, launches.value)];
    if (!all.every(Boolean)) {
      say("This browser keeps nothing of this page. Before you leave, copy a link or press “Save all”.");
    }
  }

  function show(text) {
    const task = tasks[current()];
    editor.text = text ?? kept.get(current()) ?? task.text;
    launches.value = kept.get(`launches of ${current()}`) ?? task.launches ?? "";
    launches.parentElement.hidden = task.launches === undefined;
    goal.replaceChildren();
    paragraph(goal, task.goal);
    if (task.read) {
      const link = paragraph(goal, "").appendChild(document.createElement("a"));
      Object.assign(link, { href: `${folder}../${task.read}`, textContent: "What to read before" });
    }
    hints = 0;
    hint.hidden = !task.hints;
    steps.hidden = !task.steps;
    [verdict.hidden, progress.hidden, drawn.hidden] = [true, true, true];
    const [kind, name] = parted();
    say(kept.get(`passed ${name}`) ? "You have passed this one." : "");
    kept.set("last", current());
    history.replaceState(null, "", `?${kind}=${name}`);
  }

  function paragraph(parent, text) {
    return Object.assign(parent.appendChild(document.createElement("p")), { textContent: text });
  }

  // The verdict, with links to the lines that it names.
  function told(text, kind) {
    const places = /(?<=--> |::: |\(|^)([\w./-]+\.(?:cu|ptx))(?::(\d+)(?::(\d+))?|\((\d+)\))/gm;
    const own = tasks[current()].file;
    const lines = [];
    let from = 0;
    verdict.replaceChildren();
    for (const match of text.matchAll(places)) {
      const [whole, file, plain, column, bracketed] = match;
      if (file.split("/").pop() !== own) {
        continue;
      }
      const line = Number(plain ?? bracketed);
      lines.push(line);
      const link = Object.assign(document.createElement("button"), { type: "button", textContent: whole });
      link.addEventListener("click", () => editor.go(line, Number(column ?? 1)));
      verdict.append(text.slice(from, match.index), link);
      from = match.index + whole.length;
    }
    verdict.append(text.slice(from));
    verdict.className = `verdict ${kind}`;
    verdict.hidden = false;
    editor.mark(kind === "right" ? [] : lines);
  }

  function ended(text) {
    run.disabled = steps.disabled = false;
    stop.disabled = true;
    progress.hidden = true;
    say(`${text}${note}`);
  }

  const stages = {
    download(done, all) {
      progress.hidden = false;
      progress.value = done / all;
      say(`Fetching the compiler, once: ${(done / 1e6).toFixed(1)} of ${(all / 1e6).toFixed(0)} MB`);
    },
    unkept() {
      note = " This browser keeps no files, so the compiler will be fetched at each visit.";
    },
    start() {
      progress.hidden = true;
      say("Starting the compiler …");
    },
    compiler(module) {
      compiler = module;
    },
    check: () => say("Compiling and running …"),
  };

  function heard({ stage, rest, answer, trouble }, began) {
    if (stage) {
      stages[stage](...rest);
      return;
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (trouble) {
      told(trouble, "impossible");
      ended("No verdict.");
      return;
    }
    if (answer.trace) {
      drawn.className = "steps interactive"; // not before: a part of that class runs by itself
      drawn.replaceChildren(ladder.drawings.warps({ trace: answer.trace, source: editor.text, name: tasks[current()].file }));
      [drawn.hidden, verdict.hidden] = [false, true];
      ended(`${answer.text} (${seconds} s)`);
      return;
    }
    keepPages().catch(() => {});
    told(answer.text, answer.verdict);
    const [kind, name] = parted();
    if (kind === "exercise" && answer.verdict === "right") {
      kept.set(`passed ${name}`, new Date().toISOString().slice(0, 10));
    }
    ended(`${{ right: "Right", wrong: "Not yet", impossible: "No verdict" }[answer.verdict]} (${seconds} s)`);
  }

  // Asks for a verdict, or for the steps of the first warps.
  function start(wantsSteps) {
    if (run.disabled) {
      return;
    }
    keep();
    clearTimeout(soon);
    const began = performance.now();
    drawn.hidden = true;
    run.disabled = steps.disabled = true;
    stop.disabled = false;
    worker ??= new Worker(`${folder}worker.js`);
    worker.onmessage = ({ data }) => heard(data, began);
    worker.onerror = (event) => {
      end();
      told(`The check could not be started: ${event.message ?? "a script is missing"}\nLoad the page again. What you typed is kept.`, "impossible");
      ended("No verdict.");
    };
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    const columns = Math.max(40, Math.floor(form.clientWidth / 8.5));
    const needsCompiler = tasks[current()].file.endsWith(".cu");
    say("Loading …");
    worker.postMessage({ request: { task: subject(), text: editor.text, seed, steps: wantsSteps }, columns, needsCompiler, compiler });
  }

  function end() {
    worker?.terminate();
    worker = null;
  }

  // A compiler that is kept is ready when its reader is, and so is the check of a task.
  function prepare(task) {
    worker ??= new Worker(`${folder}worker.js`);
    worker.onmessage = ({ data }) => data.stage === "compiler" && heard(data);
    worker.onerror = end; // it is said when a verdict is asked for
    worker.postMessage({ ahead: task, compiler });
  }

  // While a reader reads: who only goes through the list, or runs at once, does not wait for it.
  function prepareSoon() {
    clearTimeout(soon);
    soon = setTimeout(() => prepare(subject()), 2000);
  }

  run.addEventListener("click", () => start(false));
  steps.addEventListener("click", () => start(true));
  stop.addEventListener("click", () => {
    end();
    ended("Stopped.");
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      start(false);
    }
  });
  launches.addEventListener("input", keep);
  choice.addEventListener("change", () => {
    if (run.disabled) {
      end();
    }
    ended("");
    show();
    prepareSoon();
  });
  hint.addEventListener("click", () => {
    const all = tasks[current()].hints;
    if (hints < all.length) {
      hints += 1;
      paragraph(goal, `Hint ${hints} of ${all.length}: ${all[hints - 1]}`);
    }
    hint.hidden = hints === all.length;
  });
  reset.addEventListener("click", () => {
    if (editor.text === tasks[current()].text || confirm("Give up what you typed, and begin again?")) {
      kept.remove(current());
      kept.remove(`launches of ${current()}`);
      show();
    }
  });
  share.addEventListener("click", async () => {
    const own = current().startsWith("launches") ? `&launches=${await packed(launches.value)}` : "";
    const address = `${location.href.replace(/#.*/, "")}#text=${await packed(editor.text)}${own}`;
    history.replaceState(null, "", address);
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    say(copied ? "The link is copied. Whoever opens it sees this text." : "Copy the address of this page: it has your text in it.");
  });
  form.elements["hand-in"].addEventListener("click", () => {
    const files = {};
    let passed = "[passed]\n";
    for (const name of kept.names()) {
      const task = tasks[name];
      if (task && name.startsWith("exercise=")) {
        files[task.file] = kept.get(name);
      } else if (name.startsWith("passed ")) {
        passed += `${name.slice("passed ".length)} = "${kept.get(name)}"\n`;
      }
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(archive({ ...files, "progress.toml": passed }));
    link.download = "learn.tar";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    say("learn.tar has the exercises that you edited. Unpack it into the folder learn to go on in a terminal, or hand it in.");
  });

  // What this page has loaded, for a visit without a network; nothing where the browser does not allow it.
  let isKept = !navigator.serviceWorker || !window.caches;
  async function keepPages() {
    if (isKept) {
      return;
    }
    isKept = true;
    await navigator.serviceWorker.register(`${folder}../offline.js`);
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const own = [location.pathname, ...loaded, ...["worker.js", "wasi.js", "clang.js", "compiler.json", "files.json", "playground.wasm"].map((it) => folder + it)];
    const store = await caches.open("ladder-book");
    for (const it of new Set(own)) {
      if (new URL(it, location.href).origin === location.origin && !await store.match(it, { ignoreSearch: true })) {
        await store.add(it).catch(() => {});
      }
    }
  }

  say("Loading …");
  try {
    tasks = await (await fetch(`${folder}tasks.json`)).json();
  } catch {
    say("The exercises are not next to this page. Look at the connection, and load the page again.");
    run.disabled = true;
    return;
  }
  const asked = location.search.slice(1) || (kept.get("last") ?? "");
  const known = decodeURIComponent(asked);
  if (tasks[known]) {
    choice.value = known;
  }
  const shared = new URLSearchParams(location.hash.slice(1));
  const given = async (name) => (shared.has(name) ? unpacked(shared.get(name)).catch(() => null) : null);
  const [text, own] = [await given("text"), await given("launches")];
  show(text);
  if (location.search && !tasks[known]) {
    say(`There is no ${known} here; choose from the list.`);
  }
  if (own !== null) {
    launches.value = own;
  }
  if (shared.has("text")) {
    say(text === null ? "The link is not whole; ask for it again." : "This text came with the link. Your own is kept until you press Run.");
  }
  prepare({});
  prepareSoon();
})();
