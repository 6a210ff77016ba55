/* SPDX-License-Identifier: MIT OR Apache-2.0
   Remembers on this machine what a reader predicted, and shows it again. */
'use strict';
(() => {
  const key = name => `predicted ${name}`;
  for (const question of document.querySelectorAll('[data-predict]')) {
    const name = question.dataset.predict;
    const answers = [...question.querySelectorAll('details')];
    let kept = null;
    try { kept = localStorage.getItem(key(name)); } catch { return; }
    const chosen = answers.find(answer => answer.querySelector('summary').textContent === kept);
    if (chosen) chosen.open = true;
    answers.forEach(answer => answer.addEventListener('toggle', () => {
      // The first answer counts: it was given before anything was read.
      if (!answer.open || localStorage.getItem(key(name)) !== null) return;
      localStorage.setItem(key(name), answer.querySelector('summary').textContent);
    }));
  }
})();
