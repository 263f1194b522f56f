import { countOf } from '@fencewright/ground/base/number-words.js';
import { xmlText } from '../words/xml-text.js';
import type { JunitCase } from './junit.js';

/**
 * The maximum length of a page in UTF-16 units, each at most three bytes: GitHub's pages hold 1
 * MiB.
 */
const most = 300_000;

/** Returns a text for one cell of a Markdown table, without mark-up and line breaks. */
function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_{}[\]()#+.!|~>@-]/g, (sign) => `\\${sign}`);
}

/**
 * Returns a text as a Markdown block between fences that are longer than any run of backticks in
 * the text.
 */
function block(text: string): string {
  const runs = text.match(/`+/g)?.map(({ length }) => length) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}

const typeOf = ({ outcome }: JunitCase): string =>
  outcome.kind === 'passed' ? 'robust' : outcome.type;

/**
 * By verdict, the words for it in the table, in the order in which the numbers of files are listed.
 */
const words: Readonly<Record<string, string>> = {
  'not-robust': 'not robust',
  unknown: 'unknown',
  input: 'errors in the input',
  internal: 'fault of fencewright',
  robust: 'robust',
};

function countsOf(cases: readonly JunitCase[]): string {
  const counts = Object.entries(words).flatMap(([type, word]) => {
    const count = cases.filter((one) => typeOf(one) === type).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return `${countOf(cases.length, 'file')}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`;
}

function row(one: JunitCase): string {
  const message = one.outcome.kind === 'passed' ? (one.outcome.remark ?? '') : one.outcome.message;
  return `| ${cell(one.file)} | ${cell(words[typeOf(one)] ?? typeOf(one))} | ${cell(message)} |`;
}

/** Returns the report on a file that did not pass, folded until opened by the reader. */
function details(one: JunitCase): readonly string[] {
  if (one.outcome.kind === 'passed' || one.outcome.text === '') return [];
  // Up to the blank line the text is HTML, in which characters of Markdown have no meaning.
  const heading = `<details><summary>${xmlText(one.file.replace(/\s+/g, ' '))}</summary>`;
  return [`${heading}\n\n${block(one.outcome.text)}\n\n</details>\n`];
}

/**
 * Returns the results of a run over some files as Markdown, for the page of a build: the number of
 * files for each verdict, a table in the order given, and the reports on files that did not pass.
 * Output that is too long for a page is cut, with a remark. `notes` are lines on the whole run.
 */
export function markdownSummary(
  cases: readonly JunitCase[],
  notes: readonly string[] = [],
): string {
  const head = ['## Fencewright', '', countsOf(cases), '', '| file | verdict | |', '|---|---|---|'];
  const parts: readonly string[] = [
    ...cases.map(row),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${cell(note)}`)] : []),
    ...(cases.some((one) => one.outcome.kind !== 'passed') ? [''] : []),
    ...cases.flatMap(details),
  ];
  let size = 0;
  const shown = parts.filter((part) => (size += part.length + 1) <= most);
  const cut =
    shown.length < parts.length ? ['', 'The rest of the summary is left out for its length.'] : [];
  return [...head, ...shown, ...cut, ''].join('\n');
}
