import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  ancestors,
  explainStep,
  sortGroups,
  type ProductMove,
} from '@fencewright/ground/product/explain-step.js';
import type { ProductSearch, ProductState } from '@fencewright/ground/product/product-search.js';
import type { AutomatonSource } from '@fencewright/ground/product/tables.js';
import { scheduledSteps, type ScheduledStep } from '../robustness/lift-witness.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { AttackerAutomaton } from '../automata/attacker-automaton.js';
import type { DelaySeeds, DelayStart } from './delay-phase.js';
import type { LocalStep } from '../automata/local-closure.js';
import type { ProgramAutomata } from '../automata/program-automata.js';

/**
 * The way on which a search reached the last load of an attack: directly from a state of the first
 * phase (`direct`), or through states of the second phase.
 */
export type WitnessTrail =
  | { readonly kind: 'direct'; readonly start: DelayStart; readonly lastLoad: readonly LocalStep[] }
  | {
      readonly kind: 'delayed';
      readonly search: ProductSearch;
      readonly seeds: DelaySeeds;
      readonly state: number;
      readonly lastLoad: readonly LocalStep[];
    };

/**
 * What a search knows of an attack that it has completed; from this, the schedule of the attack is
 * written.
 */
export interface WitnessEvidence {
  readonly program: Program;
  readonly automata: ProgramAutomata;
  readonly attack: Attack;
  readonly attacker: AttackerAutomaton;
  readonly trail: WitnessTrail;
  readonly sequential: ProductSearch;
  /**
   * The initial states of the first phase in the order of adding: the parent of the initial state
   * with index `k` is `-1 - k`.
   */
  readonly initial: readonly (readonly number[])[];
  /** The search of the third phase, stopped at the goal. */
  readonly lastPhase: ProductSearch;
  readonly seed: ProductState;
  /**
   * The positions of threads with equal code, which are kept sorted, in states of the first, second
   * and third phase.
   */
  readonly groups: {
    readonly all: readonly (readonly number[])[];
    readonly helpers: readonly (readonly number[])[];
    readonly lastPhase: readonly (readonly number[])[];
  };
}

/**
 * Writes the steps of threads into a schedule. Sorting moves threads between the positions of
 * states, so `places[p]` is the thread that is now at position `p`.
 */
class ScheduleWriter {
  readonly steps: ScheduledStep[] = [];
  places: ThreadId[];

  constructor(
    readonly program: Program,
    threads: number,
  ) {
    this.places = Array.from({ length: threads }, (_, t) => t);
  }

  write(place: number, path: readonly LocalStep[], delaying: boolean): void {
    const thread = at(this.places, place);
    this.steps.push(...scheduledSteps(this.program, thread, path, delaying));
  }

  /**
   * Records that a state was sorted: the thread at position `from[p]` has moved to position `p`.
   */
  move(from: readonly number[]): void {
    this.places = from.map((place) => at(this.places, place));
  }

  exchange(a: number, b: number): void {
    const { places } = this;
    this.places = places.with(a, at(places, b)).with(b, at(places, a));
  }
}

function writePath(
  writer: ScheduleWriter,
  search: ProductSearch,
  sources: readonly AutomatonSource[],
  groups: readonly (readonly number[])[],
  states: readonly (number | 'goal')[],
  explain: (move: ProductMove) => {
    readonly path: readonly LocalStep[];
    readonly delaying: boolean;
  },
): void {
  for (let i = 1; i < states.length; i++) {
    const from = states[i - 1];
    const to = states[i];
    if (typeof from !== 'number' || to === undefined) continue;
    const step = explainStep(search, sources, groups, from, to);
    if (!step) throw new InternalError('a step of the attack search cannot be explained');
    for (const move of step.moves) {
      const { path, delaying } = explain(move);
      writer.write(move.component, path, delaying);
    }
    writer.move(step.places);
  }
}

function sequentialPath(automata: ProgramAutomata, move: ProductMove): readonly LocalStep[] {
  const own = automata.threads[move.component]?.sequential;
  return own?.continuation(move.node, move.action, move.value).nodes[move.outcome]?.path ?? [];
}

function parentOf(search: ProductSearch, state: number): number {
  return search.table.parent(state);
}

/** Writes the steps from the start of the program to a state of the first phase. */
function writeFirstPhase(evidence: WitnessEvidence, writer: ScheduleWriter, state: number): void {
  const { automata, sequential, initial, groups } = evidence;
  const states = ancestors(sequential, state);
  const nodes = initial[-1 - parentOf(sequential, at(states, 0))] ?? [];
  nodes.forEach((node, t) => {
    const start = automata.threads[t]?.sequential.initialNodes().find((at) => at.node === node);
    writer.write(t, start?.path ?? [], false);
  });
  writer.move(sortGroups(nodes, groups.all).places);
  const sources = automata.threads.map((thread) => thread.sequential);
  writePath(writer, sequential, sources, groups.all, states, (move) => ({
    path: sequentialPath(automata, move),
    delaying: false,
  }));
}

/** Writes the first delayed store into the schedule; returns the attacker's node after it. */
function writeStart(evidence: WitnessEvidence, writer: ScheduleWriter, start: DelayStart): number {
  const { thread } = evidence.attack;
  writeFirstPhase(evidence, writer, start.state);
  writer.exchange(start.place, thread);
  const entry = at(evidence.attacker.enter(start.node, start.action), start.entry);
  writer.write(thread, entry.path, true);
  return entry.node;
}

function writeSecondPhase(
  evidence: WitnessEvidence,
  writer: ScheduleWriter,
  trail: Extract<WitnessTrail, { kind: 'delayed' }>,
): void {
  const { automata, attack, attacker, groups, sequential } = evidence;
  const states = ancestors(trail.search, trail.state);
  const seed = trail.seeds.at(-1 - parentOf(trail.search, at(states, 0)));
  if (!seed) throw new InternalError('a delay phase without its seed');
  const node = writeStart(evidence, writer, seed);
  const { nodes, values } = sequential.state(seed.state);
  const { action, outcome } = seed.firstLoad;
  // A cell not yet accessed holds its initial value.
  const value = values[at(attacker.loads(node), action).cell] ?? 0;
  const after = at(attacker.explainedOutcomes(node, action, value), outcome);
  writer.write(attack.thread, after.path, true);
  const helpers = nodes.with(seed.place, at(nodes, attack.thread)).with(attack.thread, after.node);
  writer.move(sortGroups(helpers, groups.helpers).places);
  const sources = automata.threads.map((own, t) => (t === attack.thread ? attacker : own.delayed));
  writePath(writer, trail.search, sources, groups.helpers, states, (move) =>
    move.component === attack.thread
      ? {
          path:
            attacker.explainedOutcomes(move.node, move.action, move.value)[move.outcome]?.path ??
            [],
          delaying: true,
        }
      : { path: sequentialPath(automata, move), delaying: false },
  );
}

function writeLastPhase(evidence: WitnessEvidence, writer: ScheduleWriter): void {
  const { automata, attack, lastPhase, seed, groups } = evidence;
  const helpers = automata.threads.flatMap(({ path }, t) => (t === attack.thread ? [] : [path]));
  writer.places = writer.places.filter((_, place) => place !== attack.thread);
  writer.move(sortGroups(seed.nodes, groups.lastPhase).places);
  const states = [...ancestors(lastPhase, lastPhase.goalFrom), 'goal' as const];
  writePath(writer, lastPhase, helpers, groups.lastPhase, states, (move) => ({
    path:
      helpers[move.component]?.explainedOutcomes(move.node, move.action, move.value)[move.outcome]
        ?.path ?? [],
    delaying: false,
  }));
}

/** Returns the steps of the program to a completed attack, as found by the search. */
export function writeSchedule(evidence: WitnessEvidence): readonly ScheduledStep[] {
  const { program, attack, trail } = evidence;
  const writer = new ScheduleWriter(program, program.threads.length);
  if (trail.kind === 'direct') writeStart(evidence, writer, trail.start);
  else writeSecondPhase(evidence, writer, trail);
  const attacker = writer.places[attack.thread] ?? attack.thread;
  writer.write(attack.thread, trail.lastLoad, false);
  writeLastPhase(evidence, writer);
  // By symmetry, the search may use the first thread of the attacker's class in place of the
  // attacker.
  const renamed = (thread: ThreadId): ThreadId =>
    thread === attacker ? attack.thread : thread === attack.thread ? attacker : thread;
  return writer.steps.map((step) => ({ ...step, thread: renamed(step.thread) }));
}
