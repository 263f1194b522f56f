// The script of the tutorial's pages: exercises, and progress.
import { createEditor, type Editor } from './editor.js';
import type { Answer, Exercise } from './judge.js';
import type { Ruling, Submission } from './judge-worker.js';
import { element, framed } from './shown.js';

/** The data of an exercise on a page of a lesson. */
interface Given {
  /** `lesson/number`: the key under which the browser stores a finished exercise. */
  readonly key: string;
  readonly task: Exercise;
}

const shelf = 'lessons';

/** Returns the keys of the finished exercises. */
function done(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(shelf) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : []);
  } catch {
    return new Set();
  }
}

function remember(key: string): void {
  try {
    localStorage.setItem(shelf, JSON.stringify([...new Set([...done(), key])]));
  } catch {
    // The tutorial also works in a browser without storage.
  }
}

/** The form for an answer: reads the answer, and resets the form. */
interface Sheet {
  readonly answer: () => Answer;
  readonly reset: () => void;
}

function changeSheet(section: HTMLElement, start: string): Sheet {
  const given = section.querySelector('.given')!;
  const place = element('div', { className: 'editor' });
  given.replaceWith(place);
  const editor: Editor = createEditor(place, {
    isReadOnly: false,
    changed: () => undefined,
  });
  const reset = (): void => editor.setText(start, 'native');
  reset();
  return { answer: () => editor.text(), reset };
}

function choiceSheet(section: HTMLElement): Sheet {
  const boxes = [...section.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  return {
    answer: () => boxes.filter(({ checked }) => checked).map(({ value }) => Number(value)),
    reset: () => {
      for (const box of boxes) box.checked = false;
    },
  };
}

/** Splits text into words and code; code is between backticks, as in the text of the lesson. */
const inWords = (words: string): (Node | string)[] =>
  words.split('`').map((part, i) => (i % 2 === 0 ? part : element('code', {}, part)));

class ExerciseOnPage {
  #worker: Worker | undefined;
  readonly #said: HTMLElement;
  readonly #shown: HTMLElement;
  readonly #sheet: Sheet;

  constructor(
    private readonly section: HTMLElement,
    private readonly given: Given,
  ) {
    this.#said = section.querySelector('.said')!;
    this.#shown = section.querySelector('.shown')!;
    const { task } = given;
    this.#sheet = task.kind === 'change' ? changeSheet(section, task.start) : choiceSheet(section);
    section.querySelector('.check')!.addEventListener('click', () => this.#check());
    section.querySelector('.again')!.addEventListener('click', () => {
      this.#end();
      this.#sheet.reset();
      this.#say('', '');
    });
    if (done().has(given.key)) this.#say('right', 'Done before.');
  }

  #say(kind: Ruling['kind'] | 'busy' | '', words: string, page?: string): void {
    this.section.dataset.state = kind;
    this.#said.replaceChildren(...inWords(words));
    this.#shown.replaceChildren(
      ...(page === undefined ? [] : [framed('The counterexample', page)]),
    );
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #check(): void {
    this.#end();
    this.#say('busy', 'Being judged ...');
    const worker = new Worker('judge-worker.js', { type: 'module' });
    this.#worker = worker;
    const finish = (ruling: Ruling): void => {
      if (this.#worker !== worker) return;
      this.#end();
      this.#say(ruling.kind, ruling.words, 'page' in ruling ? ruling.page : undefined);
      if (ruling.kind === 'right') remember(this.given.key);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Ruling>) => finish(data));
    worker.addEventListener('error', ({ message }) =>
      finish({ kind: 'failed', words: message || 'The engines cannot be loaded.' }),
    );
    const submission: Submission = { exercise: this.given.task, answer: this.#sheet.answer() };
    worker.postMessage(submission);
  }
}

for (const section of document.querySelectorAll<HTMLElement>('.exercise')) {
  const data = section.querySelector('script')!.textContent;
  new ExerciseOnPage(section, JSON.parse(data) as Given);
}

/** Marks finished lessons in the list, and the lesson to continue with. */
function showProgress(): void {
  const keys = done();
  let next: HTMLElement | undefined;
  for (const item of document.querySelectorAll<HTMLElement>('[data-lesson]')) {
    const { lesson, exercises } = item.dataset;
    const count = [...keys].filter((key) => key.startsWith(`${lesson}/`)).length;
    const isDone = count >= Number(exercises);
    item.querySelector('.done')!.textContent = isDone ? '(done)' : '';
    if (!isDone) next ??= item;
  }
  const link = next?.querySelector('a');
  const onward = document.getElementById('onward');
  if (!onward || keys.size === 0) return;
  if (!link) onward.textContent = 'All exercises are done.';
  else onward.replaceChildren('Go on with ', link.cloneNode(true), '.');
}

if (document.querySelector('[data-lesson]')) {
  showProgress();
  // The browser's back button shows the page in the old state.
  globalThis.addEventListener('pageshow', showProgress);
}

if ('serviceWorker' in navigator)
  globalThis.addEventListener('load', () => {
    void navigator.serviceWorker.register('sw.js').catch(() => undefined);
  });
