// SPDX-License-Identifier: MIT OR Apache-2.0
// The simulator in the page: loads it when it is first asked, and asks it. Pages are read from disk too, where a
// browser lets no script fetch a file; so it comes as a script that holds the WebAssembly as text.
"use strict";

window.ladder = window.ladder || {};

(function () {
  const folder = document.currentScript.src.replace(/[^/]*$/, "");
  let loaded = null;

  function load() {
    loaded = loaded || new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = folder + "wasm.js";
      script.onload = () => ladder.wasm ? resolve() : reject(new Error(
        `The simulator was not built into this book. Run "${ladder.missing}" and build the book again`));
      script.onerror = () => reject(new Error("The simulator's script is not next to this page"));
      document.head.append(script);
    }).then(() => {
      const bytes = Uint8Array.from(atob(ladder.wasm), (letter) => letter.charCodeAt(0));
      delete ladder.wasm;
      return WebAssembly.instantiate(bytes, {});
    }).then(({ instance }) => instance.exports);
    return loaded;
  }

  // Asks `{part, values}`; the answer is book/interactive/src/answer.rs's.
  ladder.ask = async function (question) {
    const simulator = await load();
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const at = simulator.room(bytes.length);
    new Uint8Array(simulator.memory.buffer, at, bytes.length).set(bytes);
    const length = simulator.answer();
    const text = new Uint8Array(simulator.memory.buffer, simulator.answer_address(), length);
    const answer = JSON.parse(new TextDecoder().decode(text));
    if (answer.error) {
      throw new Error(answer.error);
    }
    return answer;
  };
})();
