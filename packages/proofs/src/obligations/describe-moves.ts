import type { MoveProof, MoverProof } from '@fencewright/model/verdict/prove-result.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { nameOfStep } from './describe-conflict.js';
import { describeState } from './describe-model.js';
import type { AccessMoves, Move } from './mover-types.js';

/**
 * Returns, as plain data, the directions in which an access commutes with steps of other threads.
 */
export function describeMoves(
  program: ProofProgram,
  { thread, transition, moves }: AccessMoves,
): MoverProof {
  const access = { thread, transition };
  if (!moves) return { access };
  const { right, left } = moves;
  return {
    access,
    moves: { right: describeMove(program, right), left: describeMove(program, left) },
  };
}

function describeMove(program: ProofProgram, move: Move): MoveProof {
  if (move.kind === 'moves')
    return { ...move, invariants: move.invariants.map(({ name }) => name) };
  const { otherStep, finding } = move;
  return finding.kind === 'fails'
    ? { kind: 'stuck', ...nameOfStep(otherStep), state: describeState(program, finding) }
    : { kind: 'unknown', ...nameOfStep(otherStep), state: [] };
}
