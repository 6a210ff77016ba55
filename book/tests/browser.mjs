// SPDX-License-Identifier: MIT OR Apache-2.0
// A headless Chromium, driven through its debugging pipe: messages are JSON, each ended by a zero byte.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Browser {
  // What the browser keeps is in the folder.
  constructor(program = "chromium", folder = mkdtempSync(join(tmpdir(), "book-browser-"))) {
    this.folder = folder;
    const options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-dev-shm-usage", // in a container it is small
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      // Pages are looked at side by side: none is to wait until it is in front.
      "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
      `--user-data-dir=${this.folder}`, "--remote-debugging-pipe", "about:blank"];
    this.process = spawn(program, options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.answers = new Map();
    this.listeners = new Map();
    this.last = 0;
    const pieces = [];
    this.process.stdio[4].on("data", (data) => {
      let from = 0;
      for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, from)) {
        this.hear(Buffer.concat([...pieces.splice(0), data.subarray(from, end)]).toString());
        from = end + 1;
      }
      pieces.push(data.subarray(from));
    });
    this.ended = new Promise((resolve) => this.process.on("exit", (code, signal) => {
      this.fail(`${program} ended (${code ?? signal})`);
      resolve();
    }));
    this.process.on("error", (error) => this.fail(`${program} cannot be started: ${error.message}`));
    this.process.stdio[3].on("error", () => {}); // its end is what is reported
  }

  // Whoever waits for an answer hears why none comes.
  fail(why) {
    this.failed = why;
    this.answers.forEach(({ reject }) => reject(new Error(why)));
    this.answers.clear();
  }

  hear(text) {
    const message = JSON.parse(text);
    const waiting = this.answers.get(message.id);
    if (waiting) {
      this.answers.delete(message.id);
      const { error, result } = message;
      error ? waiting.reject(new Error(error.message)) : waiting.resolve(result);
    } else if (message.sessionId) {
      this.listeners.get(message.sessionId)?.(message.method, message.params);
    }
  }

  send(method, params = {}, sessionId) {
    if (this.failed) {
      return Promise.reject(new Error(this.failed));
    }
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.answers.set(id, { resolve, reject }));
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  }

  async tab() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank", newWindow: true });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, sessionId);
    for (const domain of ["Page", "Runtime", "Log", "Inspector"]) {
      await tab.send(`${domain}.enable`);
    }
    await tab.send("Page.setLifecycleEventsEnabled", { enabled: true });
    return tab;
  }

  async end() {
    await this.send("Browser.close").catch(() => {});
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Tab {
  constructor(browser, session) {
    Object.assign(this, { browser, session, errors: [], loaded: new Set(), awaited: null });
    browser.listeners.set(session, (method, params) => this.hear(method, params));
  }

  hear(method, params) {
    if (method === "Page.lifecycleEvent" && params.name === "load") {
      this.loaded.add(params.loaderId);
      this.awaited?.();
    } else if (method === "Inspector.targetCrashed") {
      this.browser.fail("the page crashed: the machine may have too little memory");
      this.awaited?.();
    } else if (method === "Runtime.exceptionThrown") {
      const { exception, text } = params.exceptionDetails;
      this.errors.push(exception?.description ?? text);
    } else if (method === "Log.entryAdded" && params.entry.level === "error") {
      this.errors.push(`${params.entry.text} ${params.entry.url ?? ""}`.trim());
    } else if (method === "Runtime.consoleAPICalled" && params.type === "error") {
      this.errors.push(params.args.map((it) => it.value ?? it.description).join(" "));
    }
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  // Opens an address; what its page says as errors from now on is in `errors`.
  async open(url) {
    this.errors = [];
    const { loaderId, errorText } = await this.send("Page.navigate", { url });
    if (errorText) {
      throw new Error(`${url}: ${errorText}`);
    }
    // Without a loader it is the same document.
    while (loaderId && !this.loaded.has(loaderId) && !this.browser.failed) {
      await new Promise((resolve) => { this.awaited = resolve; });
    }
  }

  resize(width, height) {
    return this.send("Emulation.setDeviceMetricsOverride",
      { width, height, deviceScaleFactor: 1, mobile: false });
  }

  // The value of an expression in the page; of a promise, when it is kept.
  async value(expression) {
    const said = await this.send("Runtime.evaluate",
      { expression, returnByValue: true, awaitPromise: true });
    if (said.exceptionDetails) {
      const { exception, text } = said.exceptionDetails;
      throw new Error(exception?.description ?? text);
    }
    return said.result.value;
  }
}
