// SPDX-License-Identifier: MIT OR Apache-2.0
// The playground's worker under node: each line of standard input is a message of the page, and each line of standard output
// the answer to one.
//
//     node book/tests/worker.mjs FOLDER      (the built book's folder `playground`)

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";

const folder = process.argv[2];
const script = (name) => runInThisContext(readFileSync(join(folder, name), "utf8"), name);

// What a browser gives a worker; storage is missing, as where it is blocked.
globalThis.self = globalThis;
globalThis.location = { href: "http://127.0.0.1/" };
globalThis.importScripts = (...names) => names.forEach(script);
globalThis.fetch = async (name) => new Response(readFileSync(join(folder, name)));
// The processor's time: a launch has as much of it on a busy machine.
Object.defineProperty(globalThis, "performance", { value: { now: () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage()) } });
globalThis.postMessage = (message) => message.stage || console.log(JSON.stringify(message));

script("worker.js");
for await (const line of createInterface({ input: process.stdin })) {
  self.onmessage({ data: JSON.parse(line) });
}
