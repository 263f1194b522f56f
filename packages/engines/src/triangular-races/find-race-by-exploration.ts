import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { MachineAutomaton } from '../exploration/machine-automaton.js';
import { observationOf } from '../exploration/observation.js';
import { PackedExploration } from '../exploration/packed-exploration.js';
import type { Program } from '@fencewright/model/program/program.js';
import { successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { TriangularRace } from '@fencewright/model/verdict/triangular-race.js';
import { findRaceByMachine } from './find-race-by-machine.js';
import { raceAt, type RaceSearch } from './race-at.js';

/** Finds a triangular race like `findTriangularRace`, by exploring all SC states as a product. */
export async function findRaceByExploration(program: Program, budget: Budget): Promise<RaceSearch> {
  const exploration = new PackedExploration(program, {
    model: 'SC',
    observation: observationOf(program, []),
    tracksUnfenced: true,
  });
  const mayRace = racesAhead(exploration);
  let race: TriangularRace | undefined;
  let next = 0;
  const end = await exploration.explore(budget, (states) => {
    for (; next < states && !race; next++)
      if (mayRace(next)) race = raceIn(program, exploration, next);
    return !race;
  });
  if (end === 'endless') return findRaceByMachine(program, budget);
  const { states, faults } = exploration;
  if (race) return { race, states, faults };
  return { states, faults, ...(end !== 'complete' && end !== 'done' && { incomplete: end }) };
}

function raceIn(
  program: Program,
  exploration: PackedExploration,
  number: number,
): TriangularRace | undefined {
  const code = compileProgram(program);
  const state = exploration.unpack(number);
  const unfenced = program.threads.map((_, t) => exploration.nodeOf(number, t).state.unfenced);
  const computation = () => exploration.runTo(number).computation;
  for (const step of successors('SC', code, state).steps) {
    const race = raceAt(code, { state, unfenced, computation }, step);
    if (race) return race;
  }
  return undefined;
}

/** The possible next accesses of a thread, as far as triangular races depend on the accesses. */
interface NextAccesses {
  /** The addresses of the loads that follow a store to another address with no fence in between. */
  readonly loads: readonly number[];
  readonly written: ReadonlySet<number>;
  readonly locks: boolean;
}

function nextAccesses(automaton: MachineAutomaton, node: number): NextAccesses {
  const { unfenced } = automaton.node(node).state;
  const accesses = automaton.accesses(node);
  const addressesOf = (...kinds: readonly string[]): number[] =>
    accesses.flatMap(({ kind, address }) => (kinds.includes(kind) ? [address] : []));
  return {
    loads: addressesOf('load').filter((address) => unfenced.some((other) => other !== address)),
    written: new Set(addressesOf('store', 'rmw')),
    locks: accesses.some(({ kind }) => kind === 'lock'),
  };
}

/**
 * Returns a function that says whether a race may begin in a state: a thread may load after an
 * unfenced store, and another thread may write to the loaded address, or begin a lock block.
 */
function racesAhead({ automata, search }: PackedExploration): (state: number) => boolean {
  const known = automata.map((): NextAccesses[] => []);
  const of = (state: number, thread: number): NextAccesses => {
    const node = search.node(state, thread);
    return (at(known, thread)[node] ??= nextAccesses(at(automata, thread), node));
  };
  return (state) =>
    automata.some((_, loader) =>
      of(state, loader).loads.some((address) =>
        automata.some((_, other) => {
          if (other === loader) return false;
          const { written, locks } = of(state, other);
          return locks || written.has(address);
        }),
      ),
    );
}
