// SPDX-License-Identifier: MIT OR Apache-2.0
// What a reader typed: kept in the browser, packed into a link, and into an archive to hand in.
"use strict";

const PREFIX = "ladder-playground:";

// Texts by their task, and days of passes by their exercise. Where storage is blocked they last as long as the page.
class Kept {
  constructor() {
    this.held = new Map();
    try {
      localStorage.setItem(`${PREFIX}try`, "1");
      localStorage.removeItem(`${PREFIX}try`);
      this.storage = localStorage;
    } catch {
      this.storage = null;
    }
  }

  get(name) {
    return this.held.get(name) ?? this.storage?.getItem(PREFIX + name) ?? null;
  }

  // Whether it is there after the page is closed.
  set(name, value) {
    this.held.set(name, value);
    try {
      this.storage?.setItem(PREFIX + name, value);
      return this.storage !== null;
    } catch {
      return false; // it is full
    }
  }

  remove(name) {
    this.held.delete(name);
    this.storage?.removeItem(PREFIX + name);
  }

  names() {
    const stored = this.storage ? Object.keys(this.storage) : [];
    const all = stored.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
    return [...new Set([...all, ...this.held.keys()])].sort();
  }
}

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// A text as a part of an address, and back.
async function packed(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function unpacked(text) {
  const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

// A .tar of these files, by their names.
function archive(files) {
  const utf8 = new TextEncoder();
  const octal = (number, width) => number.toString(8).padStart(width - 1, "0");
  const blocks = [];
  for (const [name, text] of Object.entries(files)) {
    const [head, bytes] = [new Uint8Array(512), utf8.encode(text)];
    const put = (at, field) => head.set(utf8.encode(field), at);
    put(0, name);
    put(100, octal(0o644, 8));
    put(124, octal(bytes.length, 12));
    put(136, octal(Math.floor(Date.now() / 1000), 12));
    put(148, " ".repeat(8)); // the sum is taken with blanks in its place
    put(156, "0");
    put(257, "ustar\x0000");
    put(148, `${octal(head.reduce((sum, byte) => sum + byte, 0), 7)}\0`);
    const body = new Uint8Array(Math.ceil(bytes.length / 512) * 512);
    body.set(bytes);
    blocks.push(head, body);
  }
  return new Blob([...blocks, new Uint8Array(1024)], { type: "application/x-tar" });
}
