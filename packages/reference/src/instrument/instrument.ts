import { at } from '@fencewright/ground/base/at.js';
import { computeReachableAvoiding } from '@fencewright/model/analysis/control-flow.js';
import { computeLockBlocks } from '@fencewright/model/analysis/lock-blocks.js';
import {
  controlCell,
  type InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import { isAccess } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { isInfeasibleByControlFlow } from '@fencewright/engines/robustness/attacks.js';
import { addAttackerCode } from './instrument-attacker.js';
import { addHelperCode } from './instrument-helper.js';
import {
  draftThread,
  type InstrumentedOrigin,
  type InstrumentedThread,
} from './instrumented-thread.js';

/** A program whose SC runs to a goal correspond to the witnesses of attacks ([BDM13] Theorem 2). */
export interface Instrumented {
  readonly program: InstrumentedProgram;
  readonly goals: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
  /**
   * The origin of each transition, indexed by `ThreadId`, then by the `TransitionId` of the
   * instrumented program.
   */
  readonly origins: readonly (readonly InstrumentedOrigin[])[];
}

export interface InstrumentOptions {
  /**
   * Whether helpers off the happens-before path stop once the attack's load has happened (Eq. (7));
   * default true, changes no verdict.
   */
  readonly freezeOffPath?: boolean;
}

function assemble(program: Program, threads: readonly InstrumentedThread[]): Instrumented {
  return {
    program: { ...program, threads: threads.map(({ thread }) => thread), properties: [] },
    goals: threads.flatMap(({ goal }, thread) =>
      goal === undefined ? [] : [{ thread, location: goal }],
    ),
    origins: threads.map(({ origins }) => origins),
  };
}

function instrumentAttacker(thread: Thread, attack: Attack): InstrumentedThread {
  const draft = draftThread(thread);
  thread.transitions.forEach(({ from, to, instruction }, id) => {
    draft.add(from, instruction, to, { role: 'plain', from: id });
  });
  addAttackerCode(draft, {
    thread: attack.thread,
    stores: new Set([attack.store]),
    loads: new Set([attack.load]),
    recorded: false,
  });
  return draft.finish();
}

function instrumentHelper(
  thread: Thread,
  id: ThreadId,
  freezeOffPath: boolean,
): InstrumentedThread {
  const draft = draftThread(thread);
  return draft.finish(addHelperCode(draft, id, freezeOffPath));
}

/**
 * Returns the program instrumented for one attack: a goal is reachable under SC iff the attack is
 * feasible. Source: [BDM13] Sect. 5, Figs. 5 and 7.
 */
export function instrumentAttack(
  program: Program,
  attack: Attack,
  { freezeOffPath = true }: InstrumentOptions = {},
): Instrumented {
  return assemble(
    program,
    program.threads.map((thread, t) =>
      t === attack.thread
        ? instrumentAttacker(thread, attack)
        : instrumentHelper(thread, t, freezeOffPath),
    ),
  );
}

/**
 * The cells that identify the attack at the goals of `instrumentAnyAttack`, in order: its thread,
 * store and load.
 */
export const observedAttack: readonly number[] = [
  controlCell.attackThread,
  controlCell.attackStore,
  controlCell.attackLoad,
];

/**
 * Returns the program instrumented for all `attacks` at once: every thread may become the attacker,
 * and is a helper otherwise. A goal is reachable under SC iff some attack is feasible;
 * `observedAttack` then identifies the attack. Source: [BDM13] Sect. 8.3.
 */
export function instrumentAnyAttack(
  program: Program,
  attacks: readonly Attack[],
  { freezeOffPath = true }: InstrumentOptions = {},
): Instrumented {
  return assemble(
    program,
    program.threads.map((thread, t) => {
      const own = attacks.filter((attack) => attack.thread === t);
      const draft = draftThread(thread);
      const goal = addHelperCode(draft, t, freezeOffPath);
      const stores = new Set<TransitionId>(own.map(({ store }) => store));
      const loads = new Set<TransitionId>(own.map(({ load }) => load));
      addAttackerCode(draft, { thread: t, stores, loads, recorded: true });
      return draft.finish(goal);
    }),
  );
}

/**
 * Returns the templates instrumented for the attacks: every copy of an attacked template may become
 * the attacker, at most one does, and all others are helpers. A goal is reachable under SC in an
 * instance iff some attack is feasible in this instance. `undefined` if a template with copies has
 * a lock block with several accesses: the levels of such a block carry the number of its thread,
 * which copies share. Source: [BDM13] Sect. 6, Theorem 4.
 */
export function instrumentTemplates(
  { templates, unbounded }: Templates,
  attacks: readonly Attack[],
): Instrumented | undefined {
  const mixes = (thread: ThreadId): boolean => hasLongLockBlock(at(templates.threads, thread));
  return unbounded.some(mixes) ? undefined : instrumentAnyAttack(templates, attacks);
}

/** Whether a lock block of the thread may access memory twice. */
function hasLongLockBlock(thread: Thread): boolean {
  const blockBefore = computeLockBlocks(thread);
  const isInside = (id: TransitionId): boolean => {
    const { from, instruction } = at(thread.transitions, id);
    return isAccess(instruction) && blockBefore(from).length > 0;
  };
  return thread.transitions.some(({ to, instruction }, id) => {
    if (!isInside(id) || instruction.kind === 'unlock') return false;
    const behind = computeReachableAvoiding(
      thread,
      to,
      (next) => next.instruction.kind === 'unlock',
    );
    return thread.transitions.some(({ from }, other) => behind[from] === true && isInside(other));
  });
}

/** Returns the attacks that control flow alone does not rule out. */
export function attacksToDecide(program: Program, attacks: readonly Attack[]): Attack[] {
  return attacks.filter((attack) => !isInfeasibleByControlFlow(program, attack));
}
