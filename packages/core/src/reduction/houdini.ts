import type { Invariant } from '../program/program.js';
import { initialQuestion, stepQuestions } from './induction.js';
import type { Prover } from './obligation.js';
import type { ProofProgram } from './proof-program.js';

/**
 * The largest set of candidates that is inductive together with `given`: those that fail are left out, round by round, until a round leaves
 * out none (Houdini: C. Flanagan, K. R. M. Leino, FME 2001).
 */
export async function largestInductive(
  program: ProofProgram,
  given: readonly Invariant[],
  candidates: readonly Invariant[],
  prover: Prover,
): Promise<readonly Invariant[]> {
  let kept: Invariant[] = [];
  for (const candidate of candidates) {
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
