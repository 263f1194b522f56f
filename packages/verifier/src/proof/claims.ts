import type { Automata, Expression, Invariant } from '../automata.js';
import { expressionReader } from '../automata.js';
import { invariantReader } from '../read-automata.js';
import {
  anything,
  distinct,
  either,
  index,
  list,
  literal,
  type Reader,
  record,
  tagged,
  text,
  wrong,
} from '../shape.js';

/**
 * An access that has more behaviours in the program to be proved than in the original program
 * (`docs/reduction.md`); numbers are numbers of transitions.
 *
 * - `read`: the load may return any value allowed by a condition. The condition is either the
 * condition of the `havoc` after the load, in which the register of the load is the value of the
 * cell; or `condition`, in which the cell is a register beyond the registers of the thread.
 * - `rmw`: the locked instruction may fail at any time. If the program itself has the failure,
 * `fence` and `result` are its transitions.
 */
export type Abstraction = { readonly thread: number } & (
  | { readonly kind: 'read'; readonly load: number; readonly havoc: number }
  | { readonly kind: 'read'; readonly load: number; readonly condition: Expression }
  | {
      readonly kind: 'rmw';
      readonly rmw: number;
      readonly failure?: { readonly fence: number; readonly result: number };
    }
);

/**
 * The claim that a store may be treated as if it reached memory at once, and the argument for this
 * ([BEMT18] Def. 1).
 */
export interface StoreClaim {
  readonly thread: number;
  readonly store: number;
  /**
   * Steps of the thread that the invariants exclude, each as a list of transitions. Loads after
   * such a step need no argument.
   */
  readonly impossible?: readonly (readonly number[])[];
  readonly argument:
    | { readonly kind: 'no-loads' }
    | { readonly kind: 'left-mover' }
    | { readonly kind: 'right-movers'; readonly loads: readonly number[] };
}

export type Conclusion =
  | { readonly kind: 'robust'; readonly happensBefore: 'standard' | 'value' }
  | { readonly kind: 'same-states' }
  | { readonly kind: 'abstraction' };

/** The claims that a certificate of a proof makes. */
export interface Claims {
  /**
   * For each thread, the locations at which the proof describes its state (places). A thread moves
   * from place to place in one step, and invariants hold at places.
   */
  readonly places: readonly (readonly number[])[];
  readonly abstractions: readonly Abstraction[];
  readonly invariants: readonly Invariant[];
  readonly stores: readonly StoreClaim[];
  /** The names of the properties and invariants of the program that the certificate proves. */
  readonly properties: readonly string[];
  readonly conclusion: Conclusion;
}

/** Returns a reader of objects whose form depends on the thread named by the member `thread`. */
function withThread<T extends { readonly thread: number }>(
  threads: number,
  reader: (thread: number) => Reader<T>,
): Reader<T> {
  return (value, path) => {
    const { thread } = (typeof value === 'object' && value !== null ? value : {}) as {
      thread?: unknown;
    };
    return reader(index(threads)(thread, `${path}.thread`))(value, path);
  };
}

/**
 * Reads the claims about the given automata. Throws `ShapeError`; every index in the result is
 * valid.
 */
export function readClaims({ threads, symbols }: Automata, body: unknown): Claims {
  const thread = index(threads.length);
  const abstraction = withThread<Abstraction>(threads.length, (id) => {
    const { transitions, registers } = threads[id]!;
    const transition = index(transitions.length);
    const condition = expressionReader(registers.length + 1, symbols.length);
    const read = { kind: literal('read'), thread, load: transition };
    return either<Abstraction, Abstraction>(
      either(record({ ...read, havoc: transition }), record({ ...read, condition })),
      record(
        { kind: literal('rmw'), thread, rmw: transition },
        { failure: record({ fence: transition, result: transition }) },
      ),
    );
  });
  const store = withThread<StoreClaim>(threads.length, (id) => {
    const transition = index(threads[id]!.transitions.length);
    const argument = tagged<StoreClaim['argument']>({
      'no-loads': record({}),
      'left-mover': record({}),
      'right-movers': record({ loads: distinct(transition) }),
    });
    return record({ thread, store: transition, argument }, { impossible: list(list(transition)) });
  });
  const { places, ...claims } = record({
    places: list(anything),
    abstractions: list(abstraction),
    invariants: list(invariantReader(threads, symbols.length)),
    stores: distinct(store, ({ thread, store }) => `${thread} ${store}`),
    properties: distinct(text),
    conclusion: tagged<Conclusion>({
      robust: record({ happensBefore: literal('standard', 'value') }),
      'same-states': record({}),
      abstraction: record({}),
    }),
  })(body, '');
  if (places.length !== threads.length) wrong('places', `as many lists as threads`);
  const locations = threads.map(({ locations: all }, id) =>
    distinct(index(all.length))(places[id], `places[${id}]`),
  );
  return { ...claims, places: locations };
}
