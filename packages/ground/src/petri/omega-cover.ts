import type { Configuration, CounterSystem, Rule, CoveringRun } from './counter-system.js';
import {
  bytesOf,
  countAt,
  countOmegas,
  fire,
  isCovered,
  type Marking,
  omega,
  signatureOf,
} from './marking.js';
import type { CoverNode, Pump } from './cover-node.js';
import { unfoldRun } from './unfold-run.js';
import { type Spend, unwatched } from './watch.js';

/**
 * A queue of nodes that returns those with most `omega` places first, and first in first out among
 * equals.
 */
class OmegaFirst {
  readonly #queues: { readonly nodes: CoverNode[]; next: number }[] = [];
  #top = -1;

  push(node: CoverNode): void {
    const rank = countOmegas(node.marking);
    while (this.#queues.length <= rank) this.#queues.push({ nodes: [], next: 0 });
    this.#queues[rank]!.nodes.push(node);
    this.#top = Math.max(this.#top, rank);
  }

  pop(): CoverNode | undefined {
    for (; this.#top >= 0; this.#top--) {
      const queue = this.#queues[this.#top]!;
      const node = queue.nodes[queue.next++];
      if (node) return node;
      queue.nodes.length = 0;
      queue.next = 0;
    }
    return undefined;
  }
}

/** The estimated size in bytes of a search node without its marking. */
const bytesOfNode = 200;

/**
 * The number of comparisons with ancestors, or of places whose rules are inspected, that count as
 * one unit of work, like a small successor.
 */
const comparisonsPerWork = 8;

/** The result of a forward search; `open` if the search is unfinished. */
type ForwardOutcome =
  | { readonly kind: 'coverable'; readonly run: CoveringRun | undefined }
  /** No target can be covered: the active nodes are an inductive invariant without targets. */
  | { readonly kind: 'not-coverable'; readonly invariant: readonly Configuration[] }
  | { readonly kind: 'open' };

/**
 * Forward search with acceleration after [KM69], for coverability: nodes covered by other nodes are
 * not searched further, except as parents. Sound: firing rules reaches configurations that cover
 * any configuration below a node. Complete: at the end the active nodes cover all their successors.
 * Nodes with most `omega`s go first, which is decisive for early termination.
 */
export class OmegaCover {
  readonly #system: CounterSystem;
  readonly #spend: Spend;
  readonly #active = new Map<number, CoverNode[]>();
  readonly #queue = new OmegaFirst();
  #goal: CoverNode | undefined;
  /**
   * The work done by the search: one unit for each successor, plus the work of comparing and
   * raising large nodes.
   */
  #work = 0;
  /** The number of nodes that the search has stored, including nodes no longer searched. */
  nodes = 0;
  /** The estimated bytes of the markings of all nodes, with their overhead. */
  bytes = 0;

  /**
   * Prepares a forward search in a system. Exceptions thrown by `spend`, and `TooManyTokens`, end
   * the search for good.
   */
  constructor(system: CounterSystem, spend: Spend = unwatched) {
    this.#system = system;
    this.#spend = spend;
    this.#add(system.initial.control, system.initial.marking, undefined, undefined);
  }

  /**
   * Continues the search until its question is answered: whether the goal can be covered. Stops
   * earlier, with `open`, after `allowance` more units of work, or with `mostNodes` nodes stored.
   */
  run(allowance: number, mostNodes = Number.POSITIVE_INFINITY): ForwardOutcome {
    const end = this.#work + allowance;
    while (!this.#goal) {
      if (this.#work >= end || this.nodes >= mostNodes) return { kind: 'open' };
      const node = this.#queue.pop();
      if (!node) return { kind: 'not-coverable', invariant: this.invariant() };
      if (!node.isDead) this.#expand(node);
    }
    return { kind: 'coverable', run: unfoldRun(this.#system, this.#goal) };
  }

  /**
   * Whether some node covers the configuration; if so, firing rules can cover the configuration.
   */
  covers({ control, marking }: Configuration): boolean {
    return this.#isCovered(control, marking);
  }

  /** Returns the active nodes as an inductive invariant. */
  invariant(): readonly Configuration[] {
    return [...this.#active.values()]
      .flat()
      .map(({ control, marking }): Configuration => ({ control, marking }));
  }

  #expand(node: CoverNode): void {
    const { control, marking } = node;
    this.#fireAll(node, this.#system.rules(control, -1));
    for (let i = 0; i < marking.length && !this.#goal && !node.isDead; i += 2)
      this.#fireAll(node, this.#system.rules(control, marking[i]!));
  }

  #fireAll(node: CoverNode, rules: readonly Rule[]): void {
    const { control, marking } = node;
    for (const rule of rules) {
      if (this.#goal) return;
      if (!isCovered(rule.pre, marking)) continue;
      const next = fire(marking, rule.pre, rule.post);
      if (rule.to === control && isCovered(next, marking)) continue;
      this.#add(rule.to, next, node, rule);
    }
  }

  #add(
    control: number,
    reached: Marking,
    parent: CoverNode | undefined,
    rule: Rule | undefined,
  ): void {
    this.#work += 1;
    // A marking that is already covered stays covered after pumping, so the comparison with the
    // ancestors can be skipped.
    if (this.#isCovered(control, reached)) return;
    const pumps: Pump[] = [];
    const lineage = parent ? comparedAncestors(parent) : [];
    this.#work += lineage.length / comparisonsPerWork;
    const marking = this.#pump(control, reached, lineage, pumps);
    if (pumps.length > 0 && this.#isCovered(control, marking)) return;
    const signature = signatureOf(marking);
    const active = this.#active.get(control) ?? [];
    this.#spend(active.length + lineage.length);
    const kept = active.filter((other) => {
      other.isDead = (other.signature & ~signature) === 0 && isCovered(other.marking, marking);
      return !other.isDead;
    });
    const node = { control, marking, signature, parent, lineage, rule, pumps, isDead: false };
    kept.push(node);
    this.#active.set(control, kept);
    this.nodes += 1;
    this.bytes += bytesOf(marking) + bytesOfNode + 8 * lineage.length + 100 * pumps.length;
    if (this.#system.targets(control).some((target) => isCovered(target, marking)))
      this.#goal = node;
    this.#queue.push(node);
  }

  #isCovered(control: number, marking: Marking): boolean {
    const signature = signatureOf(marking);
    const active = this.#active.get(control) ?? [];
    this.#spend(active.length + 1);
    return active.some(
      (other) => (signature & ~other.signature) === 0 && isCovered(marking, other.marking),
    );
  }

  #pump(control: number, reached: Marking, lineage: readonly CoverNode[], pumps: Pump[]): Marking {
    let marking = this.#saturate(control, reached, pumps);
    for (let isStable = false; !isStable;) {
      isStable = true;
      for (const ancestor of lineage) {
        if (ancestor.control !== control || !isCovered(ancestor.marking, marking)) continue;
        const pumped = raise(marking, ancestor.marking);
        if (!pumped) continue;
        pumps.push({ kind: 'path', ancestor, before: marking });
        marking = this.#saturate(control, pumped, pumps);
        isStable = false;
      }
    }
    return marking;
  }

  /**
   * Raises places to `omega` by repeating rules that stay at the control and take tokens only from
   * places with `omega`; returns the marking, and adds the rules and places to `pumps`.
   */
  #saturate(control: number, start: Marking, pumps: Pump[]): Marking {
    let marking = start;
    for (let isStable = false; !isStable;) {
      isStable = true;
      const places = [-1];
      for (let i = 0; i < marking.length; i += 2)
        if (marking[i + 1] === omega) places.push(marking[i]!);
      this.#work += places.length / comparisonsPerWork;
      this.#spend(places.length);
      for (const place of places)
        for (const rule of this.#system.rules(control, place)) {
          if (rule.to !== control || !canRepeat(rule, marking)) continue;
          pumps.push({ kind: 'rule', rule, before: marking });
          marking = raise(fire(marking, rule.pre, rule.post), marking) ?? marking;
          isStable = false;
        }
    }
    return marking;
  }
}

/** Whether the rule can fire, lowers no place without `omega`, and raises at least one place. */
function canRepeat({ pre, post }: Rule, marking: Marking): boolean {
  for (let i = 0; i < pre.length; i += 2) {
    const count = countAt(marking, pre[i]!);
    if (count < pre[i + 1]! || (count !== omega && countAt(post, pre[i]!) < pre[i + 1]!))
      return false;
  }
  for (let i = 0; i < post.length; i += 2) {
    const place = post[i]!;
    if (countAt(marking, place) !== omega && post[i + 1]! > countAt(pre, place)) return true;
  }
  return false;
}

/**
 * Returns the ancestors with which the children of a node are compared, to raise places to `omega`.
 */
function comparedAncestors(node: CoverNode): readonly CoverNode[] {
  const { control, marking } = node;
  const others = node.lineage.filter(
    (ancestor) => ancestor.control !== control || !isCovered(ancestor.marking, marking),
  );
  return [...others, node];
}

/**
 * Returns `marking` with `omega` wherever it exceeds `lower`, a marking that it covers; `undefined`
 * if it exceeds `lower` nowhere.
 */
function raise(marking: Marking, lower: Marking): Marking | undefined {
  let result: Marking | undefined;
  let j = 0;
  for (let i = 0; i < marking.length; i += 2) {
    while (j < lower.length && lower[j]! < marking[i]!) j += 2;
    const least = lower[j] === marking[i] ? lower[j + 1]! : 0;
    if (marking[i + 1] === omega || marking[i + 1]! <= least) continue;
    result ??= marking.slice();
    result[i + 1] = omega;
  }
  return result;
}
