import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { BackwardCover } from './backward-cover.js';
import type { CounterSystem, CoveringRun } from '@fencewright/ground/petri/counter-system.js';
import {
  type CoverCertificate,
  refuteCoverCertificate,
} from '@fencewright/ground/petri/cover-certificate.js';
import { TooManyTokens } from '@fencewright/ground/petri/marking.js';
import { type Net, bytesOfNet, toSystem } from '@fencewright/ground/petri/net.js';
import { OmegaCover } from '@fencewright/ground/petri/omega-cover.js';
import { reachesTarget } from '@fencewright/ground/petri/replay-run.js';
import { LimitReached, type Spend, watchLimits } from '@fencewright/ground/petri/watch.js';
import { type Weight, findWeights } from '@fencewright/ground/petri/weights.js';

/**
 * The search that decides: forward, backward, or both in alternation. `forward` is quick if few
 * counts matter, `backward` if a target is hardly reachable.
 */
export type CoverEngine = 'both' | 'forward' | 'backward';

/** Whether some target can be covered, with checked evidence. */
export type CoverVerdict =
  /**
   * A target can be covered. `run` is absent only if the run is too long to record, or its counts
   * are too large.
   */
  | { readonly kind: 'coverable'; readonly run?: CoveringRun }
  | { readonly kind: 'not-coverable'; readonly certificate: CoverCertificate }
  /**
   * No verdict: a limit ended the search, or (`unsupported`) the search met more tokens than can be
   * counted exactly.
   */
  | { readonly kind: 'unknown'; readonly reason: Exhaustion | 'unsupported' };

export interface CoverAnswer {
  readonly verdict: CoverVerdict;
  /**
   * The search that has decided the question; if no search has, the search that the caller asked
   * for.
   */
  readonly engine: CoverEngine;
  /** The numbers of nodes of the forward search and of elements of the backward search. */
  readonly states: { readonly forward: number; readonly backward: number };
}

/**
 * The number of successors that the forward search inspects before the backward search goes on. The
 * forward search begins, as it more often ends soon.
 */
const forwardTurn = 10_000;
/**
 * The number of predecessors that the backward search inspects before the forward search goes on.
 */
const turn = 2_000;

/** The maximum number of predecessors inspected in the search for a run short enough to record. */
const looksForRun = 20_000_000;
/** The maximum number of elements in the search for a run short enough to record. */
const elementsForRun = 100_000;

/**
 * Returns the result of `compute`, or the reason why `compute` stopped: a limit, or numbers that
 * are too large.
 */
function untilStopped<T>(compute: () => T): T | 'limit' | 'numbers' {
  try {
    return compute();
  } catch (error) {
    if (error instanceof LimitReached) return 'limit';
    if (error instanceof TooManyTokens) return 'numbers';
    throw error;
  }
}

/** The verdict of the forward or the backward search; `undefined` without a verdict. */
type CoverFinding =
  | { readonly kind: 'coverable'; readonly run: CoveringRun | undefined; readonly by: CoverEngine }
  | {
      readonly kind: 'not-coverable';
      readonly certificate: CoverCertificate;
      readonly by: CoverEngine;
    };

/**
 * The forward and the backward search on a net, in alternation. A search that meets numbers beyond
 * the exact range is over; the states that it has stored still count.
 */
class CoverDecision {
  readonly #net: Net;
  readonly #system: CounterSystem;
  readonly #budget: Budget;
  readonly #asked: CoverEngine;
  readonly #spend: Spend;
  #weights: readonly Weight[] = [];
  #forward: OmegaCover | undefined;
  #backward: BackwardCover | undefined;
  #forRun: BackwardCover | undefined;
  #isForwardOver: boolean;
  #isBackwardOver: boolean;

  constructor(net: Net, budget: Budget, asked: CoverEngine) {
    this.#net = net;
    this.#system = toSystem(net);
    this.#budget = budget;
    this.#asked = asked;
    this.#spend = watchLimits(budget, () => this.#bytes);
    this.#isForwardOver = asked === 'backward';
    this.#isBackwardOver = asked === 'forward';
  }

  get #bytes(): number {
    const searches = [this.#forward, this.#backward, this.#forRun];
    const { rules, places, controls } = this.#net;
    return searches.reduce(
      (sum, search) => sum + (search?.bytes ?? 0),
      rules.length * bytesOfNet.rule + (places.length + controls.length) * bytesOfNet.name,
    );
  }

  get #elements(): number {
    return this.#backward?.elements ?? 0;
  }

  get #states(): number {
    return (this.#forward?.nodes ?? 0) + this.#elements;
  }

  async decide(): Promise<CoverAnswer> {
    while (!this.#isForwardOver || !this.#isBackwardOver) {
      const found = this.#turnForward() ?? this.#turnBackward();
      const reason = await this.#budget.checkpoint(this.#states, this.#bytes);
      if (found === 'limit') return this.#end({ kind: 'unknown', reason: reason ?? 'time' });
      if (found?.kind === 'coverable') return this.#end(await this.#covered(found), found.by);
      if (found) return this.#end(this.#refuted(found.certificate), found.by);
      if (reason) return this.#end({ kind: 'unknown', reason });
    }
    return this.#end({ kind: 'unknown', reason: 'unsupported' });
  }

  #end(verdict: CoverVerdict, engine = this.#asked): CoverAnswer {
    const states = { forward: this.#forward?.nodes ?? 0, backward: this.#elements };
    this.#budget.finishSearch(this.#states);
    return { verdict, engine, states };
  }

  #turnForward(): CoverFinding | 'limit' | undefined {
    if (this.#isForwardOver) return undefined;
    const outcome = untilStopped(() => {
      this.#forward ??= new OmegaCover(this.#system, this.#spend);
      return this.#forward.run(forwardTurn, this.#budget.room(this.#elements));
    });
    if (outcome === 'limit') return 'limit';
    this.#isForwardOver = outcome === 'numbers';
    if (outcome === 'numbers' || outcome.kind === 'open') return undefined;
    const by = 'forward';
    return outcome.kind === 'coverable'
      ? { kind: 'coverable', run: outcome.run, by }
      : {
          kind: 'not-coverable',
          certificate: { kind: 'invariant', elements: outcome.invariant },
          by,
        };
  }

  #turnBackward(): CoverFinding | 'limit' | undefined {
    if (this.#isBackwardOver) return undefined;
    const outcome = untilStopped(() => {
      if (!this.#backward) {
        this.#weights = findWeights(this.#net, this.#spend);
        this.#backward = new BackwardCover(this.#net, this.#weights, undefined, this.#spend);
      }
      return this.#backward.run(turn);
    });
    if (outcome === 'limit') return 'limit';
    this.#isBackwardOver = outcome === 'numbers';
    if (outcome === 'numbers' || outcome.kind === 'open') return undefined;
    if (outcome.kind === 'coverable') return { ...outcome, by: 'backward' };
    const weights = this.#weights.map((weight) => weight.weights);
    const certificate = { kind: 'basis', elements: outcome.basis, weights } as const;
    return { kind: 'not-coverable', certificate, by: 'backward' };
  }

  #refuted(certificate: CoverCertificate): CoverVerdict {
    const checked = untilStopped(() => ({
      flaw: refuteCoverCertificate(this.#net, this.#system, certificate, this.#spend),
    }));
    if (typeof checked === 'string') {
      return { kind: 'unknown', reason: this.#budget.exceededBy(0, this.#bytes) ?? 'time' };
    }
    if (checked.flaw !== undefined)
      throw new InternalError(`a certificate does not hold: ${checked.flaw}`);
    return { kind: 'not-coverable', certificate };
  }

  async #covered({
    run: unfolded,
  }: {
    readonly run: CoveringRun | undefined;
  }): Promise<CoverVerdict> {
    const run = unfolded ?? (this.#forward && (await this.#findRun(this.#forward)));
    const isGood = untilStopped(() => !run || reachesTarget(this.#system, run));
    if (isGood === false) throw new InternalError('a run misses its target');
    return { kind: 'coverable', ...(run && isGood === true && { run }) };
  }

  /**
   * Finds a run to a target backwards, within the configurations covered by a forward search;
   * `undefined` if none is found within the budget.
   */
  async #findRun(forward: OmegaCover): Promise<CoveringRun | undefined> {
    const mayBeReached = forward.covers.bind(forward);
    const search = new BackwardCover(this.#net, this.#weights, mayBeReached, this.#spend);
    this.#forRun = search;
    for (let looks = 0; looks < looksForRun; looks += turn) {
      const outcome = untilStopped(() => search.run(turn));
      if (typeof outcome === 'string') return undefined;
      if (outcome.kind !== 'open') return outcome.kind === 'coverable' ? outcome.run : undefined;
      if (search.elements > elementsForRun) return undefined;
      const states = forward.nodes + search.elements;
      if (await this.#budget.checkpoint(states, this.#bytes)) return undefined;
    }
    return undefined;
  }
}

/**
 * Decides whether a target of the net can be covered, as in [BDM13] Sect. 6. Every verdict is
 * checked independently.
 */
export function decideCover(
  net: Net,
  budget: Budget,
  engine: CoverEngine = 'both',
): Promise<CoverAnswer> {
  return new CoverDecision(net, budget, engine).decide();
}
