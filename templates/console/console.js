// The console's only script. Pages are whole without it: it adds what changes meanwhile, times in the reader's zone, keys and a panel.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const body = document.body;
document.documentElement.classList.add('script');

// Times in the reader's zone; the one that was written stays as the title.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
const format = new Intl.DateTimeFormat('sv-SE', {
  year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
});
// `3 h ago` within a day; older times stand better as they are.
const relative = new Intl.RelativeTimeFormat('en', { style: 'narrow' });
function ago(date) {
  const seconds = Math.round((Date.now() - date) / 1000);
  if (seconds < 0 || seconds >= 86400) return undefined;
  if (seconds < 60) return relative.format(-seconds, 'second');
  return seconds < 3600 ? relative.format(-Math.floor(seconds / 60), 'minute') : relative.format(-Math.floor(seconds / 3600), 'hour');
}
function localTimes(root) {
  for (const time of $$('time:not([title])', root)) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    const local = format.format(date);
    time.title = `${local} ${zone}, ${time.textContent}`;
    time.textContent = time.closest('.ago') ? ago(date) ?? local : local;
  }
}

// `12s`, `3m05s`, `2h03m`: as the server writes them.
function duration(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const two = (n) => String(n).padStart(2, '0');
  if (seconds < 10) return `${seconds}.${Math.floor((Math.max(0, millis) % 1000) / 100)}s`;
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor(seconds / 60) % 60)}m`;
}
function countOn() {
  const now = Date.now();
  for (const cell of $$('[data-since]')) cell.textContent = duration(now - Number(cell.dataset.since));
}
setInterval(() => { if (!document.hidden) countOn(); }, 1000);

function ready(root) {
  localTimes(root);
  for (const code of $$('[data-copy]', root)) {
    if (!navigator.clipboard || code.nextElementSibling?.classList.contains('copy')) continue;
    const button = document.createElement('button');
    button.className = 'copy';
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    code.after(' ', button);
  }
  for (const form of $$('form[data-auto]', root)) {
    for (const field of $$('select,input[type=radio],input[type=checkbox],input[type=number]', form)) {
      field.addEventListener('change', () => form.requestSubmit());
    }
  }
  for (const out of $$('[data-tail]', root)) follow(out);
}

// Parts of the page that have changed: each replaces the element with its id. Focus stays where it is.
function markup(html, inTable) {
  const template = document.createElement('template');
  template.innerHTML = inTable ? `<table><tbody>${html}</tbody></table>` : html;
  return inTable ? [...template.content.querySelector('tbody').children] : [...template.content.children];
}
function replace({ id, html, in: within }) {
  const old = document.getElementById(id);
  const fresh = markup(html, Boolean(within));
  if (!fresh.length) return;
  for (const element of fresh) localTimes(element);
  if (!old) {
    if (within) document.getElementById(within)?.append(...fresh);
    return;
  }
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const field = held && (held.id ? `#${CSS.escape(held.id)}` : held.name ? `[name="${CSS.escape(held.name)}"]` : held.href ? `a[href="${CSS.escape(held.getAttribute('href'))}"]` : null);
  if (held && /^(INPUT|SELECT|TEXTAREA)$/.test(held.tagName)) return;
  for (const more of $$(`[data-of="${CSS.escape(id)}"]`)) more.remove();
  old.replaceWith(...fresh);
  if (within) fresh[0].classList.add('new');
  if (field) fresh.map((element) => element.matches(field) ? element : $(field, element)).find(Boolean)?.focus();
  for (const element of fresh) ready(element);
}
const signs = { waiting: '◷', running: '▶', good: '✓', stuck: '!', bad: '✕', killed: '■', untouched: '' };
function paint({ node, look }) {
  for (const link of $$(`.graph a[data-node="${CSS.escape(node)}"]`)) {
    const box = link.firstElementChild;
    if (!box.classList.contains('bar')) {
      for (const name of Object.keys(signs)) box.classList.remove(`s-${name}`);
      if (look !== 'untouched') box.classList.add(`s-${look}`);
    }
    box.classList.toggle('untouched', look === 'untouched');
    const sign = $('.state-sign', link);
    if (sign) sign.textContent = signs[look] ?? '';
  }
}

let heard = Date.now();
function gone(is) {
  const notice = $('#gone');
  if (notice.hidden === !is) return;
  notice.hidden = !is;
  if (is) $('#gone-since').textContent = format.format(new Date(heard));
}
// Events of the server, while the page is seen: a browser has six connections to a host, for all of its pages together. The address is
// made anew for each connection. Returns what ends it.
function hear(address, handlers) {
  let source;
  let again;
  let isOver = false;
  const close = () => {
    clearTimeout(again);
    source?.close();
    source = undefined;
  };
  const open = () => {
    if (source || isOver || document.hidden) return;
    clearTimeout(again);
    const own = new EventSource(address());
    source = own;
    for (const [name, handler] of Object.entries(handlers)) {
      if (name !== 'error') own.addEventListener(name, handler);
    }
    own.addEventListener('error', () => {
      if (source !== own) return;
      // The server may be another one by now.
      close();
      again = setTimeout(open, 2000);
      handlers.error?.();
    });
  };
  document.addEventListener('visibilitychange', () => { if (document.hidden) close(); else open(); });
  addEventListener('pagehide', close);
  addEventListener('pageshow', open);
  open();
  return () => { isOver = true; close(); };
}
function listen(address) {
  hear(() => address, {
    open() { heard = Date.now(); gone(false); },
    error() { gone(true); },
    parts(event) {
      heard = Date.now();
      const told = JSON.parse(event.data);
      if (told.reload) { location.reload(); return; }
      for (const part of told.parts) replace(part);
      for (const look of told.looks ?? []) paint(look);
    },
  });
}

// Output as it comes. The oldest of it leaves the page: all of it has a page of its own.
const MOST = 400000;
const tails = new Map();
function follow(out) {
  if (tails.has(out)) return;
  const address = new URL(out.dataset.tail, location.href);
  out.scrollTop = out.scrollHeight;
  const end = () => tails.get(out)?.();
  tails.set(out, hear(() => address, {
    text(event) {
      const { text, to } = JSON.parse(event.data);
      // Another connection goes on from here.
      address.searchParams.set('from', to);
      const atEnd = out.scrollHeight - out.scrollTop - out.clientHeight < 40;
      out.append(shown(text));
      out.normalize();
      if (out.textContent.length > MOST) out.textContent = out.textContent.slice(-MOST / 2);
      if (atEnd) out.scrollTop = out.scrollHeight;
    },
    end,
    problem: end,
  }));
}
// Those that are no longer on the page.
function forgetTails() {
  for (const [out, end] of tails) {
    if (out.isConnected) continue;
    end();
    tails.delete(out);
  }
}
// Characters that are invisible or change the order of others, written out as the server does.
function shown(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g,
    (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}

// A node beside its job, instead of a page of its own.
const panel = $('#panel');
let from = null;
async function openNode(link) {
  const response = await fetch(link.href?.baseVal ?? link.href);
  if (!response.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const node = page.getElementById('node');
  if (!node) return false;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'panel-close';
  close.textContent = 'Close';
  close.addEventListener('click', closePanel);
  const whole = document.createElement('p');
  const anchor = document.createElement('a');
  anchor.href = link.href?.baseVal ?? link.href;
  anchor.textContent = 'Open as a page';
  whole.append(anchor);
  panel.replaceChildren(close, node, whole);
  forgetTails();
  panel.setAttribute('aria-label', `Node ${link.dataset.node}`);
  panel.hidden = false;
  panel.scrollTop = 0;
  for (const other of $$('a.at[data-node]')) other.classList.remove('at');
  for (const same of $$(`a[data-node="${CSS.escape(link.dataset.node)}"]`)) same.classList.add('at');
  ready(panel);
  from = link;
  close.focus();
  return true;
}
function closePanel() {
  if (!panel || panel.hidden) return;
  panel.hidden = true;
  panel.replaceChildren();
  forgetTails();
  for (const link of $$('a.at[data-node]')) link.classList.remove('at');
  from?.focus?.();
}
document.addEventListener('click', async (event) => {
  const link = event.target.closest?.('a[data-node]');
  if (!panel || !link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const address = link.href?.baseVal ?? link.href;
  try {
    if (!await openNode(link)) location.href = address;
  } catch {
    location.href = address;
  }
});

// Keys.
const keys = $('#keys');
let before = '';
function row(step) {
  const links = $$('.row-link').filter((link) => link.offsetParent);
  if (!links.length) return;
  const at = links.indexOf(document.activeElement);
  const next = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + step))];
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}
function tab(step) {
  const links = $$('.tabs a');
  const at = links.findIndex((link) => link.hasAttribute('aria-current'));
  links[at + step]?.click();
}
function up() {
  const links = $$('.crumbs a');
  (links.at(-1) ?? $('.brand')).click();
}
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    if (panel && !panel.hidden) closePanel();
    else if (document.activeElement?.matches('input')) document.activeElement.blur();
    return;
  }
  if (event.target.closest('input,select,textarea,dialog')) return;
  const base = body.dataset.base;
  const after = before + event.key;
  before = event.key === 'g' ? 'g' : '';
  const actions = {
    '?': () => keys.showModal(),
    '/': () => $('#find').focus(),
    j: () => row(1), k: () => row(-1),
    u: up, '[': () => tab(-1), ']': () => tab(1),
    go: () => { location.href = `${base}/`; },
    gj: () => { location.href = `${base}/console/jobs`; },
    gl: () => { location.href = `${base}/console/late`; },
  };
  const action = actions[after] ?? actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

ready(document);
countOn();
// The part that is open is seen on a narrow screen, too.
for (const open of $$('.tabs [aria-current]')) open.parentElement.scrollLeft = open.offsetLeft - 16;
if (zone) $('#zone').textContent = `Times are yours (${zone}); UTC at the pointer.`;
if (body.dataset.live) listen(body.dataset.live);
