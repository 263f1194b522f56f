import { CellDirectory } from '../automata/cell-directory.js';
import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { observationOf, type Observation } from '../exploration/observation.js';
import { hasPart } from '@fencewright/model/program/expression.js';
import type { Program, Property, StateLeaf } from '@fencewright/model/program/program.js';
import {
  sealCertificate,
  type SealedCertificate,
} from '@fencewright/model/program/seal-certificate.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { searchBackwards } from './backward-search.js';
import { any, noHolder, type Minor } from './minor.js';
import { failingAssertion, propertyTargets } from './property-targets.js';
import { inconsistentLocks } from './single-writers.js';
import type { TargetContext } from './target-context.js';
import { distinguishingRegisters, threadGraphs } from './thread-graph.js';
import { letterCell, isOwn, valueOf, type Letter } from './words.js';

/** The states claimed by a certificate to be unreachable under TSO. */
export interface Unreached {
  /**
   * The properties of which TSO reaches no state that decides them: no violation, or no sought
   * state. None is a `stuck` property.
   */
  readonly properties: readonly Property[];
  /** Whether the certificate claims that no assertion fails. */
  readonly assertions: boolean;
}

/**
 * The maximum number of minors in a certificate: minimal configurations of an upward-closed set.
 * The verifier handles this number.
 */
const maxCones = 30_000;

/**
 * Returns the parts of states on which the properties depend. Of the registers, these are the
 * registers that a property names, at every location.
 */
function seenBy(program: Program, properties: readonly Property[]): Observation {
  const observation = observationOf(program, properties);
  const named = program.threads.map(() => new Set<number>());
  for (const { condition } of properties)
    hasPart<StateLeaf>(condition, (part) => {
      if (part.kind === 'register' && 'thread' in part) at(named, part.thread).add(part.register);
      return false;
    });
  const threads = observation.threads.map((view, t) => ({ ...view, registers: at(named, t) }));
  return { ...observation, threads, atEnds: program.threads.map(() => new Set()) };
}

/**
 * Returns a function that writes minors into certificates, with locations, live registers,
 * addresses and values in place of the search's numbers.
 */
function coneWriter(
  { program, graphs, cells }: TargetContext,
  observation: Observation,
): (minor: Minor) => object {
  const live = program.threads.map((thread, t) => distinguishingRegisters(thread, t, observation));
  const placeOf = (node: number, thread: number): object | null => {
    if (node === any) return null;
    const { location, registers } = at(at(graphs.threads, thread).states, node);
    const isLive = at(at(live, thread), location);
    return { location, registers: registers.map((value, r) => (isLive[r] ? value : null)) };
  };
  const held = (cell: number, id: number) => ({
    address: cells.address(cell),
    value: cells.value(cell, id),
  });
  const letterOf = (one: Letter): object => ({
    ...held(letterCell(one), valueOf(one)),
    own: isOwn(one),
  });
  return ({ nodes, memory, words, lock, isFrozen, pending }) => ({
    places: nodes.map(placeOf),
    memory: memory.flatMap((id, cell) => (id === any ? [] : [held(cell, id)])),
    words: words.map((word) => word.map(letterOf)),
    lock: lock === noHolder ? null : lock,
    frozen: isFrozen,
    ...(pending && { stored: pending.map((waits) => (waits === any ? null : waits === 1)) }),
  });
}

function targetsFor(
  context: TargetContext,
  { properties, assertions }: Unreached,
): readonly Minor[] | undefined {
  const targets: Minor[] = [];
  for (const property of properties) {
    const own = propertyTargets(context, property);
    if (!own) return undefined;
    targets.push(...own);
  }
  if (assertions)
    for (const [thread, { transitions }] of context.program.threads.entries())
      for (const [transition, { instruction }] of transitions.entries())
        if (instruction.kind === 'assert')
          targets.push(...failingAssertion(context, thread, transition));
  return targets;
}

/**
 * Returns the proof for `@fencewright/verifier` that TSO does not reach the states of `unreached`:
 * the final minors of the backward search, with each step of a thread separate, and without
 * conclusions from the writers of cells. If there is no proof, returns the reason. Throws
 * `InternalError` if TSO reaches a state of `unreached`.
 */
export async function certifyUnreached(
  program: Program,
  unreached: Unreached,
  budget: Budget,
): Promise<SealedCertificate | Exhaustion | 'unsupported' | 'effort'> {
  if (usesWideValues(program)) return 'unsupported';
  const cells = new CellDirectory(program);
  const observation = seenBy(program, unreached.properties);
  const graphs = threadGraphs(program, observation, cells, { mergesSteps: false });
  if ('kind' in graphs) return 'unsupported';
  const context: TargetContext = { program, graphs, cells };
  const targets = targetsFor(context, unreached);
  if (!targets) return 'unsupported';
  const { threads } = graphs;
  const found = await searchBackwards(threads, targets, inconsistentLocks(threads), budget);
  if (found.kind === 'stopped') return found.reason;
  if (found.kind === 'unreachable' && found.minors.length > maxCones) return 'effort';
  if (found.kind === 'reachable') throw new InternalError('what is not reached has been reached');
  return sealCertificate('states', program, {
    properties: unreached.properties.map(({ name }) => name),
    assertions: unreached.assertions,
    cones: found.minors.map(coneWriter(context, observation)),
  });
}
