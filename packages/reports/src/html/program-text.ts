import type { Action } from '@fencewright/model/trace/computation.js';
import type { Program } from '@fencewright/model/program/program.js';
import { quoteSource } from '@fencewright/ground/source/quote-name.js';
import type { Position, Span } from '@fencewright/ground/source/span.js';
import { findTransition } from '../words/action-words.js';
import type { ShownExecution } from '../words/shown-execution.js';
import { html, type Html } from './html-text.js';
import { transitionKey } from '../words/page-data.js';

/** A place of the program text that the page marks. */
interface TextMark {
  readonly span: Span;
  /** The key by which the page's script finds the marked place. */
  readonly key?: string;
  readonly role?: 'store' | 'load';
}

/** A repair in the program text: the place of a fence, or of a store that becomes an exchange. */
export interface FenceMark {
  readonly place: Position;
  readonly text: string;
  /** The index of the repair among the repairs that the search chose, from 0. */
  readonly repair: number;
}

/** An execution to be marked in the program text, and its attack, if any. */
type MarkedExecution = Pick<ShownExecution, 'attack'> & {
  readonly computation: readonly Pick<Action, 'thread' | 'transition'>[];
};

/** The number of lines that a page shows before and after marked lines of a longer text. */
const context = 20;
/** The maximum number of lines of a text that a page shows completely. */
const mostLines = 600;

function marksOf(program: Program, { attack, computation }: MarkedExecution): TextMark[] {
  const keys = new Map<string, TextMark>();
  for (const { thread, transition } of computation) {
    const span = findTransition(program, thread, transition)?.transition.origin.span;
    const key = transitionKey(thread, transition);
    if (span) keys.set(key, { span, key });
  }
  const role = (transition: number, name: 'store' | 'load'): void => {
    const mark = attack && keys.get(transitionKey(attack.thread, transition));
    if (mark?.key !== undefined) keys.set(mark.key, { ...mark, role: name });
  };
  if (attack) {
    role(attack.store, 'store');
    role(attack.load, 'load');
  }
  return [...keys.values()];
}

/**
 * Returns the columns of a line that a mark covers; `undefined` if the mark does not touch the
 * line.
 */
function columnsOn(
  { start, end }: Span,
  line: number,
  length: number,
): [number, number] | undefined {
  if (line < start.line || line > end.line) return undefined;
  const from = line === start.line ? Math.min(start.column, length) : 0;
  const to = line === end.line ? Math.min(end.column, length) : length;
  return from < to ? [from, to] : undefined;
}

/** Returns a line as HTML, cut at the ends of marks; each piece has the marks that cover it. */
function lineHtml(
  text: string,
  line: number,
  marks: readonly TextMark[],
  fences: readonly FenceMark[],
): Html[] {
  const here = marks.flatMap((mark) => {
    const columns = columnsOn(mark.span, line, text.length);
    return columns ? [{ mark, columns }] : [];
  });
  const added = fences.filter(({ place }) => place.line === line);
  const columnOf = ({ place }: FenceMark): number => Math.min(place.column, text.length);
  const cuts = [
    ...new Set([0, text.length, ...here.flatMap(({ columns }) => columns), ...added.map(columnOf)]),
  ].sort((a, b) => a - b);
  const fencesAt = (column: number): Html[] =>
    added.flatMap((fence) =>
      columnOf(fence) === column
        ? [
            html`<ins
              class="fence"
              data-fence="${fence.repair}"
              aria-label="${fence.text} ${fence.repair + 1} goes here"
              >${fence.text}</ins
            >`,
          ]
        : [],
    );
  const pieces = cuts.slice(0, -1).flatMap((from, i) => {
    const to = cuts[i + 1]!;
    const covering = here.filter(({ columns }) => columns[0] <= from && to <= columns[1]);
    const piece = text.slice(from, to);
    if (covering.length === 0) return [...fencesAt(from), html`${piece}`];
    const keys = covering.map(({ mark }) => mark.key).join(' ');
    const role = covering.find(({ mark }) => mark.role)?.mark.role;
    const classes = role === undefined ? 'at' : `at ${role}`;
    return [...fencesAt(from), html`<span class="${classes}" data-keys="${keys}">${piece}</span>`];
  });
  return [...pieces, ...(text.length === 0 || cuts.length === 1 ? [] : fencesAt(text.length))];
}

/**
 * Returns the numbers of the lines to show: all lines, or, in a long text, only the lines near a
 * mark.
 */
function shownLines(count: number, marked: readonly number[]): number[] {
  const all = Array.from({ length: count }, (_, line) => line);
  if (count <= mostLines) return all;
  const near = all.filter((line) => marked.some((mark) => Math.abs(mark - line) <= context));
  return near.length > 0 ? near : all.slice(0, context);
}

/**
 * Returns the lines of a text as a list, with their numbers and marks. `isOther`: the text is that
 * of a further file, whose lines the page's script does not look for.
 */
function textList(
  source: string,
  marks: readonly TextMark[],
  fences: readonly FenceMark[],
  isOther: boolean,
): Html {
  const lines = source.replace(/\n$/, '').split('\n');
  const marked = [
    ...marks.map(({ span }) => span.start.line),
    ...fences.map(({ place }) => place.line),
  ];
  let previous = -1;
  const rows = shownLines(lines.length, marked).flatMap((line): Html[] => {
    const skipped = line - previous - 1;
    previous = line;
    const text = (lines[line] ?? '').replace(/\r$/, '');
    // The page's script finds lines of the main file by their numbers.
    const number = isOther ? '' : line + 1;
    return [
      ...(skipped > 0
        ? [html`<li class="skipped" aria-hidden="true">${skipped} lines left out</li>`]
        : []),
      html`<li value="${line + 1}" data-line="${number}">
        <code>${lineHtml(text, line, marks, fences)}</code>
      </li> `,
    ];
  });
  return html`<ol class="source">
    ${rows}
  </ol>`;
}

/**
 * Returns the text of a program with line numbers, the instructions of the witness as marks, and
 * the fences that would prevent the witness. The texts of further files with such instructions
 * follow.
 */
export function programText(
  program: Program,
  source: string,
  execution: MarkedExecution | undefined,
  fences: readonly FenceMark[],
): Html {
  const marks = execution ? marksOf(program, execution) : [];
  const own = marks.filter(({ span }) => !span.source);
  const others = new Map(
    marks.flatMap(({ span }) => (span.source ? [[span.source.name, span.source]] : [])),
  );
  const further = [...others.values()].map(({ name, text }) => {
    const there = marks.filter(({ span }) => span.source?.name === name);
    return html`<h3>${quoteSource(name)}</h3>
      ${textList(text, there, [], true)}`;
  });
  return html`${textList(source, own, fences, false)} ${further}`;
}
