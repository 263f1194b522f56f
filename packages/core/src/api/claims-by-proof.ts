import { computeLockBlocks } from '@fencewright/model/analysis/lock-blocks.js';
import { at } from '@fencewright/ground/base/at.js';
import type { Limits } from '@fencewright/ground/base/budget.js';
import { withinEffort } from '@fencewright/ground/solvers/within-effort.js';
import { binary, constant, mapLeaves, negation } from '@fencewright/model/program/expression.js';
import type {
  Program,
  Property,
  StateExpression,
  StateLeaf,
} from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Claim } from '@fencewright/model/verdict/state-answer.js';
import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';
import { withSolver } from './decide-proof.js';
import type { Environment } from './environment.js';
import { prove } from './prove.js';
import type { SolverChoice } from './question.js';
import { isSettledByRobustness } from './settle-under-tso.js';

/**
 * A proof, and the claims that the proof shows under SC. The claims also hold under TSO, since the
 * program is robust.
 */
interface ProvedClaims {
  readonly result: ProveResult;
  readonly claims: readonly Claim[];
}

/**
 * Tries to prove claims of all instances of a program known to be robust, with inference and within
 * `effort`, the solver's limit of work in its own unit. Claims that robustness does not carry from
 * SC to TSO are left out. Returns `undefined` if no claim is proved, or without a solver.
 */
export async function claimsByProof(
  open: Templates,
  claims: readonly Claim[],
  { solver: choice, effort }: { readonly solver?: SolverChoice; readonly effort: number },
  { maxStates: _, ...limits }: Limits,
  environment: Environment,
): Promise<ProvedClaims | undefined> {
  const stated = claims.flatMap((claim) => {
    const property = asProperty(open, claim);
    return property ? [{ claim, property }] : [];
  });
  if (stated.length === 0) return undefined;
  const properties = stated.map(({ property }) => property);
  const about = { ...open, templates: { ...open.templates, properties } };
  const found = await withSolver(choice, limits, environment, (solver) =>
    prove(about, {
      ...{ solver: withinEffort(solver, effort), limits, searchInstances: false, infer: true },
      properties: properties.map(({ name }) => name),
    }),
  );
  if ('kind' in found) return undefined;
  const { result } = found;
  const shown = stated.filter(({ property: { name } }) =>
    result.properties.some((one) => one.name === name && one.verdict === 'holds'),
  );
  return shown.length === 0 ? undefined : { result, claims: shown.map(({ claim }) => claim) };
}

/**
 * Returns the claim as a property whose proof under SC decides the claim under TSO for a robust
 * program; `undefined` if there is no such property.
 */
function asProperty(open: Templates, claim: Claim): Property | undefined {
  const { templates } = open;
  if (claim.kind === 'assertion') return assertionProperty(open, claim);
  const property = at(templates.properties, claim.property);
  return isSettledByRobustness(templates, property) ? property : undefined;
}

/**
 * Returns an assertion as a property: no thread is ever at the assertion with registers that make
 * the condition false. `undefined` for addresses, and in lock blocks, inside of which proofs do not
 * observe a thread.
 */
function assertionProperty(
  { templates, unbounded }: Templates,
  claim: Extract<Claim, { kind: 'assertion' }>,
): Property | undefined {
  const { thread } = claim;
  const { transitions } = at(templates.threads, thread);
  const { from: location, instruction } = at(transitions, claim.transition);
  if (instruction.kind !== 'assert' || isInLockBlock(templates, thread, location)) return undefined;
  const named = { thread, ...(unbounded.includes(thread) && { copy: 0 }) };
  let isOverRegisters = true;
  const holds = mapLeaves(instruction.condition, (leaf): StateExpression => {
    if (leaf.kind === 'register') return { ...leaf, ...named };
    isOverRegisters = false;
    return constant(0);
  });
  if (!isOverRegisters) return undefined;
  const condition = binary<StateLeaf>(
    '&&',
    { kind: 'at', location, ...named },
    negation<StateLeaf>(holds),
  );
  return { name: nameOfAssertion(templates, claim), kind: 'never', condition };
}

/** Returns the name of an assertion in reports: its thread, and its line or location. */
function nameOfAssertion(
  { threads }: Program,
  { thread, transition }: Extract<Claim, { kind: 'assertion' }>,
): string {
  const { name, locations, transitions } = at(threads, thread);
  const { from, origin } = at(transitions, transition);
  const line = origin.span && origin.span.start.line + 1;
  const place = line === undefined ? at(locations, from).name : `line ${line}`;
  return `the assertion of ${name} at ${place}`;
}

function isInLockBlock({ threads }: Program, thread: number, location: number): boolean {
  return computeLockBlocks(at(threads, thread))(location).length > 0;
}
