// Drawings that follow each other: one is shown, buttons and arrow keys lead to the others.
"use strict";
for (const film of document.querySelectorAll(".film")) {
  const frames = [...film.querySelectorAll(".frame")];
  const bar = document.createElement("div");
  bar.className = "film-bar";
  const button = (words, label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.setAttribute("aria-label", label);
    made.onclick = act;
    bar.append(made);
    return made;
  };
  let now = 0;
  let timer;
  const show = (next) => {
    now = Math.max(0, Math.min(frames.length - 1, next));
    frames.forEach((frame, at) => (frame.hidden = at !== now));
    place.textContent = `${now + 1} of ${frames.length}`;
    back.disabled = now === 0;
    forward.disabled = now === frames.length - 1;
    if (forward.disabled) stop();
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    if (play) play.textContent = "▶";
    if (play) play.setAttribute("aria-label", "Play");
  };
  const toggle = () => {
    if (timer) return stop();
    if (now === frames.length - 1) show(0);
    timer = setInterval(() => show(now + 1), 1800);
    play.textContent = "❚❚";
    play.setAttribute("aria-label", "Stop");
  };
  const step = (by) => {
    stop();
    show(now + by);
  };
  const back = button("◀", "The drawing before", () => step(-1));
  // Nothing moves by itself where readers have asked for that.
  const play = matchMedia("(prefers-reduced-motion: reduce)").matches ? undefined : button("▶", "Play", toggle);
  const forward = button("▶|", "The next drawing", () => step(1));
  const place = document.createElement("span");
  place.setAttribute("aria-live", "polite");
  bar.append(place);
  bar.onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) {
      // The page's own keys turn to other chapters.
      event.stopPropagation();
      event.preventDefault();
      step(by);
    }
  };
  film.prepend(bar);
  show(0);
}
