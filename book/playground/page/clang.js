// SPDX-License-Identifier: MIT OR Apache-2.0
// clang, as its package is published: fetched when it is first needed, known by its digest, kept by the browser.
"use strict";

// What went wrong, and what the reader can do.
class Trouble extends Error {
  constructor(what, remedy) {
    super(`${what}\n${remedy}`);
  }
}

// What the browser keeps, by name. Where storage is blocked nothing is kept, and nothing fails.
const kept = {
  open() {
    return new Promise((resolve, reject) => {
      const asked = indexedDB.open("ladder-playground", 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore("files");
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  },

  async do(mode, action) {
    const database = await kept.open();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction("files", mode);
        const asked = action(transaction.objectStore("files"));
        transaction.oncomplete = () => resolve(asked.result);
        transaction.onabort = transaction.onerror = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  },

  get: (name) => kept.do("readonly", (files) => files.get(name)).catch(() => undefined),

  has: (name) => kept.do("readonly", (files) => files.count(name)).catch(() => 0),

  // Whether it is kept now, in place of all that was.
  async put(name, value) {
    try {
      await kept.do("readwrite", (files) => files.clear() && files.put(value, name));
      return true;
    } catch {
      return false;
    }
  },
};

// The package's bytes from an address; `tell` hears how many there are so far. null where the address has none.
async function download(address, settings, tell) {
  const stop = new AbortController();
  let late = 0;
  const wait = () => {
    clearTimeout(late);
    late = setTimeout(() => stop.abort(), 1000 * settings.patience);
  };
  let [answer, done] = [null, 0];
  const bytes = new Uint8Array(settings.bytes);
  try {
    wait();
    answer = await fetch(address, { signal: stop.signal });
    if (!answer.ok || !answer.body) {
      return null;
    }
    const reader = answer.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      wait();
      // A page that says that there is no such file is no package.
      if (done + piece.value.length > bytes.length) {
        return null;
      }
      bytes.set(piece.value, done);
      done += piece.value.length;
      tell("download", done, settings.bytes);
    }
    return bytes.subarray(0, done);
  } catch {
    if (!answer) {
      return null;
    }
    throw new Trouble(
      `The download of the compiler broke off after ${megabytes(done)} of ${megabytes(settings.bytes)}.`,
      "Look at the connection, and press Run again. What you typed is kept.");
  } finally {
    clearTimeout(late);
  }
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

// One file of a .tar.gz, read as far as its end.
async function unpack(packed, name) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const text = (bytes) => new TextDecoder().decode(bytes).replace(/\0.*$/s, "");
  const head = new Uint8Array(512);
  let [filled, file, left, gap] = [0, null, 0, 0];
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    for (let bytes = piece.value; bytes.length > 0;) {
      let taken;
      if (left > 0) {
        taken = Math.min(left, bytes.length);
        file?.set(bytes.subarray(0, taken), file.length - left);
        left -= taken;
        if (left === 0 && file) {
          reader.cancel();
          return file;
        }
      } else if (gap > 0) {
        taken = Math.min(gap, bytes.length);
        gap -= taken;
      } else {
        taken = Math.min(512 - filled, bytes.length);
        head.set(bytes.subarray(0, taken), filled);
        filled += taken;
        if (filled === 512) {
          filled = 0;
          left = parseInt(text(head.subarray(124, 136)), 8) || 0;
          gap = -left & 511; // entries fill whole blocks
          file = text(head.subarray(0, 100)) === name ? new Uint8Array(left) : null;
        }
      }
      bytes = bytes.subarray(taken);
    }
  }
  throw new Error(`the package has no whole ${name}`);
}

// The package, from the first address that has it.
async function fetchPackage(settings, digest, tell) {
  let other = null;
  for (const address of settings.addresses) {
    const bytes = await download(address, settings, tell);
    if (bytes?.length === settings.bytes && digest(bytes) === settings.sha256) {
      return bytes;
    }
    other = bytes ? address : other;
  }
  if (other) {
    throw new Trouble(`The compiler from ${new URL(other, location.href).host} is not the one that this page knows.`,
      "Press Run again. If this stays, something on the way changes downloads: tell whoever runs this network.");
  }
  throw new Trouble("The compiler cannot be fetched: this network does not lead to it.",
    "Connect to the Internet once, or ask your teacher to put the compiler next to this page "
    + "(`cargo run -p book -- compiler` does). What you typed is kept.");
}

// The compiler, compiled; `digest` is a function that takes bytes. It is kept as it is run, so that a later visit begins sooner.
async function loadClang(settings, digest, tell) {
  let bytes = await kept.get(settings.sha256);
  if (!bytes) {
    const packed = await fetchPackage(settings, digest, tell);
    tell("start");
    bytes = await unpack(packed, settings.program);
    if (!await kept.put(settings.sha256, bytes)) {
      tell("unkept");
    }
  }
  tell("start");
  return WebAssembly.compile(bytes);
}
