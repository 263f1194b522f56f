import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { BufferedModel } from '@fencewright/model/trace/memory-model.js';
import { any, noHolder, type Minor } from './minor.js';
import type { ThreadGraphEdge, ThreadGraph } from './thread-graph.js';
import { letterCell, firstOn, isOwn, letter, ownValue, valueOf, type Word } from './words.js';

/** A step of the machine with load buffers. */
export type BufferStep =
  | { readonly kind: 'execute'; readonly thread: ThreadId; readonly edge: ThreadGraphEdge }
  | { readonly kind: 'propagate'; readonly thread: ThreadId; readonly cell: number }
  | { readonly kind: 'freeze' };

/** A minor, and the step from the minor's configurations to the configurations of a given minor. */
interface PreImage {
  readonly element: Minor;
  readonly step: BufferStep;
}

/** The steps of a program's threads, by target node. */
interface StepIndex {
  readonly graphs: readonly ThreadGraph[];
  /** The edges of the threads' graphs that lead to each node, indexed by thread, then by node. */
  readonly entering: readonly (readonly (readonly ThreadGraphEdge[])[])[];
}

export function indexSteps(graphs: readonly ThreadGraph[]): StepIndex {
  const entering = graphs.map(({ states, edges }) => {
    const lists: ThreadGraphEdge[][] = states.map(() => []);
    for (const edge of edges) at(lists, edge.to).push(edge);
    return lists;
  });
  return { graphs, entering };
}

/**
 * Returns least words from which a load of the value leads to a word above `word`. A load buffer
 * from which such a load leads to a word above `word` has one of the returned words as a subword.
 */
function wordsBeforeLoad(word: Word, cell: number, value: number): readonly Word[] {
  const own = ownValue(word, cell);
  if (own !== undefined) return own === value ? [word] : [];
  const plain = letter(cell, value, false);
  const mine = letter(cell, value, true);
  const words: Word[] = [word[0] === plain ? word : [plain, ...word]];
  // An early load: the thread's own letter may be anywhere in the word before the first letter of
  // its cell.
  const first = firstOn(word, cell);
  const last = first < 0 ? word.length : first;
  for (let i = 1; i <= last; i++)
    words.push(i === first && word[i] === plain ? word.with(i, mine) : word.toSpliced(i, 0, mine));
  return words;
}

/**
 * Returns the least word from which a store of the value leads to a word above `word`; `undefined`
 * if no word does.
 */
function wordBeforeStore(word: Word, cell: number, value: number): Word | undefined {
  const newest = word.at(-1);
  const isNewest = newest !== undefined && letterCell(newest) === cell && valueOf(newest) === value;
  const before = isNewest ? word.slice(0, -1) : word;
  return firstOn(before, cell) < 0 ? before : undefined;
}

/**
 * Computes pre-images of a minor: the least minors from whose configurations one step leads to a
 * configuration of the given minor. The machine has load buffers or, under SC, no buffers and only
 * empty words.
 */
export class PreImages {
  readonly #index: StepIndex;
  readonly #hasBuffers: boolean;

  constructor(index: StepIndex, model: BufferedModel = 'TSO') {
    this.#index = index;
    this.#hasBuffers = model === 'TSO';
  }

  of(minor: Minor): readonly PreImage[] {
    const found = minor.nodes.flatMap((_, thread) => this.ofThread(minor, thread));
    const { pending = [], ...rest } = minor;
    if (minor.isFrozen && !pending.includes(1))
      found.push({ element: { ...rest, isFrozen: false }, step: { kind: 'freeze' } });
    return found;
  }

  /**
   * Returns the pre-images by steps of one thread: the minors from which one step leads to `minor`.
   */
  ofThread(minor: Minor, thread: ThreadId): PreImage[] {
    const node = at(minor.nodes, thread);
    const edges =
      node === any ? at(this.#index.graphs, thread).edges : at(this.#index.entering, thread)[node]!;
    const found = edges.flatMap((edge) =>
      this.#before(minor, thread, edge).map((before): PreImage => {
        return { element: before, step: { kind: 'execute', thread, edge } };
      }),
    );
    const propagated = this.#beforePropagation(minor, thread);
    if (propagated) found.push(propagated);
    return found;
  }

  #isFree({ lock }: Minor, thread: ThreadId): boolean {
    return lock === noHolder || lock === thread;
  }

  #beforePropagation(minor: Minor, thread: ThreadId): PreImage | undefined {
    const { words, memory } = minor;
    const newest = at(words, thread).at(-1);
    if (newest === undefined || isOwn(newest)) return undefined;
    if (minor.isFrozen || !this.#isFree(minor, thread)) return undefined;
    const cell = letterCell(newest);
    const held = at(memory, cell);
    if (held !== any && held !== valueOf(newest)) return undefined;
    const before = {
      ...minor,
      memory: memory.with(cell, valueOf(newest)),
      words: words.with(thread, at(words, thread).slice(0, -1)),
    };
    return { element: before, step: { kind: 'propagate', thread, cell } };
  }

  #before(minor: Minor, thread: ThreadId, { from, effect }: ThreadGraphEdge): readonly Minor[] {
    const { nodes, memory, words, lock, isFrozen } = minor;
    const word = at(words, thread);
    const isUnknown = nodes[thread] === any;
    const moved = { ...minor, nodes: nodes.with(thread, from) };
    switch (effect.kind) {
      case 'local':
        return isUnknown ? [] : [moved];
      case 'load': {
        if (isUnknown) return [];
        if (!this.#hasBuffers) {
          const held = at(memory, effect.cell);
          if (!this.#isFree(minor, thread) || (held !== any && held !== effect.value)) return [];
          return [{ ...moved, memory: memory.with(effect.cell, effect.value) }];
        }
        const before = wordsBeforeLoad(word, effect.cell, effect.value);
        return before.map((own) => ({ ...moved, words: words.with(thread, own) }));
      }
      case 'store': {
        const { cell, value } = effect;
        const before = wordBeforeStore(word, cell, value);
        if (!before) return [];
        if (isFrozen) {
          const waits = minor.pending?.[thread] ?? any;
          if (waits === 0 || (isUnknown && waits === any)) return [];
          const stored = { ...moved, words: words.with(thread, before) };
          return [minor.pending ? { ...stored, pending: minor.pending.with(thread, any) } : stored];
        }
        const held = at(memory, cell);
        if (!this.#isFree(minor, thread) || (held !== any && held !== value)) return [];
        if (isUnknown && held === any) return [];
        return [{ ...moved, memory: memory.with(cell, any), words: words.with(thread, before) }];
      }
      case 'rmw': {
        const { cell, value, written } = effect;
        const held = at(memory, cell);
        if (isFrozen || word.length > 0 || !this.#isFree(minor, thread)) return [];
        if (held !== any && held !== written) return [];
        if (isUnknown && (held === any || value === written)) return [];
        return [{ ...moved, memory: memory.with(cell, value) }];
      }
      case 'fence':
        return isFrozen || word.length > 0 || isUnknown ? [] : [moved];
      case 'lock':
        return isFrozen || word.length > 0 || lock !== thread ? [] : [{ ...moved, lock: noHolder }];
      case 'unlock':
        return isFrozen || word.length > 0 || lock !== noHolder ? [] : [{ ...moved, lock: thread }];
    }
  }
}
