import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { at } from '@fencewright/ground/base/at.js';
import { ClosureSession } from '../../src/closures/closure-session.js';
import type { ClosedPairs } from '../../src/closures/pair-closure.js';
import { PairAttackPhases } from '../../src/closures/pair-attack-phases.js';
import { PairFirstPhases } from '../../src/closures/pair-first-phase.js';
import { GaveUp } from '../../src/closures/pair-steps.js';
import { ProductSearch } from '@fencewright/ground/product/product-search.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomMailboxes } from '@fencewright/reference/testing/random-mailboxes.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';

const runs = randomRuns(200, 5000, 60);
const seed = randomSeed(20261124);
/** The maximum number of states that a comparison explores. */
const maxStates = 2000;

const programs = fc.oneof(
  { weight: 3, arbitrary: randomMailboxes(3, 4, true) },
  { weight: 1, arbitrary: randomMailboxes(4, 3, true) },
  { weight: 1, arbitrary: randomProgram({ many: 'lock blocks', loops: true }) },
  { weight: 1, arbitrary: randomProgram({ many: 'rmws', endless: true, maxItems: 3 }) },
);

/** Returns the component of each thread in the relations of the complete program. */
function componentsOf({ automata }: ClosureSession): readonly number[] {
  return automata.threads.map((_, t) =>
    automata.classes.findIndex((members) => members.includes(t)),
  );
}

/** Expects that the relation contains each pair of component states of the given states. */
function expectPairs(
  session: ClosureSession,
  { states, keeping: { keepers } }: ClosedPairs,
  components: readonly number[],
  { nodes, values }: { readonly nodes: readonly number[]; readonly values: readonly number[] },
): void {
  const items = nodes.map((node, t) => {
    const component = at(components, t);
    let own = 0;
    keepers.forEach((keeper, cell) => {
      if (keeper === component) own = session.own.with(own, cell, values[cell] ?? 0);
    });
    return states.find(component, node, own);
  });
  values.forEach((value, cell) => {
    const component = states.knownCell(cell);
    // A cell without any access keeps its value.
    if (component === undefined) {
      if (value !== 0) expect.fail(`cell ${cell} is not known to hold ${value}`);
    } else items.push(states.find(component, value, 0));
  });
  const isThere = items.every((item, i) =>
    items
      .slice(i + 1)
      .every(
        (other) => item !== undefined && other !== undefined && states.relation.has(item, other),
      ),
  );
  // Only failures call `expect`: there are millions of pairs.
  if (!isThere) expect.fail(`a pair is missing of ${JSON.stringify({ nodes, values, items })}`);
}

/**
 * Yields the states of a search that a closure has to contain. Leaves out the states in which a
 * thread is within a lock block.
 */
function* comparable(session: ClosureSession, search: ProductSearch, except?: ThreadId) {
  for (let state = 0; state < search.table.count; state++) {
    const found = search.state(state);
    const isInside = session.automata.threads.some(
      ({ sequential }, t) => t !== except && sequential.isExclusive(at(found.nodes, t)),
    );
    if (!isInside) yield found;
  }
}

/** Returns a search through the states of the first phase. */
function sequentialStates({ automata }: ClosureSession): ProductSearch {
  const search = new ProductSearch(automata.valueTables, {
    automata: automata.threads.map(({ sequentialNumber }) => sequentialNumber),
    groups: [],
  });
  let starts: number[][] = [[]];
  for (const { sequential } of automata.threads)
    starts = starts.flatMap((rest) => sequential.initialNodes().map(({ node }) => [...rest, node]));
  for (const nodes of starts) search.add({ nodes, values: [] }, -1);
  search.run(maxStates);
  return search;
}

/** Returns a search through the states after a delayed store. */
function delayedStates(
  session: ClosureSession,
  attacker: ThreadId,
  store: TransitionId,
  before: ProductSearch,
): ProductSearch {
  const { automata } = session;
  const search = new ProductSearch(automata.valueTables, {
    automata: automata.threads.map(({ sequentialNumber, attackerNumber }, t) =>
      t === attacker ? attackerNumber : sequentialNumber,
    ),
    groups: [],
  });
  for (const { nodes, values } of comparable(session, before))
    for (const start of session.starts(attacker).at(at(nodes, attacker)))
      if (start.store === store)
        for (const { node } of start.entries)
          search.add({ nodes: nodes.with(attacker, node), values }, -1);
  search.run(maxStates);
  return search;
}

function storesOf(program: Program, t: ThreadId): TransitionId[] {
  return at(program.threads, t).transitions.flatMap(({ instruction }, id) =>
    instruction.kind === 'store' ? [id] : [],
  );
}

/**
 * Returns the closed relations of the complete program: without inboxes, and with inboxes if there
 * are any.
 */
function closedRelations(phases: PairFirstPhases): readonly ClosedPairs[] {
  const inboxes = phases.withInboxes();
  return inboxes ? [phases.plain(), inboxes] : [phases.plain()];
}

test(`relations contain all pairs of ${runs} searches`, () => {
  const count = new FeatureCount();
  fc.assert(
    fc.property(programs, fc.boolean(), (program, symmetry) => {
      const session = new ClosureSession(
        program,
        { symmetry, maskDeadRegisters: true, ownedCells: symmetry, happensBefore: 'standard' },
        0,
      );
      const attacker = 0;
      const components = componentsOf(session);
      const isOver = () => false;
      const effort = { left: 300_000, isOver };
      const phases = new PairFirstPhases(session, isOver);
      const search = sequentialStates(session);
      const features = new Set(programFeatures(program));
      try {
        for (const all of closedRelations(phases)) {
          const kept = all.keeping.inboxes.size > 0 ? ', with inboxes' : '';
          features.add(`first phase${kept}`);
          for (const state of comparable(session, search))
            expectPairs(session, all, components, state);
          for (const store of storesOf(program, attacker)) {
            const first = phases.before(attacker, store, all, effort);
            const { delaying } = new PairAttackPhases(
              session,
              phases,
              first,
              attacker,
              store,
              effort,
            );
            const delayed = delayedStates(session, attacker, store, search);
            if (delayed.table.count > 0) features.add(`second phase${kept}`);
            for (const state of comparable(session, delayed, attacker))
              expectPairs(session, delaying, components.with(attacker, first.place), state);
          }
        }
      } catch (error) {
        if (!(error instanceof GaveUp)) throw error;
        features.add('gave up');
      }
      count.add([...features]);
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of ['first phase', 'second phase', 'second phase, with inboxes', 'lock'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 20);
  expect(count.get('gave up')).toBeLessThan(runs / 20);
});
