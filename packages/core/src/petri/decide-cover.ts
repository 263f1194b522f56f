import type { Budget, Exhaustion } from '../base/budget.js';
import { InternalError } from '../base/unreachable.js';
import { BackwardCover } from './backward-cover.js';
import type { Run } from './counter-system.js';
import type { CoverCertificate } from './cover-certificate.js';
import { refuteCoverCertificate } from './cover-certificate.js';
import type { Net } from './net.js';
import { toSystem } from './net.js';
import { OmegaCover } from './omega-cover.js';
import { reachesTarget } from './replay-run.js';
import type { Weight } from './weights.js';
import { findWeights } from './weights.js';

/** `both` takes turns: the one is quick where few counts matter, the other where a target is hardly reachable. */
export type CoverEngine = 'both' | 'forward' | 'backward';

/** Whether some target can be covered, with evidence that was checked. */
export type CoverVerdict =
  /** `run` is absent only if it would be too long to write down. */
  | { readonly kind: 'coverable'; readonly run?: Run }
  | { readonly kind: 'not-coverable'; readonly certificate: CoverCertificate }
  | { readonly kind: 'unknown'; readonly reason: Exhaustion };

export interface CoverAnswer {
  readonly verdict: CoverVerdict;
  /** The one that decided; the one asked for if none did. */
  readonly engine: CoverEngine;
  /** Nodes of the forward and elements of the backward search. */
  readonly states: { readonly forward: number; readonly backward: number };
}

/** How many successors or predecessors an engine looks at before the other one's turn; the forward search more often ends soon. */
const forwardTurn = 10_000;
const turn = 2_000;

/** How many times as many predecessors as in a turn are looked at for a run that is short enough to be written down. */
const turnsForRun = 100;

/** A run to a target, backwards through what a forward search has covered; `undefined` if none is found within the budget. */
async function findRunWithin(
  net: Net,
  weights: readonly Weight[],
  forward: OmegaCover,
  budget: Budget,
): Promise<Run | undefined> {
  const search = new BackwardCover(net, weights, (configuration) => forward.covers(configuration));
  for (let i = 0; i < turnsForRun; i++) {
    const outcome = search.run(100 * turn);
    if (outcome.kind !== 'open') return outcome.kind === 'coverable' ? outcome.run : undefined;
    const states = forward.nodes + search.elements;
    if (await budget.breathe(states, forward.bytes + search.bytes)) return undefined;
  }
  return undefined;
}

/** Whether a target of the net can be covered, [BDM13] Sect. 6's question. Every verdict is checked by means of its own. */
export async function decideCover(
  net: Net,
  budget: Budget,
  engine: CoverEngine = 'both',
): Promise<CoverAnswer> {
  const system = toSystem(net);
  const forward = engine === 'backward' ? undefined : new OmegaCover(system);
  const weights = engine === 'forward' ? [] : findWeights(net);
  const backward = engine === 'forward' ? undefined : new BackwardCover(net, weights);
  const answer = (verdict: CoverVerdict, by: CoverEngine): CoverAnswer => {
    const states = { forward: forward?.nodes ?? 0, backward: backward?.elements ?? 0 };
    budget.finishSearch(states.forward + states.backward);
    return { verdict, engine: by, states };
  };
  const covered = async (unfolded: Run | undefined): Promise<CoverVerdict> => {
    const run = unfolded ?? (forward && (await findRunWithin(net, weights, forward, budget)));
    if (run && !reachesTarget(system, run)) throw new InternalError('a run misses its target');
    return { kind: 'coverable', ...(run && { run }) };
  };
  const refuted = (certificate: CoverCertificate): CoverVerdict => {
    const flaw = refuteCoverCertificate(net, system, certificate);
    if (flaw !== undefined) throw new InternalError(`a certificate does not hold: ${flaw}`);
    return { kind: 'not-coverable', certificate };
  };
  for (;;) {
    const ahead = forward?.run(forwardTurn, budget.room(backward?.elements ?? 0));
    if (ahead?.kind === 'coverable') return answer(await covered(ahead.run), 'forward');
    if (ahead?.kind === 'not-coverable')
      return answer(refuted({ kind: 'invariant', elements: ahead.invariant }), 'forward');
    const back = backward?.run(turn);
    if (back?.kind === 'coverable') return answer(await covered(back.run), 'backward');
    if (back?.kind === 'not-coverable')
      return answer(
        refuted({
          kind: 'basis',
          elements: back.basis,
          weights: weights.map((weight) => weight.weights),
        }),
        'backward',
      );
    const states = (forward?.nodes ?? 0) + (backward?.elements ?? 0);
    const memory = (forward?.bytes ?? 0) + (backward?.bytes ?? 0);
    const reason = await budget.breathe(states, memory);
    if (reason) return answer({ kind: 'unknown', reason }, engine);
  }
}
