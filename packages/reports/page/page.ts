// The script of the page that `explain` writes: goes through the steps of a witness, and
// shows an event in all places at once. If a menu (menu.ts) shows another execution, the script
// runs once more. tools/build-page.mjs bundles it into packages/reports/src/html/page-assets.ts.
import type { PageData } from '../src/words/page-data.js';

function all(selector: string, root: ParentNode = document): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(selector)];
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** Aborted when another execution replaces the shown one. */
const leaving = new AbortController();
const { signal } = leaving;
document.addEventListener(
  'leave-stage',
  () => {
    setPlaying(false);
    leaving.abort();
  },
  { signal },
);

const data = JSON.parse(byId('data').textContent) as PageData;
const last = data.steps.length;
const slider = byId('slider') as HTMLInputElement;
const player = byId('player');
const timeLine = byId('time-line');
const events = all('.event', timeLine);
const nodes = all('.graph .node');
/** 0 is the start, `i + 1` the state after step `i`. */
let now = 0;
/** The step of the event that has the focus. */
let focused: string | undefined;

/**
 * The steps that an element shows: two if an access is issued in one step and reaches memory in a
 * later step.
 */
function stepsOf(element: Element): string[] {
  return (element.getAttribute('data-steps') ?? '').split(' ').filter((step) => step !== '');
}

/** Returns all steps of the access that the given step belongs to. */
function accessOf(step: string): string[] {
  return nodes.map(stepsOf).find((steps) => steps.includes(step)) ?? [step];
}

function fillBuffers(): void {
  const frame = data.frames[now]!;
  const before = data.frames[Math.max(0, now - 1)]!;
  for (const thread of all('.machine .thread')) {
    const t = Number(thread.dataset.thread);
    const stores = frame.buffers[t] ?? [];
    const isNew = stores.length > (before.buffers[t] ?? []).length;
    const slots = stores.map((text, i) => {
      const slot = document.createElement('li');
      slot.textContent = text;
      if (isNew && i === stores.length - 1) slot.className = 'new';
      return slot;
    });
    const list = thread.querySelector('.slots')!;
    list.replaceChildren(...slots);
    list.classList.toggle('drained', stores.length < (before.buffers[t] ?? []).length);
    for (const cell of all('[data-register]', thread)) {
      const r = Number(cell.dataset.register);
      setValue(cell, frame.registers[t]?.[r], before.registers[t]?.[r]);
    }
  }
  for (const cell of all('[data-cell]')) {
    const c = Number(cell.dataset.cell);
    setValue(cell, frame.memory[c], before.memory[c]);
  }
}

function setValue(cell: HTMLElement, value: string | undefined, before: string | undefined): void {
  cell.textContent = value ?? '0';
  cell.classList.toggle('new', value !== before);
}

/** Marks an event with `className` in every view; `undefined` removes the marks. */
function mark(className: 'current' | 'hover', step: string | undefined): void {
  for (const element of all(`.${className}`)) element.classList.remove(className, 'other-half');
  if (step === undefined) return;
  const access = accessOf(step);
  for (const event of events) {
    const { step: own = '' } = event.dataset;
    if (!access.includes(own)) continue;
    event.classList.add(className);
    event.classList.toggle('other-half', className === 'current' && own !== step);
  }
  for (const row of all('.counterpart [data-step]'))
    if (row.dataset.step !== undefined && access.includes(row.dataset.step))
      row.classList.add(className);
  for (const element of [...nodes, ...all('.wait', timeLine)])
    if (stepsOf(element).some((own) => access.includes(own))) element.classList.add(className);
  const { key, line } = data.steps[Number(step)]!;
  for (const piece of all('.source [data-keys]'))
    if (piece.dataset.keys?.split(' ').includes(key)) piece.classList.add(className);
  if (className === 'current' && line !== undefined)
    for (const row of all(`.source [data-line="${line}"]`)) row.classList.add('current');
}

/** Scrolls only the box around the element, never the page. */
function reveal(element: Element | null | undefined, box: HTMLElement): void {
  if (!element) return;
  const outer = box.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  if (inner.top < outer.top + 40) box.scrollTop += inner.top - outer.top - 40;
  else if (inner.bottom > outer.bottom - 20) box.scrollTop += inner.bottom - outer.bottom + 20;
  if (inner.width > outer.width) return;
  if (inner.left < outer.left) box.scrollLeft += inner.left - outer.left - 40;
  else if (inner.right > outer.right) box.scrollLeft += inner.right - outer.right + 20;
}

const menu = document.querySelector<HTMLSelectElement>('#attack');
/** Returns the end of an address that names the selected attack; empty if the page has no menu. */
const attack = menu ? `attack-${menu.selectedIndex + 1}-` : '';

/** The place of a step, in brackets: ` (line 12)`, ` (ring.h:12)`; empty if unknown. */
function placeOf(step: PageData['steps'][number] | undefined): string {
  if (!step || step.place === '') return '';
  return step.line === undefined ? ` (${step.place})` : ` (line ${step.place})`;
}

function show(step: number): void {
  now = Math.min(last, Math.max(0, step));
  const done = data.steps[now - 1];
  const words = `Step ${now} of ${last}: ${done?.sentence ?? 'the start'}${placeOf(done)}`;
  slider.value = String(now);
  slider.setAttribute('aria-valuetext', words);
  byId('now').textContent = words;
  fillBuffers();
  mark('current', done ? String(now - 1) : undefined);
  const current = events.find((event) => Number(event.dataset.step) === now - 1);
  for (const event of events) {
    event.tabIndex = event === current ? 0 : -1;
    event.classList.toggle('later', Number(event.dataset.step) >= now);
    if (event === current) event.setAttribute('aria-current', 'step');
    else event.removeAttribute('aria-current');
  }
  byId('cursor').style.gridRow = String(now + 2);
  reveal(current, byId('time-scroller'));
  reveal(
    document.querySelector(done ? '.source .at.current' : '.source .at.store'),
    byId('source-scroller'),
  );
  for (const [id, isEnd] of [
    ['first', now === 0],
    ['back', now === 0],
    ['forth', now === last],
    ['last', now === last],
  ] as const)
    byId(id).setAttribute('aria-disabled', String(isEnd));
  try {
    history.replaceState(null, '', `#${attack}step-${now}`);
  } catch {
    // Some viewers show pages without an address.
  }
}

const play = byId('play');
/** The timer that goes through the steps by itself; `undefined` while no timer runs. */
let playing: number | undefined;

/** The number of milliseconds for which each step is shown while the timer runs. */
const pace = 1500;

function setPlaying(isOn: boolean): void {
  if (playing !== undefined) window.clearInterval(playing);
  playing = isOn ? window.setInterval(playOn, pace) : undefined;
  play.setAttribute('aria-pressed', String(isOn));
}

function playOn(): void {
  if (now < last) show(seen(now + 1));
  if (now === last) setPlaying(false);
}

function togglePlay(): void {
  const isOn = playing === undefined;
  if (isOn && now === last) show(0);
  setPlaying(isOn);
}

function toggleLarge(): void {
  const isOn = document.documentElement.classList.toggle('large');
  byId('large').setAttribute('aria-pressed', String(isOn));
}

function toggleFull(): void {
  // A frame may not be allowed to; then nothing happens.
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen().catch(() => undefined);
}

const letters: Readonly<Record<string, () => void>> = {
  p: togglePlay,
  l: toggleLarge,
  f: toggleFull,
};

/** The number of steps before the attack begins. */
const setUp = Number(timeLine.dataset.setUp ?? 0);

function setFolded(isFolded: boolean): void {
  timeLine.classList.toggle('folded', isFolded);
  document.querySelector('#fold')?.setAttribute('aria-expanded', String(!isFolded));
}

/**
 * Returns the visible step that is nearest in the given direction. Folded steps are skipped all at
 * once.
 */
function seen(step: number): number {
  const isHidden = timeLine.classList.contains('folded') && step > 0 && step < setUp;
  if (!isHidden) return step;
  return step > now ? setUp : 0;
}

/** Goes to a chosen step and stops the player. */
function goTo(step: number): void {
  setPlaying(false);
  show(seen(step));
}

function onKey(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // The menu of attacks knows all keys itself.
  if (event.target === menu) return;
  const letter = Object.hasOwn(letters, event.key) ? letters[event.key] : undefined;
  if (letter) {
    letter();
    return;
  }
  // The slider knows these keys itself.
  if (event.target === slider) return;
  const isOurs =
    event.target instanceof Node &&
    (player.contains(event.target) || timeLine.contains(event.target));
  const isVertical = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  if (isVertical && !(event.target instanceof Node && timeLine.contains(event.target))) return;
  const isFree = event.target === document.body || isOurs;
  // A box that is scrolled sideways keeps its arrow keys.
  if (
    !isFree &&
    event.target instanceof Element &&
    event.target.matches('.scroller, .graph') &&
    event.target.scrollWidth > event.target.clientWidth
  )
    return;
  const target: Record<string, number> = {
    ArrowRight: now + 1,
    ArrowDown: now + 1,
    ArrowLeft: now - 1,
    ArrowUp: now - 1,
    ...(isFree && { Home: 0, End: last }),
  };
  const step = target[event.key];
  if (step === undefined) return;
  event.preventDefault();
  goTo(step);
  if (timeLine.contains(document.activeElement))
    events.find((item) => item.tabIndex === 0)?.focus({ preventScroll: true });
}

/** Makes Enter and the space bar work on an element that is no button. */
function pressable(element: HTMLElement | SVGElement, press: () => void): void {
  element.setAttribute('tabindex', '0');
  element.setAttribute('role', 'button');
  element.addEventListener('keydown', (event) => {
    const { key } = event as KeyboardEvent;
    if (key !== 'Enter' && key !== ' ') return;
    event.preventDefault();
    press();
  });
}

/**
 * Makes an element show its event while the pointer or the focus is on the element, and go to the
 * event when chosen.
 */
function link(
  element: HTMLElement | SVGElement,
  step: () => string | undefined,
  choose: () => number,
): void {
  element.addEventListener('pointerenter', () => mark('hover', step()));
  // What has the focus stays marked when the pointer goes away.
  element.addEventListener('pointerleave', () => mark('hover', focused));
  element.addEventListener('focus', () => mark('hover', (focused = step())));
  element.addEventListener('blur', () => mark('hover', (focused = undefined)));
  element.addEventListener('click', () => goTo(choose()));
}

/** Marks the arrow between two events, and its ends. */
function linkEdge(words: HTMLElement): void {
  const { from, to } = words.dataset;
  const arrows = all(`.graph .edge.cycle[data-from="${from}"][data-to="${to}"]`);
  const ends = nodes.filter((node) => {
    const [step] = stepsOf(node);
    return step === from || step === to;
  });
  const set = (isOn: boolean) => (): void => {
    for (const element of [...arrows, ...ends]) element.classList.toggle('hover', isOn);
  };
  words.addEventListener('pointerenter', set(true));
  words.addEventListener('focus', set(true));
  words.addEventListener('pointerleave', set(false));
  words.addEventListener('blur', set(false));
  const choose = (): void => goTo(Number(to) + 1);
  words.addEventListener('click', choose);
  pressable(words, choose);
}

/**
 * Shows the purpose of a fence: its reason, and the store and the load that the fence keeps in
 * order.
 */
function linkFence(mark: HTMLElement): void {
  const reasons = all(`.fences [data-fence="${mark.dataset.fence}"]`);
  const keys = reasons.flatMap(({ dataset }) => dataset.keys?.split(' ') ?? []);
  const kept = all('.source [data-keys]').filter((piece) =>
    piece.dataset.keys?.split(' ').some((key) => keys.includes(key)),
  );
  const set = (isOn: boolean) => (): void => {
    for (const element of [mark, ...reasons, ...kept]) element.classList.toggle('hover', isOn);
  };
  for (const on of ['pointerenter', 'focus']) mark.addEventListener(on, set(true));
  // What has the focus stays marked when the pointer goes away.
  mark.addEventListener('pointerleave', () => set(document.activeElement === mark)());
  mark.addEventListener('blur', set(false));
  const choose = (): void => reasons[0]?.scrollIntoView({ block: 'center' });
  mark.addEventListener('click', choose);
  pressable(mark, choose);
}

for (const mark of all('ins.fence[data-fence]')) linkFence(mark);
for (const event of events) {
  const { step = '-1' } = event.dataset;
  link(
    event,
    () => (step === '-1' ? undefined : step),
    () => Number(step) + 1,
  );
}
for (const node of nodes) {
  const [step] = stepsOf(node);
  const choose = (): number => Number(step) + 1;
  link(node, () => step, choose);
  pressable(node, () => goTo(choose()));
}
for (const piece of all('.source [data-keys]')) {
  const keys = piece.dataset.keys?.split(' ') ?? [];
  const own = data.steps.flatMap(({ key }, i) => (keys.includes(key) ? [i] : []));
  /**
   * Returns the next step by which this instruction is executed; after the last such step, the
   * first.
   */
  const next = (): number => own.find((step) => step >= now) ?? own[0] ?? 0;
  link(
    piece,
    () => String(next()),
    () => next() + 1,
  );
}
for (const row of all('.counterpart [data-step]'))
  link(
    row,
    () => row.dataset.step,
    () => Number(row.dataset.step) + 1,
  );
for (const words of all('.edge-words')) linkEdge(words);

slider.addEventListener('input', () => goTo(Number(slider.value)));
byId('first').addEventListener('click', () => goTo(0));
byId('back').addEventListener('click', () => goTo(now - 1));
byId('forth').addEventListener('click', () => goTo(now + 1));
byId('last').addEventListener('click', () => goTo(last));
play.addEventListener('click', togglePlay);
byId('large').addEventListener('click', toggleLarge);
byId('full').addEventListener('click', toggleFull);
document.querySelector('#cycle-only')?.addEventListener('change', ({ target }) => {
  const { checked } = target as HTMLInputElement;
  for (const part of all('.cycle-alone')) part.hidden = !checked;
  for (const part of all('.with-others')) part.hidden = checked;
});
document.querySelector('#fold')?.addEventListener('click', () => {
  setFolded(!timeLine.classList.contains('folded'));
  show(seen(now));
});
document.addEventListener('keydown', onKey, { signal });

// On paper nobody can press a key.
const table = document.querySelector<HTMLDetailsElement>('#all-steps');
window.addEventListener(
  'beforeprint',
  () => {
    if (table) table.open = true;
    setFolded(false);
  },
  { signal },
);

const asked = /[#-]step-(\d+)$/.exec(location.hash);
const first = asked ? Number(asked[1]) : 0;
if (first > 0 && first < setUp) setFolded(false);
show(first);
