import type { Configuration, Rule, CoveringRun } from '@fencewright/ground/petri/counter-system.js';
import {
  bytesOf,
  isCovered,
  type Marking,
  signatureOf,
  unfire,
} from '@fencewright/ground/petri/marking.js';
import { type Weight, weigh } from '@fencewright/ground/petri/weights.js';
import type { Net, NetRule } from '@fencewright/ground/petri/net.js';
import { startFor } from '@fencewright/ground/petri/unfold-run.js';
import { type Spend, unwatched } from '@fencewright/ground/petri/watch.js';

/**
 * An element of the backward search: a minimal configuration from which a target can be covered.
 */
interface Element extends Configuration {
  readonly signature: number;
  /**
   * The element of the search that is covered after firing `rule` from this element; absent for
   * targets.
   */
  readonly next: Element | undefined;
  readonly rule: Rule | undefined;
  isDead: boolean;
}

/** The estimated size in bytes of an element without its marking. */
const bytesOfElement = 130;

type BackwardOutcome =
  | { readonly kind: 'coverable'; readonly run: CoveringRun }
  /**
   * No target can be covered: the upward closure of `basis` contains all targets and its own
   * predecessors, except for markings excluded by weights.
   */
  | { readonly kind: 'not-coverable'; readonly basis: readonly Configuration[] }
  | { readonly kind: 'open' };

/**
 * Backward search for coverability ([ACJT96]): computes the minimal markings from which a target
 * can be covered, until the initial marking covers one of them, or none are left. Markings that
 * weigh more than the initial marking are excluded.
 */
export class BackwardCover {
  readonly #net: Net;
  readonly #weights: readonly Weight[];
  readonly #mayBeReached: (element: Configuration) => boolean;
  readonly #spend: Spend;
  readonly #entering: ReadonlyMap<number, readonly NetRule[]>;
  readonly #active = new Map<number, Element[]>();
  readonly #queue: Element[] = [];
  #next = 0;
  #found: Element | undefined;
  #looks = 0;
  /** The number of elements that the search has stored, including those no longer searched. */
  elements = 0;
  /** The estimated number of bytes of all stored elements. */
  bytes = 0;

  /**
   * Prepares the search. With `mayBeReached`, the search drops elements for which the function
   * returns false. The search is then incomplete: only a run found is an answer. Exceptions thrown
   * by `spend`, and `TooManyTokens`, end the search for good.
   */
  constructor(
    net: Net,
    weights: readonly Weight[],
    mayBeReached: (element: Configuration) => boolean = () => true,
    spend: Spend = unwatched,
  ) {
    this.#net = net;
    this.#spend = spend;
    this.#weights = weights;
    this.#mayBeReached = mayBeReached;
    const entering = new Map<number, NetRule[]>();
    for (const rule of net.rules) {
      const list = entering.get(rule.to);
      if (list) list.push(rule);
      else entering.set(rule.to, [rule]);
    }
    this.#entering = entering;
    for (const { control, marking } of net.targets)
      this.#add(control, marking, undefined, undefined);
  }

  /** Continues the search until `allowance` more predecessors of elements were inspected. */
  run(allowance: number): BackwardOutcome {
    const end = this.#looks + allowance;
    while (!this.#found) {
      if (this.#looks >= end) return { kind: 'open' };
      const element = this.#queue[this.#next++];
      if (!element) return { kind: 'not-coverable', basis: this.#basis() };
      if (element.isDead) continue;
      for (const rule of this.#entering.get(element.control) ?? []) {
        this.#looks += 1;
        this.#add(rule.from, unfire(element.marking, rule.pre, rule.post), element, rule);
        if (this.#found || element.isDead) break;
      }
    }
    return { kind: 'coverable', run: this.#runFrom(this.#found) };
  }

  #basis(): readonly Configuration[] {
    return [...this.#active.values()]
      .flat()
      .map(({ control, marking }): Configuration => ({ control, marking }));
  }

  #add(control: number, marking: Marking, next: Element | undefined, rule: Rule | undefined): void {
    if (this.#weights.some(({ weights, bound }) => weigh(weights, marking) > bound)) return;
    const signature = signatureOf(marking);
    const active = this.#active.get(control) ?? [];
    this.#spend(active.length + this.#weights.length + 1);
    const isKnown = active.some(
      (other) => (other.signature & ~signature) === 0 && isCovered(other.marking, marking),
    );
    if (isKnown || !this.#mayBeReached({ control, marking })) return;
    const kept = active.filter((other) => {
      other.isDead = (signature & ~other.signature) === 0 && isCovered(marking, other.marking);
      return !other.isDead;
    });
    const element = { control, marking, signature, next, rule, isDead: false };
    kept.push(element);
    this.#active.set(control, kept);
    this.#queue.push(element);
    this.elements += 1;
    this.bytes += bytesOf(marking) + bytesOfElement;
    const { initial } = this.#net;
    if (control === initial.control && isCovered(marking, initial.marking)) this.#found = element;
  }

  #runFrom(start: Element): CoveringRun {
    const steps: Rule[] = [];
    for (let at = start; at.next && at.rule; at = at.next) steps.push(at.rule);
    return { initial: startFor(this.#net, start.marking), steps };
  }
}
