import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { hasPart } from '@fencewright/model/program/expression.js';
import type { Program, Property, StateLeaf } from '@fencewright/model/program/program.js';
import { isFinal, isStuck } from '@fencewright/model/semantics/machine.js';
import { conditionHolds, decidesProperty } from '@fencewright/model/semantics/property.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { LiftedRun } from './lift-run.js';
import type { PackedExploration } from './packed-exploration.js';

/** A check of one property in the states of an exploration. */
interface PackedWatch {
  /**
   * Checks the property in a state; to be called once for every state, in order. `final` is the
   * state of the machine, if the state is final.
   */
  readonly look: (state: number, final: MachineState | undefined) => void;
  /** Whether one of the states given to `look` decides the property. */
  readonly isDecided: () => boolean;
  /**
   * To be called after the exploration. Returns a computation that decides the property;
   * `undefined` if none does.
   */
  readonly conclude: () => LiftedRun | undefined;
}

/**
 * Returns a function from states to strings. States have different strings if the property's
 * condition can distinguish the states.
 */
function viewed(
  { condition }: Property,
  { search, automata, cells }: PackedExploration,
): (state: number) => string {
  const threads = new Set<number>();
  const memory = new Set<number>();
  hasPart<StateLeaf>(condition, (part) => {
    if (part.kind === 'memory') memory.add(cells.cell(part.address));
    else if ('thread' in part) threads.add(part.thread);
    return false;
  });
  const ids = new Map<string, number>();
  const idOf = (view: string): number => {
    const known = ids.get(view) ?? ids.size;
    ids.set(view, known);
    return known;
  };
  const parts = [...threads].map((thread) => {
    const byNode: number[] = [];
    return (state: number): number => {
      const node = search.node(state, thread);
      return (byNode[node] ??= idOf(at(automata, thread).viewOf(node)));
    };
  });
  return (state) => {
    let key = '';
    for (const part of parts) key += `${part(state)} `;
    for (const cell of memory) key += `${search.value(state, cell)} `;
    return key;
  };
}

/**
 * Returns a watch for a property in an exploration; the exploration must use the observation of the
 * property's program. Every computation found has been replayed by the machine, whose last state
 * decides the property, too. Throws `ConditionFault` at a state in which the condition faults.
 */
export function watchPacked(
  program: Program,
  property: Property,
  exploration: PackedExploration,
): PackedWatch {
  const { kind } = property;
  const code = compileProgram(program);
  let found: number | undefined;
  const looks: Record<Property['kind'], PackedWatch['look']> = {
    never: once(),
    finally: atEnds(),
    exists: atEnds(),
    stuck: () => undefined,
    progress: () => undefined,
  };

  function once(): PackedWatch['look'] {
    const keyOf = viewed(property, exploration);
    const known = new Set<string>();
    return (state) => {
      const key = keyOf(state);
      if (known.has(key)) return;
      known.add(key);
      if (conditionHolds(program, property, exploration.unpack(state))) found = state;
    };
  }

  function atEnds(): PackedWatch['look'] {
    return (state, final) => {
      if (final && decidesProperty(program, property, final, true)) found = state;
    };
  }

  /**
   * Returns the first state, among the states whose successors were explored, from which no thread
   * has a step; `undefined` if there is none.
   */
  function firstStuck(): number | undefined {
    const { cursor } = exploration.search;
    for (let state = 0; state < cursor; state++) {
      if (exploration.hasStep(state)) continue;
      const unpacked = exploration.unpack(state);
      const stuck = (): boolean => isStuck(exploration.model, code, unpacked);
      if (decidesProperty(program, property, unpacked, false, stuck)) return state;
    }
    return undefined;
  }

  return {
    look(state, final) {
      if (found === undefined) looks[kind](state, final);
    },
    isDecided: () => found !== undefined,
    conclude() {
      if (kind === 'stuck') found = firstStuck();
      if (found === undefined) return undefined;
      const run = exploration.runTo(found);
      const { state } = run;
      const stuck = (): boolean => isStuck(exploration.model, code, state);
      if (!decidesProperty(program, property, state, isFinal(code, state), stuck))
        throw new InternalError('a state that decides a property, but not in the machine');
      return run;
    },
  };
}
