// SPDX-License-Identifier: MIT OR Apache-2.0
// The parts of a page: asks the simulator when a part comes into view and when a reader chooses something.
"use strict";

(function () {
  const { make, ask, drawings } = ladder;

  async function draw(part) {
    const form = part.querySelector("form"), drawn = part.querySelector(".drawn");
    const values = Object.fromEntries(new FormData(form));
    const asked = (part.asked = {});
    try {
      const answer = await ask({ part: part.dataset.part, values });
      // Something else may have been chosen meanwhile.
      if (part.asked !== asked) {
        return;
      }
      const facts = answer.facts.map(({ name, value }) =>
        make("div", "", make("dt", "", name), make("dd", "", value)));
      const shown = [make("dl", "facts", ...facts), drawings[part.dataset.kind](answer)];
      if (answer.command) {
        shown.push(make("p", "same", "The same in a terminal: ", make("code", "", answer.command)));
      }
      drawn.replaceChildren(...shown);
      part.dataset.state = "drawn";
    } catch (error) {
      drawn.replaceChildren(make("p", "wrong", `${error.message}.`));
      part.dataset.state = "wrong";
    }
  }

  function begin(part) {
    part.querySelector("form").hidden = false;
    part.querySelector(".drawn").hidden = false;
    const table = part.querySelector("details");
    if (table) {
      table.open = false;
    }
    part.addEventListener("change", ({ target }) => {
      if (target.closest("form")) {
        draw(part);
      }
    });
    draw(part);
  }

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) {
        seen.unobserve(target);
        begin(target);
      }
    }
  }, { rootMargin: "400px" });
  document.querySelectorAll(".interactive").forEach((part) => seen.observe(part));
})();
