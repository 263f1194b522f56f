import type { Templates } from '@fencewright/model/program/templates.js';
import type { Attempt } from '@fencewright/proofs/strategy/attempt.js';
import { bufferFreeLoads, isStore } from '@fencewright/proofs/steps/buffer-free-loads.js';
import { proofClaims, type ProofClaims } from '@fencewright/proofs/strategy/proof-claims.js';
import { toProofProgram } from '@fencewright/proofs/steps/proof-program.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';

/**
 * Returns claims without any proof: all invariants, and that all loads after stores are right
 * movers.
 */
export function unprovedClaims(
  open: Templates,
  properties: readonly string[],
): ProofClaims | undefined {
  const invariants = open.templates.invariants ?? [];
  const program = toProofProgram(open, invariants);
  if ('unsupported' in program) return undefined;
  const finding = { kind: 'holds' } as const;
  const guesses = program.threads.flatMap(({ thread, edges }) =>
    edges
      .filter(({ operation }) => operation.kind === 'guess')
      .map((guess) => ({ thread, guess, finding })),
  );
  const weakRmws = open.templates.threads.flatMap((thread, id) =>
    findWeakRmws(thread).map(({ rmw }) => ({ thread: id, transition: rmw, finding })),
  );
  const stores = program.threads.flatMap(({ thread, edges, isLocked }) =>
    edges
      .filter(isStore)
      .filter(({ from }) => !isLocked[from])
      .map((store) => {
        const loads = bufferFreeLoads(store, edges, program.memory);
        const kind = loads.length === 0 ? 'no-loads' : 'right-movers';
        return { thread, store, loads, argument: { kind, agreement: 'apart' } };
      }),
  );
  const isAbstract = guesses.length + weakRmws.length > 0;
  const attempt = { open, program, invariants, guesses, weakRmws, stores };
  return proofClaims(
    open,
    attempt as unknown as Attempt,
    [],
    isAbstract ? { kind: 'abstraction' } : { kind: 'robust', happensBefore: 'standard' },
    properties,
  );
}
