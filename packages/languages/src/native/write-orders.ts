import { failureOrderOf } from '@fencewright/model/c11/default-orders.js';
import type { ChoosePlaces, OrderEditor } from '@fencewright/model/program/front-end.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { OrderChange } from '@fencewright/model/program/order-change.js';
import { joinedOrder, type OrderLevel } from '@fencewright/model/program/order-level.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RepairedText } from '@fencewright/model/program/source-repair.js';
import { type Diagnostic, notSupported } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import {
  applyEdits,
  insertion,
  replacement,
  type TextEdit,
} from '@fencewright/ground/source/text-edit.js';
import { computeGaps, toInsertionPoint } from './insertion-points.js';
import { tokensOf } from './lexer.js';
import { readNative } from './parse-native.js';
import { blanksBefore } from './repair-native-instruction.js';
import { insertFenceStatements, removeFenceStatement } from './repair-native-layout.js';
import { statementsByStart } from './repair-native-structured.js';
import type { Gap } from './text-flow.js';
import { type TextPart, textPartsOf } from './text-parts.js';
import { endOfToken, type NativeToken } from './token.js';

function fenceInText(order: MemoryOrder): string {
  return order === 'seq_cst' ? 'fence' : `fence(${order})`;
}

/**
 * Returns the text of the memory orders of a level: one order, or two if the order of a failing
 * compare-exchange is not the usual one.
 */
function ordersInText({ order, failure }: OrderLevel): string {
  const isUsual = failure === undefined || failure === failureOrderOf(order);
  return isUsual ? order : `${order}, ${failure}`;
}

/** The tokens of a text, by their places. */
class TextTokens {
  readonly #text: string;
  readonly #tokens: readonly NativeToken[];

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  /** Returns the index of the token that starts a span. */
  #first({ start }: Span): number {
    return this.#tokens.findIndex(
      (token) => token.start.line === start.line && token.start.column === start.column,
    );
  }

  /** Returns the index of the token that closes the bracket of the token at `open`. */
  #closing(open: number): number {
    let depth = 0;
    return this.#tokens.findIndex(({ text }, index) => {
      if (index < open) return false;
      if (text === '(' || text === '[') depth += 1;
      if (text === ')' || text === ']') depth -= 1;
      return depth === 0;
    });
  }

  /**
   * Returns the edits that give the call at a span an order, after the first `operands` operands.
   */
  #callEdits(first: number, operands: number, level: OrderLevel): readonly TextEdit[] {
    const open = first + 1;
    const close = this.#closing(open);
    const commas: number[] = [];
    for (let index = open + 1; index < close; index++) {
      const { text } = this.#tokens[index]!;
      if (text === '(' || text === '[') index = this.#closing(index);
      else if (text === ',') commas.push(index);
    }
    const behind = this.#tokens[(commas[operands - 1] ?? close) - 1]!;
    const orders = `, ${ordersInText(level)}`;
    return [replacement(endOfToken(behind), this.#tokens[close]!.offset, orders)];
  }

  /**
   * Returns the edits that give an access at a span an order; `undefined` if its text has another
   * form.
   */
  accessEdits(span: Span, kind: 'load' | 'store' | 'rmw', operands: number, level: OrderLevel) {
    const first = this.#first(span);
    const token = this.#tokens[first];
    if (!token) return undefined;
    // The span of a read-modify-write includes the register that gets its result.
    const isAssigned = kind === 'rmw' && this.#tokens[first + 1]?.text !== '(';
    const name = isAssigned ? first + 2 : first;
    if (this.#tokens[name + 1]?.text === '(') return this.#callEdits(name, operands, level);
    const next = this.#tokens[first + 1]?.text;
    const last = next === '[' ? this.#closing(first + 1) : first;
    const end = endOfToken(this.#tokens[last]!);
    if (kind === 'load')
      return [insertion(token.offset, 'load('), insertion(end, `, ${ordersInText(level)})`)];
    const sign = this.#tokens[last + 1];
    if (kind !== 'store' || !sign || !['=', '<-', '←'].includes(sign.text)) return undefined;
    const semicolon = this.#tokens.findIndex(({ text }, i) => i > last && text === ';');
    return [
      insertion(token.offset, 'store('),
      replacement(blanksBefore(this.#text, sign.offset), endOfToken(sign), ','),
      insertion(endOfToken(this.#tokens[semicolon - 1]!), `, ${ordersInText(level)})`),
    ];
  }

  /** Returns the edit that writes another fence, or `skip`, in place of the fence at a span. */
  fenceEdits(span: Span, text: string): readonly TextEdit[] {
    const first = this.#first(span);
    const isOrdered = this.#tokens[first + 1]?.text === '(';
    const last = isOrdered ? this.#closing(first + 1) : first;
    return [replacement(this.#tokens[first]!.offset, endOfToken(this.#tokens[last]!), text)];
  }
}

/**
 * Returns a function from a location to the gaps (places between statements) of the text for a
 * fence there; none in the automaton form.
 */
function gapsOf(
  parts: readonly TextPart[],
): (thread: ThreadId, location: LocationId) => readonly Gap[] {
  const found = parts.flatMap(({ source, parts: own }) => {
    if (source.kind !== 'structured') return [];
    const gaps = computeGaps(source.flow);
    return own.map((part) => ({ part, gaps }));
  });
  return (thread, location) =>
    found.flatMap(({ part, gaps }) => {
      const written = part.id === thread ? part.writtenLocation(location) : undefined;
      return written === undefined ? [] : (gaps.get(written) ?? []);
    });
}

/**
 * Returns the gaps (places between statements) of the text that get a fence, each with the memory
 * order of the fence.
 */
function fencedGaps(
  parts: readonly TextPart[],
  changes: readonly OrderChange[],
  choose: ChoosePlaces,
): ReadonlyMap<Gap, MemoryOrder> {
  const gapsAt = gapsOf(parts);
  const fenced = new Map<Gap, MemoryOrder>();
  for (const { fences, to } of changes)
    for (const { thread, location } of fences) {
      const chosen = choose(thread, location);
      gapsAt(thread, location).forEach((gap, index) => {
        if (!chosen || chosen.includes(index))
          fenced.set(gap, joinedOrder(fenced.get(gap) ?? 'relaxed', to.order));
      });
    }
  return fenced;
}

/**
 * Returns the edits that remove the fence at a span; `undefined` in a thread of the automaton form.
 */
function removalEdits(text: string, parts: readonly TextPart[], span: Span) {
  for (const { source } of parts) {
    if (source.kind !== 'structured') continue;
    const statement = statementsByStart(source.body).get(`${span.start.line}:${span.start.column}`);
    if (statement?.kind === 'KeywordStatement') return removeFenceStatement(text, statement);
  }
  return undefined;
}

function editsOf(
  text: string,
  program: Program,
  parts: readonly TextPart[],
  tokens: TextTokens,
  { kind, steps, to }: OrderChange,
): readonly TextEdit[] | undefined {
  const [step] = steps;
  if (!step) return [];
  const { instruction, origin } = program.threads[step.thread]!.transitions[step.transition]!;
  const { span } = origin;
  if (!span) return undefined;
  switch (instruction.kind) {
    case 'load':
      return tokens.accessEdits(span, 'load', 1, to);
    case 'store':
      return tokens.accessEdits(span, 'store', 2, to);
    case 'rmw':
      return tokens.accessEdits(span, 'rmw', 1 + instruction.operation.operands.length, to);
    default:
      if (kind !== 'fence') return undefined;
      if (to.order !== 'relaxed') return tokens.fenceEdits(span, fenceInText(to.order));
      return removalEdits(text, parts, span) ?? tokens.fenceEdits(span, 'skip');
  }
}

/**
 * Writes memory orders and fences into a native text, with everything else unchanged. `program` is
 * the program of the text.
 */
function writeNativeOrders(
  text: string,
  program: Program,
  parts: readonly TextPart[],
  changes: readonly OrderChange[],
  choose: ChoosePlaces,
): RepairedText {
  const tokens = new TextTokens(text);
  const refusals: Diagnostic[] = [];
  // The order of an assigned value stands inside of the order of its assignment.
  const innerFirst = changes.toSorted(
    (a, b) => Number(a.kind === 'store') - Number(b.kind === 'store'),
  );
  const edits = innerFirst.flatMap((change): readonly TextEdit[] => {
    const own = editsOf(text, program, parts, tokens, change);
    if (own) return own;
    const [step] = change.steps;
    const { origin } = program.threads[step!.thread]!.transitions[step!.transition]!;
    const message = `the memory order ${change.to.order} cannot be written here`;
    refusals.push(notSupported(origin.span, message, 'write load(x, order) or store(x, e, order)'));
    return [];
  });
  if (refusals.length > 0) return { diagnostics: refusals };
  const fenced = fencedGaps(parts, changes, choose);
  const fences = insertFenceStatements(text, [...fenced.keys()], (gap) =>
    fenceInText(fenced.get(gap)!),
  );
  return { text: applyEdits(text, [...fences, ...edits]), diagnostics: [] };
}

/**
 * Returns the editor that writes memory orders into a native text, whose program is given. Fences
 * are inserted into threads in the structured form only.
 */
export function nativeOrderEditor(
  text: string,
  program: Program,
  numbers?: ReadonlyMap<string, number>,
): OrderEditor {
  const { lowered } = readNative(text, numbers);
  const parts = lowered ? textPartsOf(lowered) : [];
  const gapsAt = gapsOf(parts);
  return {
    placesOf: (...where) => gapsAt(...where).map((gap) => toInsertionPoint(gap).position),
    write: (changes, choose) => writeNativeOrders(text, program, parts, changes, choose),
  };
}
