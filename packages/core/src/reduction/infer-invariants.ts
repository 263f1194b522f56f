import type { Expression } from '../program/expression.js';
import { bindThreads } from '../program/invariant-binders.js';
import type { OpenProgram } from '../program/open-program.js';
import type { Invariant, InvariantExpression } from '../program/program.js';
import { cellConstants } from './cell-constants.js';
import { largestInductive } from './houdini.js';
import type { Prover } from './obligation.js';
import { toProofProgram, type ProofProgram } from './proof-program.js';

/** With more candidates than this, the questions are too many. */
const mostCandidates = 150;

function combine(
  operator: '==' | '||',
  left: InvariantExpression,
  right: InvariantExpression,
): InvariantExpression {
  return { kind: 'binary', operator, left, right };
}

/**
 * What may be true of a variable whose stores the text shows to be of a few constants: that it holds one of them, always or while some thread
 * stands at a place. Empty if there is too much to try.
 */
export function invariantCandidates(program: ProofProgram): readonly Invariant[] {
  const { templates } = program;
  const candidates: Invariant[] = [];
  const nextName = (): string => `inferred${candidates.length + 1}`;
  for (const [symbol, { isArray }] of templates.symbols.entries()) {
    const address: Expression = { kind: 'address', symbol };
    if (isArray) continue;
    const is = (value: number): InvariantExpression =>
      combine('==', { kind: 'cell', symbol }, { kind: 'constant', value });
    const constants = cellConstants(templates, address);
    const [first, ...others] = constants;
    if (first === undefined) continue;
    candidates.push({
      name: nextName(),
      binders: [],
      condition: others.reduce((all, value) => combine('||', all, is(value)), is(first)),
    });
    for (const value of constants) {
      candidates.push({ name: nextName(), binders: [], condition: is(value) });
      for (const { thread, places } of program.threads)
        for (const location of places) {
          const away: InvariantExpression = {
            kind: 'unary',
            operator: '!',
            operand: { kind: 'at', binder: 0, location },
          };
          candidates.push({
            name: nextName(),
            binders: bindThreads(program, [thread]),
            condition: combine('||', away, is(value)),
          });
        }
    }
  }
  return candidates.length > mostCandidates ? [] : candidates;
}

/** Those of the candidates that are inductive together with `given`. */
export async function inferInvariants(
  open: OpenProgram,
  given: readonly Invariant[],
  prover: Prover,
): Promise<readonly Invariant[]> {
  const program = toProofProgram(open, given);
  if ('unsupported' in program) return [];
  return largestInductive(program, given, invariantCandidates(program), prover);
}
