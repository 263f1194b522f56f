import type { Expression } from '../program/expression.js';
import type { OpenProgram } from '../program/open-program.js';
import type { Invariant, InvariantExpression } from '../program/program.js';
import { cellConstants } from './cell-constants.js';
import { initialQuestion, stepQuestions } from './induction.js';
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
  for (const [symbol, { name, isArray }] of templates.symbols.entries()) {
    const address: Expression = { kind: 'address', symbol };
    if (isArray) continue;
    const is = (value: number): InvariantExpression =>
      combine('==', { kind: 'cell', symbol }, { kind: 'constant', value });
    const constants = cellConstants(templates, address);
    const [first, ...others] = constants;
    if (first === undefined) continue;
    candidates.push({
      name: `${name} in {${constants.join(', ')}}`,
      binders: [],
      condition: others.reduce((all, value) => combine('||', all, is(value)), is(first)),
    });
    for (const value of constants) {
      candidates.push({ name: `${name} == ${value}`, binders: [], condition: is(value) });
      for (const { thread, places } of program.threads)
        for (const location of places) {
          const { name: owner = '', locations = [] } = templates.threads[thread] ?? {};
          const away: InvariantExpression = {
            kind: 'unary',
            operator: '!',
            operand: { kind: 'at', binder: 0, location },
          };
          candidates.push({
            name: `${owner} at ${locations[location]?.name ?? location}: ${name} == ${value}`,
            binders: [{ name: owner, thread }],
            condition: combine('||', away, is(value)),
          });
        }
    }
  }
  return candidates.length > mostCandidates ? [] : candidates;
}

/**
 * The largest set of candidates that is inductive together with `given`: those that fail are left out, round by round, until a round leaves
 * out none (Houdini: C. Flanagan, K. R. M. Leino, FME 2001).
 */
export async function inferInvariants(
  open: OpenProgram,
  given: readonly Invariant[],
  prover: Prover,
): Promise<readonly Invariant[]> {
  const program = toProofProgram(open, given);
  if ('unsupported' in program) return [];
  let kept: Invariant[] = [];
  for (const candidate of invariantCandidates(program)) {
    const finding = await prover.find(initialQuestion(program, candidate));
    if (finding.kind === 'holds') kept.push(candidate);
  }
  for (;;) {
    const round: Invariant[] = [];
    for (const candidate of kept)
      if (await survives(program, [...given, ...kept], candidate, prover)) round.push(candidate);
    if (round.length === kept.length) return kept;
    kept = round;
  }
}

async function survives(
  program: ProofProgram,
  assumed: readonly Invariant[],
  candidate: Invariant,
  prover: Prover,
): Promise<boolean> {
  for (const { steps } of program.threads)
    for (const step of steps)
      for (const question of stepQuestions(program, assumed, candidate, step)) {
        const finding = await prover.find(question);
        if (finding.kind !== 'holds') return false;
      }
  return true;
}
