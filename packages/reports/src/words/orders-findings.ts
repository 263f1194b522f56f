import { enumerate } from '@fencewright/ground/base/number-words.js';
import { lineInFile } from '@fencewright/ground/source/line-in-file.js';
import type { Position } from '@fencewright/ground/source/span.js';
import type { OrderChange } from '@fencewright/model/program/order-change.js';
import type { OrderLevel } from '@fencewright/model/program/order-level.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { LeftOutOrder, OrdersResult } from '@fencewright/model/verdict/orders-result.js';
import { cellText, findTransition, textName } from './action-words.js';
import { diffOf } from './fence-findings.js';

/** The findings of a search for memory orders, as reports need them. */
export interface OrdersFindings {
  /** The name of the cost model by which the changes are the cheapest. */
  readonly costModel: string;
  readonly result: OrdersResult;
  /** For each change, the text positions of the inserted fence, indexed by change. */
  readonly places: readonly (readonly Position[])[];
  /** The changes of the text as a unified diff; empty if there are none. */
  readonly diff?: string;
  /** The file changed by `diff`, if different from the program's file. */
  readonly changed?: string;
}

/** Returns the findings with the changes of the text; `shown` is the name of the file. */
export function ordersFindings(
  source: string,
  { text, costModel, result, places }: Omit<OrdersFindings, 'diff'> & { readonly text?: string },
  shown: string,
): OrdersFindings {
  return { costModel, result, places, ...diffOf(source, text, shown) };
}

/** Returns the order in words: `acq_rel`, `acq_rel, relaxed if it fails`, `no fence`. */
export function levelInWords({ order, failure }: OrderLevel, kind: OrderChange['kind']): string {
  if (kind === 'fence' && order === 'relaxed') return 'no fence';
  return failure === undefined ? order : `${order}, ${failure} if it fails`;
}

/** Returns the place of a change: `load of x by t0 at line 4`, `fence by t0 before line 5`. */
export function placeOfChange(
  program: Program,
  { kind, steps, fences }: OrderChange,
  places: readonly Position[] = [],
): string {
  const [part] = [...steps, ...fences];
  const by = ` by ${textName(program, part!.thread)}`;
  const [step] = steps;
  if (!step) {
    const lines = places.map(({ line }) => line + 1);
    const before = lines.length === 0 ? '' : ` before line ${lines.join(' and line ')}`;
    return `fence${by}${before}`;
  }
  const { span } = findTransition(program, step.thread, step.transition)!.transition.origin;
  const at = span ? ` at ${lineInFile(span)}` : '';
  if (kind === 'fence') return `fence${by}${at}`;
  const noun = { load: 'load', store: 'store', rmw: 'update', cas: 'compare-and-swap' }[kind];
  // The text is empty for a lock block of a front end: `lock` has no address.
  const cell = cellText(program, step.thread, step.transition);
  return `${noun}${cell === '' ? '' : ` of ${cell}`}${by}${at}`;
}

/** By reason for leaving a memory order unchanged, the words after the lines. */
const leftOutInWords: Readonly<Record<LeftOutOrder['why'], string>> = {
  alone: 'where one thread runs alone, so that they order nothing',
  'own-cell': 'since no other thread accesses the cell, so that they order nothing',
  'not-executed': 'since the search does not execute them',
  'not-written':
    'since they cannot be rewritten: other orders there may allow cheaper ones elsewhere',
};

/** Returns the orders of the text left out of the search, one sentence for each reason. */
export function leftOutLines(leftOut: readonly LeftOutOrder[] = []): readonly string[] {
  const reasons = [...new Set(leftOut.map(({ why }) => why))];
  return reasons.map((why) => {
    const spans = leftOut.filter((one) => one.why === why).map(({ span }) => span);
    const sorted = spans.toSorted((a, b) => a.start.line - b.start.line);
    const lines = [...new Set(sorted.map((span) => lineInFile(span)))];
    return `left out: the orders at ${enumerate(lines)}, ${leftOutInWords[why]}`;
  });
}

/**
 * Returns the lines of the text that a change concerns, counted from 1: the line of the changed
 * instruction, or the lines of `places`, the positions of an inserted fence. Empty if no line is
 * known.
 */
export function linesOfChange(
  program: Program,
  { steps: [step] }: OrderChange,
  places: readonly Position[] = [],
): readonly number[] {
  if (!step) return places.map(({ line }) => line + 1);
  const span = findTransition(program, step.thread, step.transition)?.transition.origin.span;
  return span ? [span.start.line + 1] : [];
}
