import { countOf, leadOf } from '@fencewright/core';
import { codeMirror, createEditor, type Editor } from './editor.js';
import { CheckRunner, type WorkerThread } from './engine.js';
import { fillMenu, loadExamples } from './examples.js';
import { endings, firstText, usualTimeout } from './first-text.js';
import { HeldVerdict } from './held-verdict.js';
import type {
  AnswerPart,
  MessagePlace,
  ResultPart,
  VerdictPart,
  VerdictState,
  WebFormat,
} from './messages.js';
import { fromFragment, longestLink, type Shared, toFragment } from './share.js';
import type { FirstThread } from './start.js';
import { guessFormat } from './guess.js';
import { helpParts } from './help.js';
import {
  addSummary,
  element,
  showFences,
  showNote,
  showPage,
  showReport,
  type ShownAnswer,
  showVerdict,
  stateTones,
  stateWords,
} from './shown.js';
import { isView, Tabs, type View, views } from './tabs.js';
import { version } from './version.js';

const isEmbed = document.body.dataset.page === 'embed';
const wishes = new URLSearchParams(location.search);
const at = <E extends HTMLElement = HTMLElement>(id: string): E => document.getElementById(id) as E;
const [exampleMenu, formatMenu] = [
  at<HTMLSelectElement>('example'),
  at<HTMLSelectElement>('format'),
];
const [stopButton, moreButton] = [at('stop'), at('more')];
const panels = {
  verdict: at('panel-verdict'),
  execution: at('panel-execution'),
  states: at('panel-states'),
  fences: at('panel-fences'),
  report: at('panel-report'),
};

/** The number of milliseconds allowed for each question on request for more time. */
const patientTimeout = 60_000;
/** The number of milliseconds without an edit before a run begins. */
const pause = 300;

let file = 'program.fw';
let formatBefore: WebFormat = 'native';
let marks: readonly MessagePlace[] = [];
/** The marks that reading the text has produced; marks of the verdict are not included. */
let readMarks: readonly MessagePlace[] = [];
let reports: [string, string][] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let isOpen = false;
/** Whether the verdict of the text is known. */
let isDecided = false;
/** The findings about the current text: of each kind, the latest. */
let latest = new Map<ResultPart['kind'], ResultPart>();
/**
 * The findings of an earlier run about an equal text; each is shown until the current run has a
 * finding of its kind.
 */
let before: typeof latest = new Map();
/** The verdict that is not shown yet, as an answer about claims and states may follow. */
const held = new HeldVerdict();

const nameOf = (one: { readonly file: string }): string => one.file.split('/').at(-1)!;

function say(state: string, chip: string, words = '', tone = ''): void {
  Object.assign(at('status').dataset, { state, tone });
  at('chip').textContent = chip;
  at('words').textContent = words;
}

function setMarks(next: readonly MessagePlace[]): void {
  marks = next;
  editor.setMarks(marks);
}

/** Clears all findings, as the text has changed. */
function forget(): void {
  engine.forget();
  held.drop();
  setMarks([]);
  reports = [];
  isDecided = false;
  latest = new Map();
  before = new Map();
  for (const panel of Object.values(panels)) showNote(panel, 'The text has changed.');
  say('stale', 'changed');
  at('effort').textContent = '';
  [stopButton.hidden, moreButton.hidden] = [true, true];
}

function check(timeout = usualTimeout): void {
  clearTimeout(timer);
  const known = latest;
  forget();
  before = known;
  for (const panel of Object.values(panels)) showNote(panel, 'Computing ...');
  say('checking', 'checking');
  stopButton.hidden = false;
  engine.ask({ file, format: editor.format(), text: editor.text(), timeout });
}

function changed(isOther: boolean): void {
  if (!isOpen) return;
  const format = editor.format();
  if (isOther) {
    // A text pasted over the whole text no longer belongs to the file.
    exampleMenu.value = '';
    file = `program${endings[format]}`;
  } else if (format !== formatBefore) file = file.replace(/(\.[^.]*)?$/, endings[format]);
  formatBefore = format;
  formatMenu.value = format;
  forget();
  keepDraft();
  clearTimeout(timer);
  timer = setTimeout(check, pause);
}

/** Stores the draft; does nothing in a page embedded by another site. */
function keepDraft(): void {
  if (isEmbed) return;
  try {
    sessionStorage.setItem(
      'draft',
      JSON.stringify({ file, format: editor.format(), text: editor.text() }),
    );
    localStorage.setItem('draft', sessionStorage.getItem('draft')!);
  } catch {
    // Storage is not available; the page still has the text.
  }
}

function open(next: { file: string; format: WebFormat; text: string }): void {
  isOpen = false;
  file = next.file;
  formatBefore = next.format;
  formatMenu.value = next.format;
  editor.setText(next.text, next.format);
  isOpen = true;
  keepDraft();
  forget();
  check();
}

function take(told: ResultPart): void {
  const part = told.kind === 'verdict' ? knownVerdict(told) : told;
  latest.set(part.kind, part);
  switch (part.kind) {
    case 'progress': {
      if (isDecided) return;
      const mebibytes = Math.ceil(part.bytes / 1024 / 1024);
      const size = part.bytes > 0 ? `, ${mebibytes} MiB` : '';
      at('effort').textContent = `${countOf(part.states, 'state')}${size}`;
      return;
    }
    case 'read':
      readMarks = part.marks;
      setMarks(readMarks);
      if (part.isProgram) return;
      isDecided = true;
      for (const panel of Object.values(panels)) showNote(panel, 'The text has errors.');
      conclude('error', plainAnswer('error', 'The text has errors.'), errorInWords(marks));
      offerFormat();
      return;
    case 'verdict': {
      const { state, detail, text, states, milliseconds } = part;
      setMarks([...readMarks, ...part.marks]);
      isDecided = true;
      addReport('explain --answers', text);
      if (part.hasAnswer && (state === 'robust' || state === 'not-robust'))
        held.hold(() => conclude(state, plainAnswer(state, detail)));
      else conclude(state, plainAnswer(state, detail));
      const time =
        milliseconds < 1000
          ? `${Math.round(milliseconds)} ms`
          : `${(milliseconds / 1000).toFixed(1)} s`;
      at('effort').textContent = `${countOf(states, 'state')}, ${time}`;
      moreButton.hidden = state !== 'unknown';
      return;
    }
    case 'answer':
      concludeAnswer(part);
      return;
    case 'execution':
      showPage(panels.execution, 'Execution', part.page);
      if (part.text !== undefined) addReport('explain --answers', part.text);
      return;
    case 'fences':
      showFences(panels.fences, part, wishes.has('readonly') ? undefined : apply);
      addReport('fence', part.text);
      if (part.isCut) moreButton.hidden = false;
      if ((latest.get('answer') as AnswerPart | undefined)?.advisesFences !== false)
        addSummary(panels.verdict, part.words, 'Fences', () => tabs.show('fences'));
      return;
    case 'states':
      if (part.page === undefined) showNote(panels.states, part.words);
      else showPage(panels.states, 'Final states', part.page);
      addReport('reach', part.text);
      if (part.isCut) moreButton.hidden = false;
      return;
    case 'ended':
      void offerHelp();
      if (!isEmbed && exampleMenu.options.length === 1) void offerExamples();
      takeBefore();
      held.show();
      finish(part.by === 'stopped' ? 'Stopped.' : 'Nothing to show.');
      // The user can still ask for the missing parts.
      if (part.by === 'stopped') moreButton.hidden = false;
      if (!isDecided) say('unknown', 'stopped', '', 'doubtful');
      return;
    case 'failed':
      takeBefore();
      held.show();
      finish(`This went wrong: ${part.message}.`);
      if (!isDecided) say('error', 'failed', part.message, 'bad');
  }
}

/**
 * Returns the verdict of this run; if this run has no answer, an earlier run's verdict about an
 * equal text.
 */
function knownVerdict(verdict: VerdictPart): VerdictPart {
  const known = before.get('verdict') as VerdictPart | undefined;
  return verdict.state === 'unknown' && known ? known : verdict;
}

/** Shows those findings of an earlier run of whose kind the current run has none. */
function takeBefore(): void {
  for (const kind of ['verdict', 'answer', 'execution', 'states', 'fences'] as const) {
    const part = before.get(kind);
    if (part && !latest.has(kind)) take(part);
  }
}

/** Offers another format, if the text seems to have one. */
function offerFormat(): void {
  const guess = guessFormat(editor.text());
  if (guess === undefined || guess === editor.format()) return;
  if (guess === 'c') {
    const words =
      'The text looks like C, which needs a compiler: use fencewright on the command line.';
    panels.verdict.append(element('p', { className: 'detail' }, words));
    return;
  }
  const { text } = [...formatMenu.options].find(({ value }) => value === guess)!;
  addSummary(panels.verdict, 'The text seems to have another format.', `Read as ${text}`, () =>
    readAs(guess),
  );
}

function readAs(format: WebFormat): void {
  forget();
  editor.setFormat(format);
  check();
}

function finish(words: string): void {
  stopButton.hidden = true;
  for (const panel of Object.values(panels))
    if (panel.textContent === 'Computing ...') showNote(panel, words);
  if (!isDecided) moreButton.hidden = false;
}

/** Returns an answer that is a verdict of robustness alone. */
function plainAnswer(state: VerdictState, lead: string): ShownAnswer {
  return { tone: stateTones[state], words: stateWords[state], lead };
}

/** Shows an answer as the verdict, and also in the status line: there with `words`, if given. */
function conclude(state: VerdictState, answer: ShownAnswer, words = answer.lead): void {
  say(state, answer.words, words, answer.tone);
  at('spoken').textContent = `${answer.words}. ${words}`;
  showVerdict(panels.verdict, answer, marks, reveal);
}

/**
 * Shows the sentence on claims and states as the headline, and the verdict on robustness below as
 * its reason.
 */
function concludeAnswer({ words, headline, difference = [] }: AnswerPart): void {
  const { state, detail } = latest.get('verdict') as VerdictPart;
  if (headline && (state === 'robust' || state === 'not-robust')) {
    held.drop();
    const ground = `The program is ${stateWords[state]}. ${detail}`;
    const { tone, words: said } = headline;
    conclude(state, { tone, words: said, lead: leadOf(headline), difference, ground });
  } else {
    held.show();
    addSummary(panels.verdict, words, 'States', () => tabs.show('states'));
  }
}

/** Returns the first error, and the number of further errors. */
function errorInWords(found: readonly MessagePlace[]): string {
  const [first, ...others] = found.filter(({ severity }) => severity === 'error');
  if (!first) return 'The text has errors.';
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  return `Line ${first.from.line + 1}: ${first.message.replace(/ \[FW\d+\]$/, '')}.${more}`;
}

/** Adds the output of a verb, or replaces the verb's earlier output. */
function addReport(verb: string, text: string): void {
  const command = `fencewright ${verb} ${file}`;
  reports = [...reports.filter(([other]) => other !== command), [command, text]];
  showReport(panels.report, reports);
}

function apply(after: string): void {
  editor.apply(after);
  if (narrow.matches) tabs.show('text');
}

function reveal(line: number): void {
  if (narrow.matches) tabs.show('text');
  editor.reveal(line);
}

function openSheet(title: string, ...body: (Node | string)[]): void {
  at('sheet-title').textContent = title;
  at('sheet-body').replaceChildren(...body);
  at<HTMLDialogElement>('sheet').showModal();
}

const linkFor = async (page: string): Promise<string> => {
  const shared: Shared = { format: editor.format(), text: editor.text(), view: tabs.view, version };
  return `${new URL(page, location.href).href.replace(/[?#].*$/, '')}#${await toFragment(shared)}`;
};

function field(label: string, value: string): HTMLElement {
  const input = element('input', { readOnly: true, value, onfocus: () => input.select() });
  const copy = element('button', {
    type: 'button',
    textContent: 'Copy',
    ariaLabel: `Copy: ${label}`,
  });
  // Without a clipboard, the marked text can be copied by hand.
  const mark = (): void => input.select();
  copy.onclick = () => {
    const copied = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('none'));
    void copied.then(() => (copy.textContent = 'Copied'), mark);
  };
  return element('div', { className: 'field' }, element('label', {}, label, input), copy);
}

async function share(): Promise<void> {
  const link = await linkFor('./');
  if (link.length > longestLink) {
    const words = `As a link this text would have ${link.length.toLocaleString('en')} characters, more than many programs pass on. Send the file instead.`;
    const save = element('button', { type: 'button', textContent: 'Save', onclick: download });
    openSheet('Share', element('p', {}, words), save);
    return;
  }
  history.replaceState(null, '', link.slice(link.indexOf('#')));
  const frame = await linkFor('embed.html');
  const tag = `<iframe src="${frame}" title="A program in Fencewright" width="100%" height="480"></iframe>`;
  openSheet(
    'Share',
    element('p', {}, 'The text is in the link itself. Nothing has been sent anywhere.'),
    field('Link', link),
    field('To embed', tag),
  );
}

function download(): void {
  const url = URL.createObjectURL(new Blob([editor.text()], { type: 'text/plain' }));
  element('a', { href: url, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function openFile(given: File | undefined): Promise<void> {
  if (!given) return;
  const ending = given.name.slice(given.name.lastIndexOf('.'));
  const known = (Object.keys(endings) as WebFormat[]).find((one) => endings[one] === ending);
  const format = known ?? (ending === '.txt' ? 'trencher' : 'native');
  open({ file: given.name, format, text: await given.text() });
}

function help(): void {
  openSheet('Help', ...helpParts(version));
}

function onKey(event: KeyboardEvent): void {
  const isTyping = (event.target as HTMLElement).closest('input, select, .cm-content') !== null;
  const number = event.altKey ? /^Digit([1-5])$/.exec(event.code)?.[1] : undefined;
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) check();
  else if (event.key === 'F8') editor.nextMark();
  else if (number !== undefined) {
    tabs.show(views[Number(number)]!);
    tabs.focus();
  } else if (event.key === '?' && !isTyping) help();
  else return;
  event.preventDefault();
}

/** Opens the first text: the text of a link, the draft of this tab, or an example. */
async function begin(): Promise<void> {
  const shared = location.hash === '' ? undefined : await fromFragment(location.hash);
  if (shared) {
    open({ ...shared, file: `program${endings[shared.format]}` });
    if (view === null && shared.view !== undefined && isView(shared.view)) tabs.show(shared.view);
    return;
  }
  if (location.hash !== '')
    openSheet(
      'This link cannot be read',
      'The link is damaged, or comes from a later version of this page.',
    );
  open(firstText(isEmbed));
}

const narrow = matchMedia('(max-width: 720px)');
const tabs = new Tabs(narrow);

/** Returns the thread that `start.ts` has started, once; another one later, or if it is broken. */
function startThread(): WorkerThread {
  const scope = globalThis as { fencewrightThread?: FirstThread };
  const { fencewrightThread: first } = scope;
  delete scope.fencewrightThread;
  const thread =
    first && !first.isBroken
      ? Object.assign(first.thread, { begun: first.begun })
      : new Worker('worker.js', { type: 'module' });
  return thread as unknown as WorkerThread;
}

const engine = new CheckRunner(startThread, take);
const editor: Editor = createEditor(at('editor'), {
  isReadOnly: wishes.has('readonly'),
  changed,
  guess: (text) => {
    const found = guessFormat(text);
    return found === 'c' ? undefined : found;
  },
});

const view = wishes.get('view');
const first: View = view !== null && isView(view) ? view : narrow.matches ? 'text' : 'verdict';
tabs.show(first);
const size = Number(wishes.get('fontsize'));
if (size >= 8 && size <= 40) document.documentElement.style.setProperty('--code', `${size}px`);

at('check').addEventListener('click', () => check());
stopButton.addEventListener('click', () => engine.stop());
moreButton.addEventListener('click', () => check(patientTimeout));
at('open').addEventListener('click', () => at('file').click());
at('save').addEventListener('click', download);
at('share').addEventListener('click', () => void share());
at('help').addEventListener('click', help);
at<HTMLInputElement>('file').addEventListener('change', ({ target }) => {
  const input = target as HTMLInputElement;
  void openFile(input.files?.[0]).then(() => (input.value = ''));
});
formatMenu.addEventListener('change', () => readAs(formatMenu.value as WebFormat));
document.addEventListener('keydown', onKey);
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  void openFile(event.dataTransfer?.files[0]);
});
globalThis.addEventListener('hashchange', () => void begin());

/** Loads the menu of examples, which is not needed for the first program. */
async function offerExamples(): Promise<void> {
  const examples = await loadExamples();
  fillMenu(exampleMenu, examples, (chosen) => {
    history.replaceState(null, '', location.pathname + location.search);
    open({ ...chosen, file: nameOf(chosen) });
  });
}

let isHelpOffered = false;

/** Loads hover and completion, which are not needed at first. */
async function offerHelp(): Promise<void> {
  if (isHelpOffered) return;
  isHelpOffered = true;
  const { languageHelp } = await import('./language-help.js');
  editor.setHelp(
    languageHelp(codeMirror, editor.format, (words) => (at('spoken').textContent = words)),
  );
}

void begin();

if (isEmbed) {
  at('playground').addEventListener('click', (event) => {
    event.preventDefault();
    void linkFor('./').then((link) => globalThis.open(link, '_blank', 'noopener'));
  });
  new ResizeObserver(() =>
    parent.postMessage({ kind: 'fencewright-height', height: document.body.scrollHeight }, '*'),
  ).observe(document.body);
} else if ('serviceWorker' in navigator) {
  globalThis.addEventListener('load', () => {
    void navigator.serviceWorker.register('sw.js').catch(() => undefined);
  });
}
