import { at } from '@fencewright/ground/base/at.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { LocationId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { RepairedText, SourceRepair } from '@fencewright/model/program/source-repair.js';
import { type Diagnostic, notSupported } from '@fencewright/ground/source/diagnostic.js';
import {
  type TextEdit,
  applyEdits,
  lineBreakOf,
  linesOf,
  replacement,
} from '@fencewright/ground/source/text-edit.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import { computeLockStatus } from '@fencewright/model/program/lock-status.js';
import { parseTrencher } from './parse-trencher.js';
import { splitTransitionLine, withParts } from './repair-trencher-line.js';
import { repairWord } from './repair-names.js';

/** The repairs of a thread, and the thread's text. */
interface ThreadRepair {
  readonly thread: Thread;
  /** The names of states used so far in the thread, for naming new states. */
  readonly states: UniqueNames;
  readonly fenced: ReadonlySet<LocationId>;
  readonly changed: ReadonlyMap<TransitionId, 'xchg' | 'remove'>;
}

/**
 * Returns the repaired text, with everything else unchanged. An error if the text has errors, or if
 * a repair is impossible.
 *
 * - A fence at a state ([BDM13] Sect. 7): the state's transitions leave a fresh state, reached by a
 *   new `mfence`.
 * - An exchange is the write under the bus lock; in a thread that holds the lock already, the write
 *   and an `mfence`.
 * - A removed fence becomes a `noop`.
 */
export function repairTrencherText(text: string, repairs: readonly SourceRepair[]): RepairedText {
  const { model, diagnostics } = parseTrencher(text);
  const program = finiteProgram(model);
  if (!program) return { diagnostics };
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const refusals: Diagnostic[] = [];
  const edits = program.threads.flatMap((thread, id) => {
    const own = repairs.filter((repair) => repair.thread === id);
    if (own.length === 0) return [];
    const found = refusalsOf(thread, own);
    refusals.push(...found);
    return found.length > 0 ? [] : editThread(body, toThreadRepair(thread, own));
  });
  if (refusals.length > 0) return { diagnostics: refusals };
  return { text: mark + applyEdits(body, edits), diagnostics };
}

function toThreadRepair(thread: Thread, repairs: readonly SourceRepair[]): ThreadRepair {
  const fenced = new Set<LocationId>();
  const changed = new Map<TransitionId, 'xchg' | 'remove'>();
  for (const repair of repairs)
    if (repair.kind === 'fence') fenced.add(repair.location);
    else changed.set(repair.transition, repair.kind);
  const names = thread.locations.map(({ name }) => name);
  return { thread, states: new UniqueNames(names, { repair: repairWord }), fenced, changed };
}

/** Returns an error for each repair that is impossible. */
function refusalsOf(thread: Thread, repairs: readonly SourceRepair[]): readonly Diagnostic[] {
  const locks = computeLockStatus(thread);
  return repairs.flatMap((repair) => {
    if (repair.kind === 'fence') {
      if (thread.transitions.some(({ from }) => from === repair.location)) return [];
      const state = thread.locations[repair.location];
      return notSupported(state?.span, `no transition leaves '${state?.name ?? repair.location}'`);
    }
    const transition = thread.transitions[repair.transition];
    const kind = transition?.instruction.kind;
    const span = transition?.origin.span;
    if (repair.kind === 'remove')
      return kind === 'fence' ? [] : notSupported(span, 'only a fence can be removed');
    if (kind !== 'store') return notSupported(span, 'only a write can be made under the bus lock');
    return transition && locks[transition.from] === 'unknown'
      ? notSupported(
          span,
          'this write stands both inside and outside of lock and unlock',
          'give each case a transition of its own',
        )
      : [];
  });
}

function editThread(text: string, repair: ThreadRepair): readonly TextEdit[] {
  const { thread, states, fenced, changed } = repair;
  const lines = linesOf(text);
  const behind = new Map(
    [...fenced].map((state) => [state, states.fresh(`${nameOf(thread, state)}_fenced`)]),
  );
  const introduced = new Set<LocationId>();
  return thread.transitions.flatMap(({ from, origin }, id) => {
    const line = lines[origin.span?.start.line ?? -1];
    const fresh = behind.get(from);
    if (!line || (fresh === undefined && !changed.has(id))) return [];
    const old = text.slice(line.start, line.end);
    const replaced: string[] = [];
    if (fresh !== undefined && !introduced.has(from)) {
      introduced.add(from);
      replaced.push(withParts(splitTransitionLine(old), { to: fresh, instruction: 'mfence' }));
    }
    const moved = fresh === undefined ? old : withParts(splitTransitionLine(old), { from: fresh });
    replaced.push(...changeInstruction(repair, id, moved));
    return replacement(line.start, line.end, replaced.join(lineBreakOf(text)));
  });
}

/**
 * Returns the lines that replace `line` when its instruction becomes an exchange, or is removed.
 */
function changeInstruction(
  { thread, states, changed }: ThreadRepair,
  id: TransitionId,
  line: string,
): readonly string[] {
  const kind = changed.get(id);
  const { from } = thread.transitions[id]!;
  const old = splitTransitionLine(line);
  if (kind === undefined) return [line];
  if (kind === 'remove')
    return [withParts(old, { instruction: old.instruction.replace('mfence', 'noop') })];
  const stored = states.fresh(`${nameOf(thread, from)}_stored`);
  if (computeLockStatus(thread)[from] === 'held')
    return [
      withParts(old, { to: stored }),
      withParts(old, { from: stored, instruction: 'mfence' }),
    ];
  const locked = states.fresh(`${nameOf(thread, from)}_locked`);
  return [
    withParts(old, { to: locked, instruction: 'lock' }),
    withParts(old, { from: locked, to: stored }),
    withParts(old, { from: stored, instruction: 'unlock' }),
  ];
}

function nameOf(thread: Thread, state: LocationId): string {
  return at(thread.locations, state).name;
}
