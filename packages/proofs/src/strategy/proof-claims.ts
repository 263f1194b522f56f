import { at } from '@fencewright/ground/base/at.js';
import { automataToJson, expressionToJson } from '@fencewright/model/program/automata-json.js';
import { registerValue } from '@fencewright/model/program/expression.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { substituteRegisters } from '@fencewright/model/program/rewrite.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import type { Conclusion } from '@fencewright/model/verdict/prove-result.js';
import type { InferredAbstraction } from '../abstractions/abstraction-candidates.js';
import type { Attempt } from './attempt.js';
import { findReadAbstractions } from '@fencewright/model/analysis/guesses.js';

/**
 * The claims of a proof about a program, as plain data for checkers; described in
 * `docs/reduction.md`. The claims contain no question to a solver.
 */
export interface ProofClaims {
  readonly places: readonly (readonly number[])[];
  readonly abstractions: readonly object[];
  readonly invariants: readonly object[];
  readonly stores: readonly object[];
  readonly properties: readonly string[];
  readonly conclusion: object;
}

/**
 * Returns the claims of an attempt with an argument for each store. `open` is the program as read;
 * `inferred` are the abstractions that the attempt's program has beyond those of `open`;
 * `properties` are the names of properties that hold.
 */
export function proofClaims(
  open: Templates,
  attempt: Attempt,
  inferred: readonly InferredAbstraction[],
  conclusion: Conclusion,
  properties: readonly string[],
): ProofClaims {
  const { program, invariants, stores } = attempt;
  const { threads } = open.templates;
  const written = automataToJson({ ...open, templates: { ...open.templates, invariants } });
  return {
    places: program.threads.map(({ thread, places }) =>
      places.filter((place) => place < at(threads, thread).locations.length),
    ),
    abstractions: [...readClaims(open, attempt, inferred), ...rmwClaims(open, attempt, inferred)],
    invariants: written.invariants,
    stores: stores.map(({ thread, store, loads, argument, impossible = [] }) => ({
      thread,
      store: store.transition,
      ...(impossible.length > 0 && {
        impossible: impossible.map(({ edges }) => edges.map(({ transition }) => transition)),
      }),
      argument: {
        kind: argument.kind,
        ...(argument.kind === 'right-movers' && {
          loads: [...new Set(loads.map(({ transition }) => transition))],
        }),
      },
    })),
    properties,
    conclusion:
      conclusion.kind === 'robust'
        ? { kind: conclusion.kind, happensBefore: conclusion.happensBefore }
        : conclusion,
  };
}

function isIn(
  inferred: readonly InferredAbstraction[],
  thread: number,
  transition: number,
): boolean {
  return inferred.some((each) => each.thread === thread && each.transition === transition);
}

function readClaims(
  { templates }: Templates,
  { guesses }: Attempt,
  inferred: readonly InferredAbstraction[],
): readonly object[] {
  return guesses.flatMap(({ thread, guess }): readonly object[] => {
    const { operation, transition: load } = guess;
    const owner = templates.threads[thread];
    if (!owner || operation.kind !== 'guess') return [];
    const common = { kind: 'read', thread, load };
    if (!isIn(inferred, thread, load)) {
      const pair = findReadAbstractions(owner).find((each) => each.load === load);
      return [{ ...common, havoc: pair?.havoc }];
    }
    const cell = owner.registers.length;
    const { through, condition } = operation;
    const shown = substituteRegisters(condition, (register) =>
      register === through ? registerValue(cell) : undefined,
    );
    return [{ ...common, condition: expressionToJson(shown) }];
  });
}

function rmwClaims(
  { templates }: Templates,
  { weakRmws }: Attempt,
  inferred: readonly InferredAbstraction[],
): readonly object[] {
  return weakRmws.flatMap(({ thread, transition: rmw }) => {
    const owner = templates.threads[thread];
    if (!owner) return [];
    const found = findWeakRmws(owner).find((each) => each.rmw === rmw);
    const failure = found &&
      !isIn(inferred, thread, rmw) && { fence: found.fence, result: found.result };
    return [{ kind: 'rmw', thread, rmw, ...(failure && { failure }) }];
  });
}
