const dark = matchMedia('(prefers-color-scheme: dark)').matches && !matchMedia('print').matches;
document.documentElement.className = dark ? 'navy' : 'light';
for (const [id, is] of [['mdbook-highlight-css', !dark], ['mdbook-tomorrow-night-css', dark], ['mdbook-ayu-highlight-css', false]]) {
  const sheet = document.getElementById(id);
  if (sheet) sheet.disabled = !is;
}
if (window.hljs) document.querySelectorAll('pre code').forEach(code => hljs.highlightBlock(code));
const isFull = sheet => sheet.scrollHeight > sheet.clientHeight + 2;
const shrink = (sheet, least) => {
  for (let size = 24; size >= least; size -= 1) {
    sheet.style.fontSize = size + 'px';
    if (!isFull(sheet)) return true;
  }
  return false;
};
const fit = sheet => {
  if (shrink(sheet, 18)) return;
  sheet.style.fontSize = '';
  const next = document.createElement('section');
  while (isFull(sheet) && sheet.children.length > 1) {
    const last = sheet.lastElementChild;
    // A heading goes with what follows it.
    if (sheet.children.length === 2 && /^H[1-6]$/.test(sheet.children[0].tagName)) break;
    next.prepend(last);
  }
  while (sheet.children.length > 1 && /^H[1-6]$/.test(sheet.lastElementChild.tagName)) next.prepend(sheet.lastElementChild);
  if (!shrink(sheet, 12)) {
    // One long thing, code most often: in two columns.
    sheet.classList.add('long');
    shrink(sheet, 11);
  }
  if (next.children.length) { sheet.after(next); fit(next); }
};
const lay = () => {
  document.querySelectorAll('section').forEach(fit);
  // Folded parts are opened by a click, and are longer then.
  document.querySelectorAll('details').forEach(part => part.addEventListener('toggle', () => shrink(part.closest('section'), 12)));
  // page.slides.html#3 opens the third sheet.
  document.querySelectorAll('section')[Number(location.hash.slice(1)) - 1]?.scrollIntoView();
};
addEventListener('load', lay);
addEventListener('keydown', event => {
  const step = { ArrowRight: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (!step || event.target.closest('input, button, select, summary, textarea')) return;
  event.preventDefault();
  const sheets = [...document.querySelectorAll('section')];
  const at = Math.round(scrollY / innerHeight);
  sheets[Math.max(0, Math.min(sheets.length - 1, at + step))].scrollIntoView();
});
