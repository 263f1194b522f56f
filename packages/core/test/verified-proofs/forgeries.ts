import type { SeededRandom } from '@fencewright/ground/base/random.js';

/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-return, @typescript-eslint/restrict-plus-operands -- what a forger writes has any form */

/** A certificate as JSON, to be changed. */
export type Draft = any;

/**
 * A function that forges a certificate; `forge` returns false if not applicable. `isAlwaysFalse`:
 * accepting the forgery is always wrong.
 */
export interface Forgery {
  readonly name: string;
  readonly isAlwaysFalse?: true;
  readonly forge: (draft: Draft, random: SeededRandom, other: Draft) => unknown;
}

const constant = (value: number) => ({ kind: 'constant', value });
const binary = (operator: string, left: object, right: object) => ({
  kind: 'binary',
  operator,
  left,
  right,
});

function pick<T>(random: SeededRandom, all: readonly T[]): T | undefined {
  return all[random.below(all.length)];
}

function all(
  draft: Draft,
  test: (instruction: any) => boolean,
): { thread: number; id: number; transition: any }[] {
  return draft.automata.threads.flatMap((thread: any, id: number) =>
    thread.transitions.flatMap((transition: any, number: number) =>
      test(transition.instruction) ? [{ thread: id, id: number, transition }] : [],
    ),
  );
}

function change(name: string, forge: Forgery['forge'], isAlwaysFalse?: true): Forgery {
  return { name, forge, ...(isAlwaysFalse && { isAlwaysFalse }) };
}

/**
 * Returns a function that picks a random store for which `test` holds, and forges the store by
 * `forge`.
 */
function onStore(
  test: (store: any) => boolean,
  forge: (store: any, random: SeededRandom, draft: Draft) => void,
) {
  return (draft: Draft, random: SeededRandom): boolean => {
    const store = pick(random, draft.stores.filter(test));
    if (!store) return false;
    forge(store, random, draft);
    return true;
  };
}

const hasLoads = (store: any): boolean => store.argument.kind === 'right-movers';

/** Adds an invariant over these threads to a draft. */
function claim(draft: Draft, condition: object, threads: readonly number[] = []): void {
  draft.invariants.push({
    name: `forged${draft.invariants.length}`,
    binders: threads.map((thread, i) => ({ name: `b${i}`, thread })),
    condition,
  });
}

const cell = (draft: Draft, random: SeededRandom): object | undefined => {
  const symbol = random.below(draft.automata.symbols.length);
  return draft.automata.symbols[symbol].isArray
    ? { kind: 'cell', symbol, index: constant(random.below(2)) }
    : { kind: 'cell', symbol };
};

export const forgeries: readonly Forgery[] = [
  change('nothing', () => true),
  // Arguments.
  change(
    'left mover',
    onStore(hasLoads, (store) => (store.argument = { kind: 'left-mover' })),
  ),
  change(
    'no loads',
    onStore(hasLoads, (store) => (store.argument = { kind: 'no-loads' })),
    true,
  ),
  change(
    'a load dropped',
    onStore(hasLoads, (store, random) =>
      store.argument.loads.splice(random.below(store.argument.loads.length), 1),
    ),
    true,
  ),
  change(
    'a store dropped',
    (draft, random) => {
      if (draft.stores.length === 0) return false;
      draft.stores.splice(random.below(draft.stores.length), 1);
      return true;
    },
    true,
  ),
  change('arguments exchanged', (draft, random) => {
    const [a, b] = [pick(random, draft.stores), pick(random, draft.stores)] as any[];
    if (!a || JSON.stringify(a.argument) === JSON.stringify(b.argument)) return false;
    [a.argument, b.argument] = [b.argument, a.argument];
    return true;
  }),
  change('all stores claimed for the next thread', (draft) => {
    const { length } = draft.automata.threads;
    if (length < 2 || draft.stores.length === 0) return false;
    for (const store of draft.stores) store.thread = (store.thread + 1) % length;
    return true;
  }),
  // Conclusions.
  change('robust', (draft) => {
    draft.conclusion = { kind: 'robust', happensBefore: 'standard' };
  }),
  change('robust by values', (draft) => {
    draft.conclusion = { kind: 'robust', happensBefore: 'value' };
  }),
  change('same states', (draft) => {
    draft.conclusion = { kind: 'same-states' };
  }),
  change('abstraction', (draft) => {
    draft.conclusion = { kind: 'abstraction' };
  }),
  change(
    'robust in spite of abstractions',
    (draft) => {
      if (draft.abstractions.length === 0) return false;
      draft.conclusion = { kind: 'robust', happensBefore: 'value' };
      return true;
    },
    true,
  ),
  // Invariants.
  change('an invariant that is false', (draft, random) => {
    claim(draft, binary('==', cell(draft, random)!, constant(random.below(3))));
  }),
  change('an invariant that is false everywhere', (draft) => claim(draft, constant(0)), true),
  change(
    'invariants that contradict each other',
    (draft, random) => {
      const held = cell(draft, random)!;
      claim(draft, binary('<=', held, constant(0)));
      claim(draft, binary('>=', held, constant(1)));
    },
    true,
  ),
  change(
    'nobody stands anywhere',
    (draft, random) => {
      const thread = random.below(draft.automata.threads.length);
      for (const location of draft.places[thread])
        claim(
          draft,
          { kind: 'unary', operator: '!', operand: { kind: 'at', binder: 0, location } },
          [thread],
        );
    },
    true,
  ),
  change('a neighbour is never there', (draft, random) => {
    const thread = random.below(draft.automata.threads.length);
    const location = pick(random, draft.places[thread] as number[]);
    claim(draft, { kind: 'unary', operator: '!', operand: { kind: 'at', binder: 0, location } }, [
      thread,
    ]);
  }),
  change('two threads exclude each other', (draft, random) => {
    const threads = [0, 1].map(() => random.below(draft.automata.threads.length));
    const at = (binder: number) => ({
      kind: 'at',
      binder,
      location: pick(random, draft.places[threads[binder]!] as number[]),
    });
    claim(draft, { kind: 'unary', operator: '!', operand: binary('&&', at(0), at(1)) }, threads);
  }),
  change('a register never has a value', (draft, random) => {
    const thread = random.below(draft.automata.threads.length);
    const register = random.below(draft.automata.threads[thread].registers.length);
    claim(draft, binary('!=', { kind: 'register', binder: 0, register }, constant(1)), [thread]);
  }),
  change(
    'copies have one number',
    (draft) => {
      const thread = draft.automata.threads.findIndex((each: any) => each.unbounded);
      if (thread < 0) return false;
      claim(draft, binary('==', { kind: 'self', binder: 0 }, { kind: 'self', binder: 1 }), [
        thread,
        thread,
      ]);
      return true;
    },
    true,
  ),
  change('an invariant of others', (draft, random) => {
    const invariant = pick<any>(random, draft.invariants);
    if (!invariant || invariant.binders.length === 0) return false;
    invariant.binders[0].thread = (invariant.binders[0].thread + 1) % draft.automata.threads.length;
    return true;
  }),
  // Refers to an index that does not exist.
  change(
    'a location out of range',
    (draft) => {
      claim(draft, { kind: 'at', binder: 0, location: 999 }, [0]);
    },
    true,
  ),
  change('a binder out of range', (draft) => claim(draft, { kind: 'self', binder: 1 }, [0]), true),
  change(
    'a register out of range',
    (draft) => {
      claim(draft, binary('<=', { kind: 'register', binder: 0, register: -1 }, constant(9)), [0]);
    },
    true,
  ),
  change('a thread out of range', (draft) => claim(draft, constant(1), [99]), true),
  change('a member nobody knows', (draft) => void (draft.believe = true), true),
  // Places.
  change('a place dropped', (draft, random) => {
    const places = pick(random, draft.places as number[][])!;
    places.splice(random.below(places.length), 1);
  }),
  change('only starts are places', (draft) => {
    draft.places = draft.automata.threads.map(({ initial }: any) => [initial]);
  }),
  change('everything is a place', (draft) => {
    draft.places = draft.automata.threads.map(({ locations }: any) => [...locations.keys()]);
  }),
  // Abstractions.
  change(
    'a load that gives a constant',
    (draft, random) => {
      const load = pick(
        random,
        all(draft, ({ kind }) => kind === 'load'),
      );
      if (!load) return false;
      const { thread, id, transition } = load;
      const condition = binary(
        '==',
        { kind: 'register', register: transition.instruction.into },
        constant(0),
      );
      draft.abstractions.push({ kind: 'read', thread, load: id, condition });
      draft.conclusion = { kind: 'abstraction' };
      return true;
    },
    true,
  ),
  change('a load that may give a constant', (draft, random) => {
    const load = pick(
      random,
      all(draft, ({ kind }) => kind === 'load'),
    );
    if (!load) return false;
    const { thread, id, transition } = load;
    const into = { kind: 'register', register: transition.instruction.into };
    const held = { kind: 'register', register: draft.automata.threads[thread].registers.length };
    const condition = binary(
      '||',
      binary('==', into, held),
      binary('==', into, constant(random.below(2))),
    );
    draft.abstractions.push({ kind: 'read', thread, load: id, condition });
    draft.conclusion = { kind: 'abstraction' };
    return true;
  }),
  change('an rmw that may fail', (draft, random) => {
    const rmw = pick(
      random,
      all(draft, ({ kind }) => kind === 'rmw'),
    );
    if (!rmw) return false;
    draft.abstractions.push({ kind: 'rmw', thread: rmw.thread, rmw: rmw.id });
    draft.conclusion = { kind: 'abstraction' };
    return true;
  }),
  change(
    'a fetch that may fail',
    (draft, random) => {
      const rmw = pick(
        random,
        all(draft, ({ kind, operation }) => kind === 'rmw' && operation.kind === 'fetch'),
      );
      if (!rmw) return false;
      draft.abstractions.push({ kind: 'rmw', thread: rmw.thread, rmw: rmw.id });
      draft.conclusion = { kind: 'abstraction' };
      return true;
    },
    true,
  ),
  change('an abstraction of something else', (draft, random) => {
    const abstraction = pick<any>(random, draft.abstractions);
    if (!abstraction) return false;
    const { length } = draft.automata.threads[abstraction.thread].transitions;
    const member = pick(
      random,
      Object.keys(abstraction).filter((key) => ['load', 'havoc', 'rmw'].includes(key)),
    )!;
    abstraction[member] = (abstraction[member] + 1 + random.below(length - 1)) % length;
    return true;
  }),
  change('an abstraction dropped', (draft) => {
    if (draft.abstractions.length === 0) return false;
    draft.abstractions.pop();
    return true;
  }),
  // Properties.
  change('a property', (draft) => void (draft.properties = ['p'])),
  change(
    'a property that there is not',
    (draft) => void (draft.properties = ['no such thing']),
    true,
  ),
  // Another program.
  change('the claims of another program', (draft, _random, other) => {
    const { automata } = draft;
    Object.assign(draft, other, { automata });
  }),
  change('a fence less', (draft, random) => {
    const fence = pick(
      random,
      all(draft, ({ kind }) => kind === 'fence'),
    );
    if (!fence) return false;
    fence.transition.instruction = { kind: 'skip' };
    return true;
  }),
  change('a thread in any number', (draft, random) => {
    const thread = pick<any>(random, draft.automata.threads);
    if (thread.unbounded || thread.copy) return false;
    thread.unbounded = true;
    return true;
  }),
  change('another value is stored', (draft, random) => {
    const store = pick(
      random,
      all(draft, ({ kind }) => kind === 'store'),
    );
    if (!store) return false;
    store.transition.instruction.value = constant(3);
    return true;
  }),
  change('another cell is loaded', (draft, random) => {
    const load = pick(
      random,
      all(draft, ({ kind }) => kind === 'load'),
    );
    if (!load) return false;
    load.transition.instruction.address = { kind: 'address', symbol: random.below(2) };
    return true;
  }),
];
