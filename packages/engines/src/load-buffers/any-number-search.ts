import { CellDirectory } from '../automata/cell-directory.js';
import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { alikeByKind, observationOf } from '../exploration/observation.js';
import { leavesOf } from '@fencewright/model/analysis/state-leaves.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { namedCopies } from '@fencewright/model/program/property-of-instance.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { BufferedModel } from '@fencewright/model/trace/memory-model.js';
import type { LoadBufferAnswer } from './load-buffer-search.js';
import type { Crowd } from './crowd.js';
import {
  searchCrowdsBackwards,
  type CrowdResult,
  type CrowdSearchOptions,
  type Kinds,
} from './crowd-search.js';
import { searchCrowdsForward } from './forward-search.js';
import type { Minor } from './minor.js';
import { failingAssertion, propertyTargets } from './property-targets.js';
import type { TargetContext } from './target-context.js';
import { threadGraphs, type GraphFailure } from './thread-graph.js';

/**
 * A claim about all states: an assertion, or a `never` property. The property is given by its index
 * among the properties.
 */
export type SafetyClaim =
  | { readonly kind: 'property'; readonly property: number }
  | { readonly kind: 'assertion'; readonly thread: ThreadId; readonly transition: TransitionId };

/** The answer to the question whether some instance fails a claim. */
type AnyNumberAnswer =
  /**
   * An instance fails the claim: the instance with these numbers of copies, which `instantiate`
   * takes.
   */
  | { readonly kind: 'fails'; readonly counts: readonly number[] }
  | { readonly kind: 'holds' }
  | Extract<LoadBufferAnswer, { readonly kind: 'unknown' }>;

/**
 * Returns the numbers of copies that questions about the templates need. For each thread, these are
 * the copies that a property names, or the copy whose assertion is asked about, and one further
 * copy that may hold the bus lock.
 */
function copiesToAsk({ templates: { threads, properties } }: Templates): readonly number[] {
  const named = properties.map(namedCopies);
  return threads.map((_, thread) =>
    Math.max(2, ...named.map((copies) => 1 + (copies.get(thread)?.length ?? 0))),
  );
}

interface SearchContext {
  readonly context: TargetContext;
  readonly kinds: Kinds;
  /**
   * For each thread of the program in `context`, its kind (a single thread, or all copies of a
   * template), as an index into `Kinds.graphs`.
   */
  readonly kindOf: readonly number[];
  /**
   * For each kind (a single thread, or all copies of a template), the thread of the kind in the
   * templates, indexed by kind.
   */
  readonly threadOf: readonly ThreadId[];
}

/**
 * Returns the targets for a search under SC that correspond to a target for TSO. Under SC no store
 * waits in a buffer, and memory is never frozen.
 */
function withoutBuffers({ pending = [], ...minor }: Minor): readonly Minor[] {
  return pending.includes(1) ? [] : [{ ...minor, isFrozen: false }];
}

/**
 * Decides assertions and `never` properties for all instances, at once, of a program with any
 * number of copies of some threads and finite data. Properties of final states are excluded: some
 * threads of an instance do not tell whether all threads have ended.
 */
export class AnyNumberSearch {
  readonly #templates: Templates;
  readonly #known: SearchContext | GraphFailure;

  constructor(templates: Templates) {
    this.#templates = templates;
    const { program, templateOf } = instantiate(templates, copiesToAsk(templates));
    const cells = new CellDirectory(program);
    const observation = alikeByKind(observationOf(program), templateOf);
    const found = threadGraphs(program, observation, cells);
    if ('kind' in found) {
      this.#known = found;
      return;
    }
    // Copies are interchangeable, so nodes of all copies of a thread have to have the same numbers.
    const graphs = {
      ...found,
      threads: templateOf.map((thread) => at(found.threads, templateOf.indexOf(thread))),
    };
    const isTemplate = (thread: ThreadId): boolean => templates.unbounded.includes(thread);
    const all = [...templates.templates.threads.keys()];
    const threadOf = [...all.filter((t) => !isTemplate(t)), ...all.filter(isTemplate)];
    this.#known = {
      context: { program, graphs, cells },
      kinds: {
        graphs: threadOf.map((thread) => at(graphs.threads, templateOf.indexOf(thread))),
        singles: all.length - templates.unbounded.length,
      },
      kindOf: templateOf.map((thread) => threadOf.indexOf(thread)),
      threadOf,
    };
  }

  /**
   * The reason why no claim about the program can be decided; `undefined` if claims can be decided.
   * Threads in the reason are numbered as in the templates.
   */
  get failure(): GraphFailure | undefined {
    if (!('kind' in this.#known)) return undefined;
    return this.#known.kind === 'states' ? { kind: 'unsupported' } : this.#known;
  }

  /** Decides a claim whose threads are threads of the templates. */
  async decide(
    claim: SafetyClaim,
    budget: Budget,
    options: CrowdSearchOptions = {},
  ): Promise<AnyNumberAnswer> {
    const known = this.#known;
    if ('kind' in known) return { kind: 'unknown', reason: this.failure ?? known };
    const { forward = true } = options;
    const asked = options.model ?? 'TSO';
    const model = forward && this.#isSameUnderSc(known, claim) ? 'SC' : asked;
    const targets = this.#targetsOf(known, claim, model);
    if (!targets) return { kind: 'unknown', reason: { kind: 'question' } };
    const cells = known.context.graphs.values.length;
    const found =
      (forward && model === 'SC'
        ? await searchCrowdsForward(known.kinds, cells, targets, budget)
        : undefined) ??
      (await searchCrowdsBackwards(known.kinds, targets, budget, { ...options, model }));
    switch (found.kind) {
      case 'stopped':
        return { kind: 'unknown', reason: found.reason };
      case 'unreachable':
        return { kind: 'holds' };
      case 'reachable':
        return { kind: 'fails', counts: this.#countsOf(claim, known, found) };
    }
  }

  /**
   * Whether the claim has the same answer under SC and TSO because all stores are in lock blocks:
   * the stores reach memory before another thread accesses memory, and the claim sees neither
   * memory nor buffers.
   */
  #isSameUnderSc({ kinds }: SearchContext, claim: SafetyClaim): boolean {
    const isLocked = kinds.graphs.every(({ states, edges }) =>
      edges.every(({ from, effect }) => effect.kind !== 'store' || at(states, from).holdsLock),
    );
    if (!isLocked) return false;
    if (claim.kind === 'assertion') return true;
    const { condition } = at(this.#templates.templates.properties, claim.property);
    return leavesOf([condition]).every(({ kind }) => kind !== 'memory' && kind !== 'drained');
  }

  /**
   * Returns the numbers of copies of an instance with the run: as many as the run needs, and no
   * fewer than the claim names.
   */
  #countsOf(
    claim: SafetyClaim,
    { threadOf }: SearchContext,
    { copies }: Extract<CrowdResult, { readonly kind: 'reachable' }>,
  ): readonly number[] {
    const { threads, properties } = this.#templates.templates;
    const named =
      claim.kind === 'property' ? namedCopies(at(properties, claim.property)) : undefined;
    return threads.map((_, thread) =>
      Math.max(at(copies, threadOf.indexOf(thread)), named?.get(thread)?.length ?? 0),
    );
  }

  #targetsOf(
    { context, kindOf, kinds, threadOf }: SearchContext,
    claim: SafetyClaim,
    model: BufferedModel,
  ): readonly Crowd[] | undefined {
    const asked =
      claim.kind === 'assertion'
        ? failingAssertion(
            context,
            kindOf.indexOf(threadOf.indexOf(claim.thread)),
            claim.transition,
          )
        : propertyTargets(context, at(context.program.properties, claim.property));
    const minors = model === 'SC' ? asked?.flatMap(withoutBuffers) : asked;
    const isSingle = (thread: number): boolean => at(kindOf, thread) < kinds.singles;
    const threads = [...kindOf.keys()];
    const order = [...threads.filter(isSingle), ...threads.filter((thread) => !isSingle(thread))];
    return minors?.map(({ pending, ...minor }): Crowd => ({
      kinds: order.map((thread) => at(kindOf, thread)),
      minor: {
        ...minor,
        nodes: order.map((thread) => at(minor.nodes, thread)),
        words: order.map((thread) => at(minor.words, thread)),
        lock: minor.lock < 0 ? minor.lock : order.indexOf(minor.lock),
        ...(pending && { pending: order.map((thread) => at(pending, thread)) }),
      },
    }));
  }
}
