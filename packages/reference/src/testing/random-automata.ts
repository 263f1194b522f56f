import fc from 'fast-check';
import {
  binary,
  constant,
  registerValue,
  unary,
  type BinaryOperator,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { RmwOperation } from '@fencewright/model/program/rmw.js';
import { edges } from './with-wrapping.js';
import type {
  Domain,
  Program,
  SharedSymbol,
  Thread,
  Transition,
} from '@fencewright/model/program/program.js';

/** Limits on the size and features of the programs. */
export interface RandomAutomataOptions {
  readonly minThreads?: number;
  readonly maxThreads?: number;
  /** The maximum number of transitions on the path from the first location to the last. */
  readonly maxSpine?: number;
  /** The maximum number of additional transitions, between any two locations. */
  readonly maxExtra?: number;
  /** Whether additional transitions may go backwards, or from a location to itself. */
  readonly loops?: boolean;
  /**
   * Whether overflows, divisions by zero, indices out of bounds, and values outside the domain may
   * occur.
   */
  readonly faults?: boolean;
  /** Whether wrapping operators occur, with numbers near their wrapping points. */
  readonly wraps?: boolean;
}

const registerCount = 2;
const register = fc.nat(registerCount - 1);
const read = register.map(registerValue);
const bit = (e: Expression): Expression => binary('&', e, constant(1));

/** The ids of the symbols `x`, `a[2]`, and `p`, which points to `x` or into `a`. */
const [x, a, p] = [0, 1, 2];
const bases = [1, 2, 5];

const symbols: fc.Arbitrary<readonly SharedSymbol[]> = fc
  .record({
    x: fc.constantFrom(0, 0, 1, -1, 2),
    a: fc.tuple(fc.constantFrom(0, 1, -1), fc.constantFrom(0, 0, 2)),
    p: fc.constantFrom(1, 2, 3),
  })
  .map((initial) => [
    { name: 'x', base: 1, length: 1, isArray: false, initial: [initial.x] },
    { name: 'a', base: 2, length: 2, isArray: true, initial: initial.a },
    { name: 'p', base: 5, length: 1, isArray: false, initial: [initial.p] },
  ]);

function addressArbitrary(faults: boolean): fc.Arbitrary<Expression> {
  const element = (index: Expression): Expression => ({ kind: 'element', symbol: a, index });
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant<Expression>({ kind: 'address', symbol: x }) },
    { weight: 4, arbitrary: fc.nat(1).map((index) => element(constant(index))) },
    { weight: 3, arbitrary: read.map((r) => element(bit(r))) },
    { weight: 1, arbitrary: fc.constant<Expression>({ kind: 'address', symbol: p }) },
    // Anything: a pointer that was loaded, a cell without a name, a negative address.
    { weight: 1, arbitrary: read },
    { weight: faults ? 2 : 0, arbitrary: read.map(element) },
  );
}

const wrappingNumber = fc.oneof(
  read,
  fc.constantFrom(...edges).map(constant),
  fc.integer({ min: -2, max: 2 }).map(constant),
);

/** Random results of wrapping operators: any number, a number of 8 or 16 bits, or a comparison. */
const wrappingValue: fc.Arbitrary<Expression> = fc
  .record({
    operator: fc.constantFrom<BinaryOperator>(
      ...(['+%', '-%', '*%', '/%', '%%', '<<%', '>>%', '<%', '<=%', '>%', '>=%'] as const),
    ),
    left: wrappingNumber,
    right: wrappingNumber,
    conversion: fc.constantFrom(undefined, 'i8', 'u8', 'i16', 'u16'),
  })
  .map(({ operator, left, right, conversion }) => {
    const result = binary(operator, left, right);
    return conversion === undefined ? result : unary(conversion, result);
  });

function valueArbitrary(faults: boolean, loops: boolean, wraps: boolean): fc.Arbitrary<Expression> {
  const small = fc.constantFrom(-2, -1, 0, 1, 1, 2);
  const calm = fc.constantFrom<BinaryOperator>('<', '==', '>=', '&', '%', '&&', '||');
  const wild = fc.constantFrom<BinaryOperator>('/', '%', '*', '+', '-', '<<', '>>');
  return fc.oneof(
    { weight: 6, arbitrary: small.map(constant) },
    { weight: 3, arbitrary: read },
    { weight: 1, arbitrary: fc.constantFrom(...bases, 3).map(constant) },
    { weight: 1, arbitrary: read.map((r) => unary('~', bit(r))) },
    { weight: 1, arbitrary: read.map((r) => unary('!', r)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(calm, read, fc.constantFrom(2, 3, -2))
        .map(([operator, r, n]) => binary(operator, r, constant(n))),
    },
    { weight: wraps ? 12 : 0, arbitrary: wrappingValue },
    { weight: loops ? 0 : 2, arbitrary: read.map((r) => binary('-', constant(1), r)) },
    {
      weight: faults ? 3 : 0,
      arbitrary: fc
        .tuple(wild, fc.constantFrom(0, 1, 5, 2147483647), read)
        .map(([operator, n, r]) => binary(operator, constant(n), r)),
    },
  );
}

const signedCondition: fc.Arbitrary<Expression> = fc
  .tuple(
    fc.constantFrom<BinaryOperator>('==', '!=', '<', '>='),
    read,
    fc.integer({ min: -1, max: 2 }),
  )
  .map(([operator, left, right]) => binary(operator, left, constant(right)));

function rmwArbitrary(value: fc.Arbitrary<Expression>, loops: boolean): fc.Arbitrary<RmwOperation> {
  // In loops, counting operations would count without end.
  const counting = loops ? [] : (['fetch_add', 'fetch_sub'] as const);
  return fc.oneof(
    value.map((v): RmwOperation => ({ name: 'xchg', operands: [v] })),
    fc.tuple(value, value).map((operands): RmwOperation => ({ name: 'cas', operands })),
    fc
      .tuple(fc.constantFrom('fetch_and', 'fetch_or', 'fetch_xor', ...counting), value)
      .map(([name, v]): RmwOperation => ({ name, operands: [v] })),
    fc
      .tuple(fc.constantFrom('fetch_max', 'fetch_min'), value)
      .map(([name, v]): RmwOperation => ({ name, operands: [v] })),
  );
}

function instructionArbitrary({
  faults = false,
  loops = false,
  wraps = false,
}: RandomAutomataOptions): fc.Arbitrary<Instruction> {
  const address = addressArbitrary(faults);
  const value = valueArbitrary(faults, loops, wraps);
  const condition = wraps ? fc.oneof(signedCondition, wrappingValue) : signedCondition;
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(address, value)
        .map(([at, v]): Instruction => ({ kind: 'store', address: at, value: v })),
    },
    {
      weight: 8,
      arbitrary: fc
        .tuple(register, address)
        .map(([into, at]): Instruction => ({ kind: 'load', into, address: at })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.option(register, { nil: undefined }), address, rmwArbitrary(value, loops))
        .map(([into, at, operation]): Instruction => ({
          kind: 'rmw',
          ...(into !== undefined && { into }),
          address: at,
          operation,
        })),
    },
    { weight: 1, arbitrary: fc.constant<Instruction>({ kind: 'fence' }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(register, value)
        .map(([into, v]): Instruction => ({ kind: 'assign', into, value: v })),
    },
    {
      weight: 2,
      arbitrary: condition.map((c): Instruction => ({ kind: 'assume', condition: c })),
    },
    {
      weight: 1,
      arbitrary: condition.map((c): Instruction => ({ kind: 'assert', condition: c })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(register, fc.integer({ min: -1, max: 0 }), fc.option(condition, { nil: undefined }))
        .map(([into, low, where]): Instruction => ({
          kind: 'havoc',
          into,
          range: { low, high: low + 1 },
          ...(where && { where }),
        })),
    },
    { weight: 1, arbitrary: fc.constant<Instruction>({ kind: 'skip' }) },
    { weight: 1, arbitrary: fc.constantFrom<Instruction>({ kind: 'lock' }, { kind: 'unlock' }) },
  );
}

/** Random stores and loads of widely used cells, one of each: the beginnings of attacks. */
const seed: fc.Arbitrary<readonly Instruction[]> = fc
  .record({
    crossed: fc.boolean(),
    index: fc.oneof(fc.constant(constant(0)), read.map(bit)),
    value: fc.constantFrom(1, 1, 2, -1),
    into: register,
  })
  .map(({ crossed, index, value, into }): Instruction[] => {
    const cells: readonly [Expression, Expression] = [
      { kind: 'address', symbol: x },
      { kind: 'element', symbol: a, index },
    ];
    const [stored, loaded] = crossed ? cells : [cells[1], cells[0]];
    return [
      { kind: 'store', address: stored, value: constant(value) },
      { kind: 'load', into, address: loaded },
    ];
  });

interface Draft {
  readonly spine: readonly Instruction[];
  readonly extra: readonly {
    readonly from: number;
    readonly to: number;
    readonly instruction: Instruction;
  }[];
  /**
   * The indices of the two instructions, on the path from the first to the last location, that
   * become `lock` and `unlock`.
   */
  readonly block?: readonly [number, number] | undefined;
}

function draft(options: RandomAutomataOptions): fc.Arbitrary<Draft> {
  const { maxSpine = 4, maxExtra = 2 } = options;
  const instruction = instructionArbitrary(options);
  const place = fc.nat(maxSpine);
  return fc.record({
    spine: fc
      .array(
        fc.oneof(
          instruction.map((one) => [one]),
          seed,
        ),
        {
          maxLength: Math.ceil((2 * maxSpine) / 3),
          size: 'max',
        },
      )
      .map((pieces) => pieces.flat().slice(0, maxSpine)),
    extra: fc.array(fc.record({ from: place, to: place, instruction }), {
      maxLength: maxExtra,
      size: 'max',
    }),
    block: fc.option(fc.tuple(place, place), { nil: undefined, freq: 2 }),
  });
}

function layOut(t: number, { spine, extra, block }: Draft, loops: boolean): Thread {
  const last = spine.length;
  const [opens, closes] = block ?? [-1, -1];
  const transitions: Transition[] = spine.map((own, at) => ({
    from: at,
    to: at + 1,
    instruction:
      opens < closes && at === opens
        ? { kind: 'lock' }
        : opens < closes && at === closes
          ? { kind: 'unlock' }
          : own,
    origin: {},
  }));
  for (const { from, to, instruction } of extra) {
    const [low, high] = [Math.min(from, to, last), Math.min(Math.max(from, to), last)];
    if (loops)
      transitions.push({
        from: Math.min(from, last),
        to: Math.min(to, last),
        instruction,
        origin: {},
      });
    else if (low < high) transitions.push({ from: low, to: high, instruction, origin: {} });
  }
  return {
    name: `t${t}`,
    registers: Array.from({ length: registerCount }, (_, r) => ({ name: `r${r}`, hidden: false })),
    locations: Array.from({ length: last + 1 }, (_, l) => ({ name: `l${l}`, hidden: false })),
    initial: 0,
    transitions,
  };
}

/**
 * Returns small random programs without structure: jumps lead into and out of lock blocks,
 * locations have several instructions or none, threads may be empty; shared variables with initial
 * values, an array, pointers, negative numbers and, if requested, faults. Wilder than the programs
 * of `randomProgram`, and more often trivial.
 */
export function randomAutomata(options: RandomAutomataOptions = {}): fc.Arbitrary<Program> {
  const { minThreads = 2, maxThreads = 3, loops = false, faults = false } = options;
  const domain: fc.Arbitrary<Domain | undefined> = faults
    ? fc.option(fc.constant({ low: -2, high: 5 }), { nil: undefined })
    : fc.constant(undefined);
  return fc
    .record({
      symbols,
      domain,
      drafts: fc.array(draft(options), {
        minLength: minThreads,
        maxLength: maxThreads,
        size: 'max',
      }),
      twins: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ symbols: shared, domain: bounds, drafts, twins }) => ({
      name: 'random',
      symbols: shared,
      ...(bounds && { domain: bounds }),
      // Now and then the last two threads run the same code.
      threads: (twins === 0 && drafts.length > 1
        ? drafts.with(-1, drafts.at(-2) ?? { spine: [], extra: [] })
        : drafts
      ).map((one, t) => layOut(t, one, loops)),
      properties: [],
    }));
}
