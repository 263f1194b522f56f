import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { forEachPart } from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type {
  Invariant,
  InvariantExpression,
  StateExpression,
  Thread,
} from '@fencewright/model/program/program.js';
import { computeMemoryLayout, type MemoryLayout } from './memory-layout.js';
import { findReadAbstractions } from '@fencewright/model/analysis/guesses.js';
import { computeEdges } from './thread-edges.js';
import { computeSteps, type ThreadSteps, type UnsupportedSteps } from './thread-steps.js';

/**
 * A program for proofs: its threads are divided into steps between resting places (locations at
 * which a thread can be observed), and its memory into variables.
 */
export interface ProofProgram extends Templates {
  readonly memory: MemoryLayout;
  /** For each thread of `templates`, its steps, indexed by `ThreadId`. */
  readonly threads: readonly ThreadSteps[];
}

/**
 * Returns the program cut for proofs, or the reason why a proof is impossible. Locations named by
 * invariants and properties are resting places.
 */
export function toProofProgram(
  open: Templates,
  invariants: readonly Invariant[],
): ProofProgram | UnsupportedSteps {
  const { templates } = open;
  if (usesWideValues(templates)) return { unsupported: { kind: 'wide-values' } };
  const observed = templates.threads.map(() => new Set<LocationId>());
  for (const invariant of invariants) {
    const { binders, condition } = invariant;
    forEachLocation(condition, (binder, location) => {
      const thread = binders[binder]?.thread;
      if (thread !== undefined) observed[thread]?.add(location);
    });
    if (invariant.isEverywhere)
      binders.forEach(({ thread }, binder) => {
        const owner = templates.threads[thread];
        if (!owner) return;
        for (const location of shownBy(condition, binder, owner)) observed[thread]?.add(location);
      });
  }
  for (const { condition } of templates.properties)
    forEachNamedLocation(condition, (thread, location) => observed[thread]?.add(location));
  const edges = templates.threads.map((thread, id) =>
    computeEdges(thread, templates, observed[id] ?? new Set()),
  );
  const memory = computeMemoryLayout(templates, edges.flat());
  if (!memory) return { unsupported: { kind: 'computed-addresses' } };
  const threads: ThreadSteps[] = [];
  for (const [id, thread] of templates.threads.entries()) {
    const steps = computeSteps(id, thread, edges[id] ?? [], observed[id] ?? new Set());
    if ('unsupported' in steps) return steps;
    threads.push(steps);
  }
  return { ...open, memory, threads };
}

/**
 * Returns the locations at which a thread has to rest, so that the condition's facts about the
 * thread are known in all states. If the condition looks at the thread's place, these are all
 * locations. If the condition looks at the thread's registers only, these are all locations except
 * those inside read abstractions, where a register of the front end holds the loaded value.
 * Otherwise, there are none. Whether a thread has ended needs no further location: a thread between
 * two resting places has not ended.
 */
function shownBy(
  condition: InvariantExpression,
  binder: number,
  thread: Thread,
): readonly LocationId[] {
  const looks = { place: false, registers: false };
  forEachPart(condition, (part) => {
    if (part.kind === 'at' && part.binder === binder) looks.place = true;
    if (part.kind === 'register' && part.binder === binder) looks.registers = true;
  });
  if (!looks.place && !looks.registers) return [];
  const inside = new Set(
    findReadAbstractions(thread).flatMap(({ load }) => {
      const { instruction, to } = thread.transitions[load] ?? {};
      const isHidden =
        instruction?.kind === 'load' && thread.registers[instruction.into]?.hidden === true;
      return isHidden && !looks.place ? [to] : [];
    }),
  );
  return [...thread.locations.keys()].filter((location) => !inside.has(location));
}

function forEachLocation(
  condition: InvariantExpression,
  visit: (binder: number, location: LocationId) => void,
): void {
  forEachPart(condition, (part) => {
    if (part.kind === 'at') visit(part.binder, part.location);
  });
}

function forEachNamedLocation(
  condition: StateExpression,
  visit: (thread: number, location: LocationId) => void,
): void {
  forEachPart(condition, (part) => {
    if (part.kind === 'at') visit(part.thread, part.location);
  });
}
