// SPDX-License-Identifier: MIT OR Apache-2.0
// Draws answers of the simulator: each function gets an answer and returns an element.
"use strict";

window.ladder = window.ladder || {};

(function () {
  // An element with a class and children; a child may be text.
  function make(tag, name, ...children) {
    const element = document.createElement(tag);
    if (name) {
      element.className = name;
    }
    element.append(...children);
    return element;
  }

  // The active lanes of a mask, in order.
  function lanesOf(mask) {
    return Array.from({ length: 32 }, (_, lane) => lane).filter((lane) => (mask >>> lane) & 1);
  }

  // Lanes and addresses of an access.
  function addressesOf(touch) {
    const lanes = lanesOf(touch.lanes);
    return lanes.map((lane, index) => {
      const address = touch.row ? touch.row[0] + lane * touch.row[1] : touch.each[index];
      return { lane, address };
    });
  }

  function plural(count, noun) {
    return `${count} ${noun}${count === 1 ? "" : "s"}`;
  }

  // A row of 32 lanes.
  function lanes(mask) {
    const row = make("span", "lanes");
    for (let lane = 0; lane < 32; lane++) {
      const cell = make("i", (mask >>> lane) & 1 ? "on" : "");
      cell.title = `lane ${lane}`;
      row.append(cell);
    }
    row.setAttribute("role", "img");
    row.setAttribute("aria-label", `${plural(lanesOf(mask).length, "lane")} of 32 active`);
    return row;
  }

  // Words of 4 bytes that an access wants, each with its lanes.
  function wordsOf(touch) {
    const words = new Map();
    for (const { lane, address } of addressesOf(touch)) {
      for (let word = Math.floor(address / 4); word <= (address + touch.bytes - 1) / 4; word++) {
        words.set(word, [...(words.get(word) || []), lane]);
      }
    }
    return words;
  }

  function word(lanes, index) {
    const cell = make("i", lanes ? "on" : "");
    cell.title = lanes ? `word ${index}: lanes ${lanes.join(", ")}` : `word ${index}`;
    return cell;
  }

  // Sectors of global memory, words that are wanted lit.
  function sectors(touch, buffers) {
    const buffer = (buffers || []).find(({ address, bytes }) => {
      const [first] = addressesOf(touch);
      return first.address >= address && first.address < address + bytes;
    });
    const base = buffer ? buffer.address / 4 : 0;
    const words = wordsOf(touch);
    const touched = [...new Set([...words.keys()].map((at) => Math.floor(at / 8)))];
    const row = make("span", "sectors");
    for (const sector of touched.sort((a, b) => a - b)) {
      const box = make("span", "sector");
      for (let at = 8 * sector; at < 8 * sector + 8; at++) {
        box.append(word(words.get(at), at - base));
      }
      row.append(box);
    }
    const name = buffer ? ` of ${buffer.name.replace(/^.*_param_(\d+)$/, "argument $1")}` : "";
    return make("div", "memory", `${plural(touched.length, "sector")}${name}, ` +
      `${plural(words.size, "word")} wanted`, row);
  }

  // The 32 banks of shared memory, over each the words that are wanted of it.
  function banks(touch) {
    const of = Array.from({ length: 32 }, () => []);
    for (const [at, lanes] of wordsOf(touch)) {
      of[at % 32].push({ at, lanes });
    }
    const row = make("span", "banks");
    of.forEach((words, bank) => {
      const column = make("span", "bank");
      column.title = `bank ${bank}: ${plural(words.length, "word")}`;
      words.forEach(({ at, lanes }) => column.append(word(lanes, at)));
      column.append(make("small", "", String(bank)));
      row.append(column);
    });
    const most = Math.max(...of.map((words) => words.length));
    return make("div", "memory", `${plural(most, "word")} wanted of the busiest bank`, row);
  }

  // What an access asks of memory.
  function touch(access, buffers) {
    return access.space === "shared" ? banks(access) : sectors(access, buffers);
  }

  ladder.make = make;
  ladder.lanes = lanes;
  ladder.touch = touch;
  ladder.drawings = {
    // The access that the part is about: the load of its last kind of memory.
    memory({ trace }) {
      const loads = trace.touches.filter((it) => it.warp === 0 && !it.writes);
      const shared = loads.filter((it) => it.space === "shared");
      const others = loads.filter((it) => it.space === "global" || it.space === "generic");
      return touch(shared[0] || others[0], trace.buffers);
    },

    // The first two warps, a row for each run of instructions, as high as it is long.
    lanes({ trace }) {
      const warps = [0, 1].map((warp) => {
        const column = make("div", "runs", make("b", "", `warp ${warp}`));
        for (const [of, , block, mask] of trace.events.filter((event) => event[0] === warp)) {
          const row = lanes(mask >>> 0);
          const length = trace.blocks[block].length;
          row.style.setProperty("--height", `${Math.max(4, Math.min(60, length / 2))}px`);
          column.append(make("div", "run", row, make("small", "", `${length} instr.`)));
        }
        return column;
      });
      return make("div", "both", ...warps);
    },

    places({ places: [taken, all] }) {
      const row = make("div", "places");
      for (let place = 0; place < all; place++) {
        row.append(make("i", place < taken ? "on" : ""));
      }
      row.setAttribute("role", "img");
      row.setAttribute("aria-label", `${taken} of ${all} places for warps are taken`);
      return row;
    },

    lines({ lines, source }) {
      const text = source.split("\n");
      const body = make("tbody", "");
      for (const { line, counts } of lines) {
        const sectors = counts.global_requests ? counts.global_sectors / counts.global_requests : null;
        const cells = [
          line,
          make("code", "", (text[line - 1] || "").trim()),
          counts.warps,
          `${((100 * counts.threads) / (32 * counts.warps)).toFixed(1)} %`,
          sectors === null ? "" : sectors.toFixed(2),
        ];
        body.append(make("tr", "", ...cells.map((cell) => make("td", "", cell))));
      }
      const heads = ["line", "source", "instructions", "lanes", "sectors each"];
      const head = make("thead", "", make("tr", "", ...heads.map((it) => make("th", "", it))));
      return make("div", "table-wrapper", make("table", "", head, body));
    },
  };
})();
