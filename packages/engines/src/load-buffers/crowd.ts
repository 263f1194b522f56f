import { at } from '@fencewright/ground/base/at.js';
import { any, noHolder, type Minor } from './minor.js';
import { isSubword } from './words.js';

/**
 * A minor (a description of configurations) of programs with any number of copies of some threads.
 * The crowd has the program's single threads, in order, and some copies, each with its kind. It
 * also describes configurations with further copies, at any nodes.
 */
export interface Crowd {
  readonly minor: Minor;
  /**
   * The kind of each thread of the minor, indexed by thread. Single threads come first, each with a
   * separate kind.
   */
  readonly kinds: readonly number[];
}

/**
 * Returns whether the thread has stores in its store buffer: 1 for yes, 0 for no, or `any`; see
 * `Minor.pending`.
 */
function waitsOf({ pending }: Minor, thread: number): number {
  return pending ? at(pending, thread) : any;
}

/**
 * Returns a string by which copies are distinguished and sorted: kind, node and word of the copy,
 * and whether stores wait.
 */
function nameOf({ minor, kinds }: Crowd, thread: number): string {
  const { nodes, words, lock } = minor;
  const holds = lock === thread ? 'L' : '';
  const place = `${at(kinds, thread)}:${at(nodes, thread)}${holds}${waitsOf(minor, thread)}`;
  return `${place}:${at(words, thread).join()}`;
}

/**
 * Returns the crowd without the copies of which nothing is demanded. The remaining copies are put
 * into a canonical order, since copies of one kind are interchangeable.
 */
export function normalised(crowd: Crowd, singles: number): Crowd {
  const { minor, kinds } = crowd;
  const isSaid = (thread: number): boolean =>
    minor.nodes[thread] !== any ||
    minor.lock === thread ||
    at(minor.words, thread).length > 0 ||
    waitsOf(minor, thread) !== any;
  const copies = [...kinds.keys()].slice(singles).filter(isSaid);
  const named = copies.map((thread) => ({ thread, name: nameOf(crowd, thread) }));
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const order = [
    ...Array.from({ length: singles }, (_, t) => t),
    ...named.map(({ thread }) => thread),
  ];
  const { pending } = minor;
  return {
    kinds: order.map((t) => at(kinds, t)),
    minor: {
      ...minor,
      nodes: order.map((t) => at(minor.nodes, t)),
      words: order.map((t) => at(minor.words, t)),
      lock: minor.lock === noHolder ? noHolder : order.indexOf(minor.lock),
      ...(pending && { pending: order.map((t) => at(pending, t)) }),
    },
  };
}

/**
 * Whether thread `t` of `one` may stand for thread `u` of `other`: `one` demands no more of `t`
 * than `other` demands of `u`.
 */
function mayBe(one: Crowd, t: number, other: Crowd, u: number): boolean {
  const node = at(one.minor.nodes, t);
  const waits = waitsOf(one.minor, t);
  return (
    at(one.kinds, t) === at(other.kinds, u) &&
    (node === any || node === at(other.minor.nodes, u)) &&
    (waits === any || waits === waitsOf(other.minor, u)) &&
    (one.minor.lock === t) === (other.minor.lock === u) &&
    isSubword(at(one.minor.words, t), at(other.minor.words, u))
  );
}

/**
 * Whether the copies of `one` from `t` on may stand for distinct copies of `other`, none of them in
 * `taken`: `one` demands no more of each copy than `other` demands of its partner.
 */
function canBeDifferent(one: Crowd, t: number, other: Crowd, singles: number, taken: Set<number>) {
  if (t === one.kinds.length) return true;
  for (let u = singles; u < other.kinds.length; u++) {
    if (taken.has(u) || !mayBe(one, t, other, u)) continue;
    taken.add(u);
    if (canBeDifferent(one, t + 1, other, singles, taken)) return true;
    taken.delete(u);
  }
  return false;
}

/** Whether `one` describes every configuration described by `other`. */
export function coversCrowd(one: Crowd, other: Crowd, singles: number): boolean {
  const { memory, isFrozen, lock } = one.minor;
  if (one.kinds.length > other.kinds.length) return false;
  if (isFrozen !== other.minor.isFrozen) return false;
  if ((lock === noHolder) !== (other.minor.lock === noHolder)) return false;
  for (let cell = 0; cell < memory.length; cell++) {
    const value = memory[cell]!;
    if (value !== any && value !== other.minor.memory[cell]) return false;
  }
  for (let t = 0; t < singles; t++) if (!mayBe(one, t, other, t)) return false;
  return canBeDifferent(one, singles, other, singles, new Set());
}
