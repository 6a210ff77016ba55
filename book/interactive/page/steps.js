// SPDX-License-Identifier: MIT OR Apache-2.0
// Steps through the first warps of a launch: the line, the lanes and the memory of each.
"use strict";

(function () {
  const { make, lanes, touch } = ladder;
  const WARPS = 4;

  // What a warp does at each time: the run of instructions that it is in.
  function runs(trace, warp) {
    return trace.events.filter((event) => event[0] === warp);
  }

  // The last run that had begun at a time.
  function at(all, time) {
    let low = 0, high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle][1] <= time) { low = middle + 1; } else { high = middle; }
    }
    return all[low - 1];
  }

  function instruction(trace, run, time) {
    const block = trace.blocks[run[2]];
    const [place, opcode] = block[Math.min(time - run[1], block.length - 1)];
    return { place, opcode: trace.opcodes[opcode], rests: time - run[1] >= block.length };
  }

  // Lines of the source from the first to the last that the kernel has instructions of.
  function listing(source, trace, file) {
    const own = trace.places.filter(([name]) => name === file).map(([, line]) => line);
    const list = make("ol", "listing");
    const first = Math.min(...own), last = Math.max(...own);
    const rows = new Map();
    source.split("\n").slice(first - 1, last).forEach((text, index) => {
      const line = first + index;
      const marks = make("span", "marks");
      const row = make("li", own.includes(line) ? "runs" : "", marks, make("code", "", text || " "));
      row.value = line;
      rows.set(line, { row, marks });
      list.append(row);
    });
    return { list, rows };
  }

  // `name` is the source's among the places; without one it is that of the first instruction.
  ladder.drawings.warps = function ({ trace, source, hazards, name: own }) {
    const file = own ?? trace.places[trace.blocks[0][0][0]][0];
    const of = Array.from({ length: WARPS }, (_, warp) => runs(trace, warp)).filter((it) => it.length);
    const end = Math.max(...of.map((all) => {
      const last = all[all.length - 1];
      return last[1] + trace.blocks[last[2]].length;
    }));
    const { list, rows } = listing(source, trace, file);
    let time = 0, chosen = 0;

    const slider = make("input", "");
    Object.assign(slider, { type: "range", min: 0, max: end - 1, value: 0 });
    slider.setAttribute("aria-label", "time in instructions");
    const clock = make("span", "clock");
    const memory = make("div", "last");
    const warps = of.map((_, warp) => {
      const state = { row: make("span", ""), text: make("small", "") };
      state.button = make("button", "", `warp ${warp}`);
      state.button.type = "button";
      state.button.onclick = () => { chosen = warp; show(); };
      return state;
    });

    function placeOf(warp, when) {
      return instruction(trace, at(of[warp], when), when).place;
    }

    // The next time, or the one before, at which the chosen warp is at another line, or at `wanted`.
    function other(direction, wanted) {
      const now = placeOf(chosen, time);
      for (let when = time + direction; when >= 0 && when < end; when += direction) {
        const place = placeOf(chosen, when);
        if (wanted ? place !== now && wanted(place) : place !== now) {
          return when;
        }
      }
      return wanted ? time : direction > 0 ? end - 1 : 0;
    }

    function go(to) { time = to; show(); }

    function show() {
      slider.value = time;
      clock.textContent = `instruction ${time + 1} of ${end}`;
      rows.forEach(({ row, marks }) => { marks.replaceChildren(); row.classList.remove("here"); });
      of.forEach((all, warp) => {
        const run = at(all, time);
        const { place, opcode, rests } = instruction(trace, run, time);
        const doing = !rests ? opcode : run === all[all.length - 1] ? "has ended" : "waits";
        const [name, line] = trace.places[place];
        const { row, text, button } = warps[warp];
        button.setAttribute("aria-pressed", String(warp === chosen));
        row.replaceChildren(lanes(run[3] >>> 0));
        text.textContent = `${name === file ? "line" : name} ${line}: ${doing}`;
        const listed = name === file && rows.get(line);
        if (listed) {
          listed.marks.append(make("i", `mark${warp}`, String(warp)));
          if (warp === chosen) {
            listed.row.classList.add("here");
            const top = listed.row.offsetTop - list.offsetTop;
            if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) {
              list.scrollTop = top - list.clientHeight / 2;
            }
          }
        }
      });
      const last = trace.touches.filter((it) => it.warp === chosen && it.time <= time &&
        it.space !== "param" && it.space !== "const").pop();
      memory.replaceChildren(...(last
        ? [`Warp ${chosen}'s latest access, ${last.writes ? "a write to" : "a read from"} ${last.space} memory: `,
          touch(last, trace.buffers)]
        : [`Warp ${chosen} has not accessed memory yet.`]));
    }

    function button(text, title, action) {
      const made = make("button", "", text);
      Object.assign(made, { type: "button", title, onclick: action });
      return made;
    }

    slider.oninput = () => go(Number(slider.value));
    list.onclick = ({ target }) => {
      const row = target.closest("li.runs");
      const line = row && row.value;
      if (line) {
        go(other(1, (place) => trace.places[place][0] === file && trace.places[place][1] === line));
      }
    };
    const barriers = trace.barriers.map(([, last]) => last);
    const controls = make("div", "controls",
      button("◀ line", "back to the line before", () => go(other(-1))),
      button("line ▶", "on to the next line", () => go(other(1))),
      button("instruction ▶", "on by one instruction", () => go(Math.min(time + 1, end - 1))));
    if (barriers.length) {
      controls.append(button("barrier ▶", "on to where all have come to the next barrier", () =>
        go(Math.min(barriers.find((when) => when > time) || end - 1, end - 1))));
    }
    controls.append(slider, clock);
    const table = make("div", "warps", ...warps.map(({ button, row, text }) =>
      make("div", "warp", button, row, text)));
    const found = (hazards || []).map((text) => make("pre", "hazard", `hazard: ${text}`));
    if (trace.places[placeOf(0, 0)][0] !== file) {
      time = other(1, (place) => trace.places[place][0] === file);
    }
    // What is drawn must be in the page before lines can be scrolled to.
    requestAnimationFrame(show);
    return make("div", "", ...found, controls, table, memory, list);
  };
})();
