import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import {
  formatCell,
  formatExpression,
  formatInstruction,
} from '@fencewright/model/program/format.js';
import type { AbstractionProof, InstructionName } from '@fencewright/model/verdict/prove-result.js';
import type { InferredAbstraction } from './abstraction-candidates.js';
import type { GuessSoundness } from './abstraction-soundness.js';
import type { ProofProgram } from '../steps/proof-program.js';
import type { WeakRmwSoundness } from './weak-rmw-soundness.js';

/** Returns a read abstraction as plain data, in the words of the language. */
export function describeGuess(
  program: ProofProgram,
  { thread, guess, finding }: GuessSoundness,
  inferred: readonly InferredAbstraction[],
): AbstractionProof {
  const { operation, transition } = guess;
  const owner = program.templates.threads[thread];
  if (operation.kind !== 'guess' || !owner) throw new InternalError('no guess');
  // The register of the load stands for the cell.
  const cell = owner.transitions[transition]?.instruction;
  const registers = owner.registers.map((register, id) =>
    id === operation.through && cell?.kind === 'load'
      ? { ...register, name: formatCell(program.templates, owner, cell.address) }
      : register,
  );
  const into = at(owner.registers, operation.into).name;
  const condition = formatExpression(program.templates, { registers }, operation.condition);
  const access = { thread, transition };
  return {
    kind: 'read',
    access,
    origin: originOf(access, inferred),
    text: `havoc ${into} with ${condition}`,
    isSound: finding.kind === 'holds',
  };
}

/** Returns a weak rmw as plain data, in the words of the language. */
export function describeWeakRmw(
  { templates }: ProofProgram,
  { thread, transition, finding }: WeakRmwSoundness,
  inferred: readonly InferredAbstraction[],
): AbstractionProof {
  const owner = templates.threads[thread];
  const rmw = owner?.transitions[transition]?.instruction;
  if (!owner || rmw?.kind !== 'rmw') throw new InternalError('no rmw');
  const access = { thread, transition };
  const { into, ...dropped } = rmw;
  const shown = into === undefined || owner.registers[into]?.hidden ? dropped : rmw;
  return {
    kind: 'rmw',
    access,
    origin: originOf(access, inferred),
    text: formatInstruction(templates, owner, shown).replace(/(cas|xchg)\(/, 'weak_$1('),
    isSound: finding.kind === 'holds',
  };
}

function originOf(
  { thread, transition }: InstructionName,
  inferred: readonly InferredAbstraction[],
): AbstractionProof['origin'] {
  const isInferred = inferred.some(
    (each) => each.thread === thread && each.transition === transition,
  );
  return isInferred ? 'inferred' : 'given';
}
