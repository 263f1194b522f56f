import type { ChoosePlaces } from '@fencewright/model/program/front-end.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { RepairedText, SourceRepair } from '@fencewright/model/program/source-repair.js';
import { type Diagnostic, notSupported } from '@fencewright/ground/source/diagnostic.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { LineIndex } from '@fencewright/ground/source/line-index.js';
import type { Position, Span } from '@fencewright/ground/source/span.js';
import {
  applyEdits,
  insertion,
  replacement,
  type TextEdit,
} from '@fencewright/ground/source/text-edit.js';
import { readMemorax, withoutComments } from './read-file.js';
import { innerStatements } from './statement-parts.js';
import type { MemoraxStatement } from './syntax.js';

/** The text without comments, and the statements by place. */
interface Statements {
  readonly bare: string;
  readonly index: LineIndex;
  readonly byPlace: ReadonlyMap<string, MemoraxStatement>;
}

function placeKey({ start, end }: Span): string {
  return `${start.line}:${start.column} ${end.line}:${end.column}`;
}

function readStatements(text: string): Statements {
  const bare = withoutComments(text);
  const index = new LineIndex(bare);
  const byPlace = new Map<string, MemoraxStatement>();
  const pending = [
    ...readMemorax({ errors: new ErrorList(), index }, bare).processes.flatMap(({ body }) => body),
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    byPlace.set(placeKey(next.span), next);
    pending.push(...innerStatements(next));
  }
  return { bare, index, byPlace };
}

/**
 * Returns the statements before which fences together make a fence at the location; `undefined` if
 * the text does not allow such fences.
 */
function statementsAt(
  { byPlace }: Statements,
  { transitions }: Thread,
  location: LocationId,
): readonly MemoraxStatement[] | undefined {
  const found = new Map<string, MemoraxStatement>();
  for (const { from, origin } of transitions) {
    if (from !== location) continue;
    const key = origin.span ? placeKey(origin.span) : '';
    const statement = byPlace.get(key);
    const first = transitions.find(
      (other) => other.origin.span && placeKey(other.origin.span) === key,
    );
    // A fence before a loop would be executed only once, and a fence inside an instruction is
    // impossible.
    if (!statement || statement.kind === 'while' || first?.from !== location) return undefined;
    found.set(key, statement);
  }
  return found.size === 0 ? undefined : [...found.values()];
}

/**
 * Returns a function from a location to the places in the text for fences there; no places if no
 * fence can be inserted. `program` is the parsed text.
 */
export function memoraxFencePlaces(
  text: string,
  program: Program,
): (thread: ThreadId, location: LocationId) => readonly Position[] {
  const statements = readStatements(text);
  return (thread, location) => {
    const owner = program.threads[thread];
    const found = owner && statementsAt(statements, owner, location);
    return (found ?? []).map(({ span }) => span.start);
  };
}

/**
 * Returns the repaired text of a Memorax program, with everything else unchanged: `fence` before a
 * statement, `locked write` for an exchange. Copies of a process share one text, and get equal
 * repairs.
 */
export function repairMemoraxText(
  text: string,
  program: Program,
  repairs: readonly SourceRepair[],
  choose: ChoosePlaces = () => undefined,
): RepairedText {
  const statements = readStatements(text);
  const refusals: Diagnostic[] = [];
  const edits = new Map<string, TextEdit>();
  for (const repair of repairs) {
    const owner = program.threads[repair.thread];
    const made = owner && editsFor(statements, owner, repair, choose);
    if (made) for (const edit of made) edits.set(`${edit.start} ${edit.end}`, edit);
    else refusals.push(refusal(owner, repair));
  }
  if (refusals.length > 0) return { diagnostics: refusals };
  return { text: applyEdits(text, [...edits.values()]), diagnostics: [] };
}

function refusal(owner: Thread | undefined, repair: SourceRepair): Diagnostic {
  const span =
    repair.kind === 'fence'
      ? owner?.locations[repair.location]?.span
      : owner?.transitions[repair.transition]?.origin.span;
  return notSupported(span, 'the text cannot take this change here');
}

/** Returns the edits of one repair; `undefined` if the repair is impossible. */
function editsFor(
  statements: Statements,
  owner: Thread,
  repair: SourceRepair,
  choose: ChoosePlaces,
): readonly TextEdit[] | undefined {
  if (repair.kind === 'fence') {
    const chosen = choose(repair.thread, repair.location);
    return statementsAt(statements, owner, repair.location)?.flatMap((statement, i) =>
      chosen && !chosen.includes(i) ? [] : fenceBefore(statements, statement),
    );
  }
  const span = owner.transitions[repair.transition]?.origin.span;
  const statement = span && statements.byPlace.get(placeKey(span));
  if (!statement) return undefined;
  const [start, end] = offsetsOf(statements, statement);
  const word = statements.bare.slice(start, end);
  if (repair.kind === 'xchg')
    return statement.kind === 'write' && !statement.synchronised
      ? [insertion(start, 'locked ')]
      : undefined;
  if (statement.kind === 'fence') return [replacement(start, end, 'nop')];
  const lock = /^(?:locked\s+write|syncwr)\b/.exec(word)?.[0];
  return lock === undefined ? undefined : [replacement(start, start + lock.length, 'write')];
}

function offsetsOf({ index }: Statements, { span }: MemoraxStatement): readonly [number, number] {
  const offset = ({ line, column }: Position) => index.startOf(line) + column;
  return [offset(span.start), offset(span.end)];
}

function fenceBefore(statements: Statements, statement: MemoraxStatement): readonly TextEdit[] {
  const [start, end] = offsetsOf(statements, statement);
  const before = statements.bare.slice(0, start);
  // Two statements in place of one need braces.
  const isAlone = /\b(?:then|else|do)\s*(?:\w+\s*:\s*)*$/.test(before);
  return isAlone
    ? [insertion(start, '{ fence; '), insertion(end, ' }')]
    : [insertion(start, 'fence; ')];
}
