import type { Headline } from '@fencewright/core';
import type { MessagePlace, ResultPart, VerdictState } from './messages.js';

/** Creates an element with children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  about: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), about);
  made.append(...children);
  return made;
}

/** The tone of a verdict of robustness. */
export const stateTones: Readonly<Record<VerdictState, Headline['tone']>> = {
  ...{ robust: 'good', 'not-robust': 'bad', unknown: 'doubtful', error: 'bad' },
};

export const stateWords: Readonly<Record<VerdictState, string>> = {
  robust: 'robust',
  'not-robust': 'not robust',
  unknown: 'undecided',
  error: 'error',
};

/** Shows a page of the command line in a frame; the frame may run only the page's script. */
export function framed(title: string, html: string): HTMLIFrameElement {
  const frame = element('iframe', { title, srcdoc: html, allowFullscreen: true });
  frame.sandbox.add('allow-scripts');
  return frame;
}

/** Returns the list of messages, each with a link to the line. */
function markList(marks: readonly MessagePlace[], reveal: (line: number) => void): HTMLElement {
  const items = marks.map(({ severity, message, from }) =>
    element(
      'li',
      { className: severity },
      element(
        'button',
        { type: 'button', className: 'place', onclick: () => reveal(from.line) },
        `line ${from.line + 1}`,
      ),
      element('span', {}, message),
    ),
  );
  return element('ul', { className: 'marks' }, ...items);
}

/**
 * The answer at the top of the verdict: the words in colour, and the sentences that follow them.
 */
export interface ShownAnswer {
  readonly tone: Headline['tone'];
  readonly words: string;
  readonly lead: string;
  /** The values and locations of a state that only TSO reaches, one a line. */
  readonly difference?: readonly string[];
  /** The assumptions on which the answer rests. */
  readonly ground?: string;
}

/** Shows the answer, then the marks as its evidence. */
export function showVerdict(
  panel: HTMLElement,
  { tone, words, lead, difference = [], ground = '' }: ShownAnswer,
  marks: readonly MessagePlace[],
  reveal: (line: number) => void,
): void {
  const shown: Node[] = [element('h2', { className: `verdict ${tone}` }, words)];
  if (lead !== '') shown.push(element('p', { className: 'detail' }, lead));
  if (difference.length > 0) {
    const lines = difference.map((line) => element('li', {}, line));
    shown.push(element('ul', { className: 'difference' }, ...lines));
  }
  if (ground !== '') shown.push(element('p', { className: 'detail' }, ground));
  if (marks.length > 0) shown.push(markList(marks, reveal));
  panel.replaceChildren(...shown);
}

/** Adds a sentence on another finding, with a link to the finding. */
export function addSummary(panel: HTMLElement, words: string, tab: string, go: () => void): void {
  const way = element('button', { type: 'button', className: 'place', onclick: go }, tab);
  panel.append(element('p', { className: 'summary' }, way, element('span', {}, words)));
}

export function showPage(panel: HTMLElement, title: string, html: string): void {
  panel.replaceChildren(framed(title, html));
}

export function showNote(panel: HTMLElement, words: string): void {
  panel.replaceChildren(element('p', { className: 'note' }, words));
}

const kinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' };

export function showFences(
  panel: HTMLElement,
  { words, diff, after }: Extract<ResultPart, { kind: 'fences' }>,
  apply: ((after: string) => void) | undefined,
): void {
  const shown: Node[] = [element('p', { className: 'detail' }, words)];
  if (diff !== undefined) {
    // The head of the diff names only one file twice, and is left out.
    const lines = diff
      .split('\n')
      .slice(2)
      .filter((line, i, all) => line !== '' || i < all.length - 1);
    const body = lines.map((line) =>
      element('span', { className: kinds[line[0] ?? ''] ?? '' }, `${line}\n`),
    );
    if (after !== undefined && apply)
      shown.push(
        element(
          'p',
          {},
          element('button', {
            ...{ type: 'button', className: 'main', id: 'apply', textContent: 'Apply' },
            onclick: () => apply(after),
          }),
        ),
      );
    shown.push(element('pre', { className: 'diff', tabIndex: 0 }, ...body));
  }
  panel.replaceChildren(...shown);
}

/** Shows the output of the command line for each question, under the command. */
export function showReport(panel: HTMLElement, reports: readonly [string, string][]): void {
  panel.replaceChildren(
    ...reports.flatMap(([command, text]) => [
      element('h2', { className: 'command' }, `$ ${command}`),
      element('pre', { tabIndex: 0 }, text),
    ]),
  );
}
