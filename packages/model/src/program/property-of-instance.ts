import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { binary, constant, mapLeaves } from './expression.js';
import type { ThreadId } from './ids.js';
import type { Property, StateExpression, StateLeaf } from './program.js';

/** The threads of an instance that correspond to a thread of the templates. */
export type InInstance =
  /** The copies of the thread; `areAlike`: the copies have equal code. */
  | { readonly kind: 'copies'; readonly threads: readonly ThreadId[]; readonly areAlike: boolean }
  /** The thread is a template of the instance as well, with any number of copies. */
  | { readonly kind: 'template'; readonly thread: ThreadId };

/**
 * A function from each thread of the templates to the threads of the instance that represent it.
 */
export type InstanceThreads = (thread: ThreadId) => InInstance;

/** By thread of the templates, the numbers of the copies named by a property, ascending. */
type NamedCopies = ReadonlyMap<ThreadId, readonly number[]>;

/**
 * A choice of threads of an instance for the copies that a property names: by thread of the
 * templates and number of the copy, the thread of the instance.
 */
type Choice = ReadonlyMap<ThreadId, ReadonlyMap<number, ThreadId>>;

/** Returns the copies that the conditions of a property name. */
export function namedCopies({ condition }: Pick<Property, 'condition'>): NamedCopies {
  const named = new Map<ThreadId, readonly number[]>();
  mapLeaves<StateLeaf, StateLeaf>(condition, (leaf) => {
    if (leaf.kind === 'memory' || leaf.copy === undefined) return leaf;
    const known = named.get(leaf.thread) ?? [];
    if (!known.includes(leaf.copy))
      named.set(
        leaf.thread,
        [...known, leaf.copy].toSorted((a, b) => a - b),
      );
    return leaf;
  });
  return named;
}

/** Returns all sequences of `count` different members, in order. */
function distinct(members: readonly ThreadId[], count: number): readonly (readonly ThreadId[])[] {
  let chosen: readonly (readonly ThreadId[])[] = [[]];
  for (let i = 0; i < count; i++)
    chosen = chosen.flatMap((some) =>
      members.filter((member) => !some.includes(member)).map((member) => [...some, member]),
    );
  return chosen;
}

function choicesIn(named: NamedCopies, instance: InstanceThreads): readonly Choice[] {
  let choices: readonly Choice[] = [new Map()];
  for (const [thread, numbers] of named) {
    const own = instance(thread);
    if (own.kind === 'template') continue;
    const some =
      own.threads.length < numbers.length
        ? []
        : own.areAlike
          ? [own.threads.slice(0, numbers.length)]
          : distinct(own.threads, numbers.length);
    choices = choices.flatMap((choice) =>
      some.map((chosen) => {
        const byNumber = new Map(numbers.map((number, i) => [number, at(chosen, i)]));
        return new Map(choice).set(thread, byNumber);
      }),
    );
  }
  return choices;
}

/** Joins the conditions by an operator, in a tree that is as low as possible. */
function joined(
  operator: '&&' | '||',
  conditions: readonly StateExpression[],
  none: number,
): StateExpression {
  if (conditions.length <= 1) return conditions[0] ?? constant(none);
  const middle = conditions.length >> 1;
  return binary<StateLeaf>(
    operator,
    joined(operator, conditions.slice(0, middle), none),
    joined(operator, conditions.slice(middle), none),
  );
}

/**
 * Returns a property of the templates as a property of the instance. A `never` or a `finally` that
 * names copies is a claim about each choice of different copies, so an instance with fewer copies
 * fulfils it; an `exists` or a `stuck` asks for one choice. If copies have equal code, one choice
 * is enough: exchanging two copies in an execution gives an execution.
 */
export function propertyOfInstance(property: Property, instance: InstanceThreads): Property {
  const conditions = choicesIn(namedCopies(property), instance).map((choice) =>
    mapLeaves<StateLeaf, StateLeaf>(property.condition, (leaf): StateLeaf => {
      if (leaf.kind === 'memory') return leaf;
      const own = instance(leaf.thread);
      if (own.kind === 'template') return { ...leaf, thread: own.thread };
      const { copy, ...rest } = leaf;
      const chosen = copy === undefined ? own.threads[0] : choice.get(leaf.thread)?.get(copy);
      if (chosen === undefined) throw new InternalError('a property names a thread without copies');
      return { ...rest, thread: chosen };
    }),
  );
  const condition =
    property.kind === 'finally' ? joined('&&', conditions, 1) : joined('||', conditions, 0);
  return { ...property, condition };
}
