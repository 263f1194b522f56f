import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { Program, Transition } from '@fencewright/model/program/program.js';
import { programOf } from '../robustness/native-program.js';
import type { Address, ArmProgram, Instruction } from './armv8-judge.js';
import type { ProgramSketch, Sketch } from './sketch.js';

/**
 * A number, a register, `register - register + plus`, a dependency without effect, or
 * `plus + (both[0] && both[1])`.
 */
export type ArmValue =
  | number
  | string
  | { readonly of: string; readonly plus: number }
  | { readonly both: readonly [string, string]; readonly plus: number };

/** A comparison of one or two registers. */
export interface ArmCondition {
  readonly register: string;
  readonly equals: number;
  readonly more?: {
    readonly operator: '&&' | '||';
    readonly register: string;
    readonly equals: number;
  };
}

/** A statement of a small program without loops; `cell[index]` is a cell of an array of two. */
export type ArmStatement =
  | {
      readonly kind: 'load';
      readonly to: string;
      readonly at: Address;
      readonly order: MemoryOrder;
    }
  | {
      readonly kind: 'await';
      readonly at: Address;
      readonly value: number;
      readonly order: MemoryOrder;
    }
  | {
      readonly kind: 'store';
      readonly at: Address;
      readonly value: ArmValue;
      readonly order: MemoryOrder;
    }
  | {
      readonly kind: 'xchg' | 'fetch_add';
      readonly to: string;
      readonly at: Address;
      readonly value: ArmValue;
      readonly order: MemoryOrder;
    }
  | {
      /** The register `to` receives whether the `cas` succeeded. */
      readonly kind: 'cas';
      readonly to: string;
      readonly at: Address;
      readonly expected: number | string;
      readonly value: ArmValue;
      readonly order: MemoryOrder;
      readonly failure: MemoryOrder;
      /** Whether the program repeats the `cas` until success. */
      readonly waits?: boolean;
    }
  | { readonly kind: 'fence'; readonly order: MemoryOrder }
  | ({
      readonly kind: 'if';
      readonly then: readonly ArmStatement[];
      readonly else?: readonly ArmStatement[];
    } & ArmCondition)
  | {
      /** A load that is repeated while the condition holds. */
      readonly kind: 'load-while';
      readonly to: string;
      readonly at: Address;
      readonly order: MemoryOrder;
      readonly condition: ArmCondition;
    }
  | {
      /**
       * A lock section: it loads a cell, and stores to the cell if the condition holds. The section
       * is one read-modify-write.
       */
      readonly kind: 'section';
      readonly to: string;
      readonly at: Address;
      readonly value: ArmValue;
      readonly condition: ArmCondition;
      readonly order: MemoryOrder;
    }
  | { readonly kind: 'assert'; readonly register: string; readonly not: number };

export interface ArmSketch {
  readonly cells: readonly string[];
  readonly arrays: readonly string[];
  readonly threads: readonly (readonly ArmStatement[])[];
}

const registers: readonly string[] = ['r', 's', 'q', 'v', 'k'];

function textOfValue(value: ArmValue): string {
  if (typeof value !== 'object') return `${value}`;
  if ('both' in value) return `${value.plus} + (${value.both.join(' && ')})`;
  return `${value.of} - ${value.of} + ${value.plus}`;
}

function textOfCondition({ register, equals, more }: ArmCondition): string {
  const first = `${register} == ${equals}`;
  return more ? `${first} ${more.operator} ${more.register} == ${more.equals}` : first;
}

function textOfStatement(statement: ArmStatement): string {
  if (statement.kind === 'fence') return `fence(${statement.order});`;
  if (statement.kind === 'assert') return `assert(${statement.register} != ${statement.not});`;
  if (statement.kind === 'if') {
    const block = (code: readonly ArmStatement[]): string =>
      `{ ${code.map(textOfStatement).join(' ')} }`;
    const { then, else: other } = statement;
    return `if (${textOfCondition(statement)}) ${block(then)}${other ? ` else ${block(other)}` : ''}`;
  }
  const { at, order } = statement;
  const cell = at.index === undefined ? at.cell : `${at.cell}[${at.index}]`;
  switch (statement.kind) {
    case 'load':
      return `${statement.to} = load(${cell}, ${order});`;
    case 'load-while': {
      const { to, condition } = statement;
      return `do { ${to} = load(${cell}, ${order}); } while (${textOfCondition(condition)});`;
    }
    case 'section': {
      const { to, value, condition } = statement;
      const store = `if (${textOfCondition(condition)}) { ${cell} = ${textOfValue(value)}; }`;
      return `atomic { ${to} = ${cell}; ${store} }`;
    }
    case 'await':
      return `await (load(${cell}, ${order}) == ${statement.value});`;
    case 'store':
      return `store(${cell}, ${textOfValue(statement.value)}, ${order});`;
    case 'xchg':
    case 'fetch_add': {
      const { kind, to, value } = statement;
      return `${to} = ${kind}(${cell}, ${textOfValue(value)}, ${order});`;
    }
    case 'cas': {
      const { to, expected, value, failure } = statement;
      const call = `cas(${cell}, ${expected}, ${textOfValue(value)}, ${order}, ${failure})`;
      return statement.waits ? `while (!${call}) { }` : `${to} = ${call};`;
    }
  }
}

/** Returns the program in the native language, without the `program` line. */
export function textOfArm({ cells, arrays, threads }: ArmSketch): string {
  return [
    ...cells.map((cell) => `var ${cell}`),
    ...arrays.map((array) => `var ${array}[2]`),
    ...threads.map(
      (code, t) =>
        `thread t${t} {\n  local ${registers.join(', ')};\n  ${code.map(textOfStatement).join('\n  ')}\n}`,
    ),
  ].join('\n');
}

/**
 * Returns the program of a sketch. The text of the sketch gives no memory orders for lock sections,
 * so the result is the text's program with each section's order added to its `lock`.
 */
export function programOfArm(sketch: ArmSketch): Program {
  const program = programOf(textOfArm(sketch));
  const threads = program.threads.map((thread, t) => {
    const orders = ordersOfSections(sketch.threads[t]!);
    const starts = thread.transitions
      .filter(({ instruction }) => instruction.kind === 'lock')
      .toSorted((one, other) => offsetOf(one) - offsetOf(other));
    if (starts.length !== orders.length) throw new Error('a section was left out');
    const transitions = thread.transitions.map((one): Transition => {
      const section = starts.indexOf(one);
      if (section < 0) return one;
      return { ...one, instruction: { kind: 'lock', order: orders[section]! } };
    });
    return { ...thread, transitions };
  });
  return { ...program, threads };
}

function offsetOf({ origin }: Transition): number {
  const { line, column } = origin.span!.start;
  return line * 10_000 + column;
}

/** Returns the memory orders of a thread's lock sections, in the order of the text. */
function ordersOfSections(code: readonly ArmStatement[]): readonly MemoryOrder[] {
  return code.flatMap((one) => {
    if (one.kind === 'section') return [one.order];
    return one.kind === 'if' ? ordersOfSections([...one.then, ...(one.else ?? [])]) : [];
  });
}

/** Converts a sketch with one register to a program for the judge of ARMv8. */
export function armSketchOf({ cells, threads }: ProgramSketch): ArmSketch {
  const statement = (one: Sketch): ArmStatement => {
    switch (one.kind) {
      case 'fence':
        return one;
      case 'if':
        return { kind: 'if', register: 'r', equals: one.equals, then: one.then.map(statement) };
      case 'load':
        return { ...one, kind: 'load', to: 'r', at: { cell: one.cell } };
      case 'store':
        return { ...one, kind: 'store', at: { cell: one.cell } };
      case 'xchg':
      case 'fetch_add':
        return { ...one, kind: one.kind, to: 'r', at: { cell: one.cell } };
      case 'cas':
        return { ...one, to: 'r', at: { cell: one.cell } };
      case 'await':
        return { ...one, at: { cell: one.cell } };
      case 'plain-load':
      case 'plain-store':
        throw new Error(`${one.kind} is not for this judge`);
    }
  };
  return { cells, arrays: [], threads: threads.map((code) => code.map(statement)) };
}

/** The choices that a compiler makes; see [`compileForArm`]. */
export interface ArmMapping {
  /** Whether acquiring loads are compiled to `ldapr` instead of `ldar`. */
  readonly hasRcpc: boolean;
  /** Whether read-modify-writes are compiled to LSE instructions instead of pairs of exclusives. */
  readonly hasLse: boolean;
  /** Whether `seq_cst` accesses are compiled as acquiring loads and releasing stores. */
  readonly isRA: boolean;
  /** Whether a failed assertion ends its thread; otherwise assertions are removed. */
  readonly keepsAssertions: boolean;
}

function acquires(order: MemoryOrder): boolean {
  return order === 'acquire' || order === 'acq_rel' || order === 'seq_cst';
}

function releases(order: MemoryOrder): boolean {
  return order === 'release' || order === 'acq_rel' || order === 'seq_cst';
}

/**
 * Returns the instructions that GCC and Clang generate for AArch64, loops of exclusives without
 * their repetitions. (The mappings of C/C++11 to processors, P. Sewell and others, extended by
 * `ldapr`, and by LSE as in LLVM.) Dependencies are those of the text. Where compilers differ, the
 * weaker code is chosen: after a pair of exclusives the result of `cas` comes from the branch,
 * after the instruction from a comparison.
 */
export function compileForArm({ threads }: ArmSketch, mapping: ArmMapping): ArmProgram {
  let temporaries = 0;
  const fresh = (): string => `t${(temporaries += 1)}`;
  /** Compiles a condition to branches on registers, from left to right. */
  const branch = (
    { register, equals, more }: ArmCondition,
    then: readonly Instruction[],
    other: readonly Instruction[],
  ): Instruction => {
    const rest: readonly Instruction[] = more
      ? [{ op: 'if', equal: [more.register, more.equals], then, else: other }]
      : [];
    const [whenEqual, whenNot] = !more
      ? [then, other]
      : more.operator === '&&'
        ? [rest, other]
        : [then, rest];
    return { op: 'if', equal: [register, equals], then: whenEqual, else: whenNot };
  };
  const operandOf = (value: ArmValue): [readonly Instruction[], number | string] => {
    if (typeof value !== 'object') return [[], value];
    if ('both' in value) {
      // There is no branch on the second register while the first register is 0.
      const { both, plus } = value;
      const [isZero, sum] = [fresh(), fresh()];
      const then = [{ op: 'add', to: sum, of: [0, plus] }] as const;
      const other = [
        { op: 'cset', to: isZero, of: [both[1], 0] },
        { op: 'sub', to: sum, of: [plus + 1, isZero] },
      ] as const;
      return [[{ op: 'if', equal: [both[0], 0], then, else: other }], sum];
    }
    const [zero, sum] = [fresh(), fresh()];
    const difference = { op: 'eor', to: zero, of: [value.of, value.of] } as const;
    return [[difference, { op: 'add', to: sum, of: [zero, value.plus] }], sum];
  };
  const compileAll = (code: readonly ArmStatement[]): readonly Instruction[] =>
    code.flatMap(compile);
  const loadOf = (
    to: string,
    { at, order }: { readonly at: Address; readonly order: MemoryOrder },
  ): Instruction => {
    if (!acquires(order)) return { op: 'ldr', to, at };
    const isSC = order === 'seq_cst' && !mapping.isRA;
    return { op: 'ldr', to, at, order: mapping.hasRcpc && !isSC ? 'Q' : 'A' };
  };
  const compile = (statement: ArmStatement): readonly Instruction[] => {
    switch (statement.kind) {
      case 'fence':
        return [{ op: 'dmb', kind: statement.order === 'acquire' ? 'ld' : 'full' }];
      case 'assert': {
        const { register, not } = statement;
        if (!mapping.keepsAssertions) return [{ op: 'note', equal: [register, not] }];
        return [{ op: 'if', equal: [register, not], then: [{ op: 'fail' }] }];
      }
      case 'if':
        return [branch(statement, compileAll(statement.then), compileAll(statement.else ?? []))];
      case 'load-while':
        return [
          loadOf(statement.to, statement),
          branch(statement.condition, [{ op: 'repeat' }], []),
        ];
      case 'section': {
        const [before, value] = operandOf(statement.value);
        const { to, at, order, condition } = statement;
        const acquiring = acquires(order) ? 'A' : undefined;
        const releasing = releases(order) ? 'L' : undefined;
        return [
          { op: 'ldr', to, at, exclusive: true, order: acquiring },
          branch(
            condition,
            [...before, { op: 'str', value, at, exclusive: true, order: releasing }],
            [],
          ),
        ];
      }
      case 'load':
        return [loadOf(statement.to, statement)];
      case 'await': {
        const got = fresh();
        const equal = [got, statement.value] as const;
        return [loadOf(got, statement), { op: 'if', equal, then: [], else: [{ op: 'repeat' }] }];
      }
      case 'store': {
        const [before, value] = operandOf(statement.value);
        const order = releases(statement.order) ? 'L' : undefined;
        return [...before, { op: 'str', value, at: statement.at, order }];
      }
      default:
        return compileRmw(statement);
    }
  };
  const compileRmw = (
    statement: Extract<ArmStatement, { kind: 'xchg' | 'fetch_add' | 'cas' }>,
  ): readonly Instruction[] => {
    const { kind, to, at, order } = statement;
    const [before, value] = operandOf(statement.value);
    const isAcquiring = acquires(order) || (kind === 'cas' && acquires(statement.failure));
    const isReleasing = releases(order);
    const old = fresh();
    if (mapping.hasLse) {
      const op = ({ xchg: 'swp', fetch_add: 'ldadd', cas: 'cas' } as const)[kind];
      const orders = { acquires: isAcquiring, releases: isReleasing };
      const expected = kind === 'cas' ? { expected: statement.expected } : {};
      const result: Instruction =
        kind === 'cas'
          ? { op: 'cset', to, of: [old, statement.expected] }
          : { op: 'add', to, of: [old, 0] };
      const access = { op, to: old, value, at, ...expected, ...orders };
      if (kind !== 'cas' || !statement.waits) return [...before, access, result];
      const equal = [old, statement.expected] as const;
      return [...before, access, { op: 'if', equal, then: [], else: [{ op: 'repeat' }] }];
    }
    const load: Instruction = {
      ...{ op: 'ldr', to: old, at, exclusive: true, order: isAcquiring ? 'A' : undefined },
    };
    const exclusive = { op: 'str', at, exclusive: true } as const;
    const store = (data: number | string): Instruction => {
      return { ...exclusive, value: data, order: isReleasing ? 'L' : undefined };
    };
    const set = (data: number | string): Instruction => ({ op: 'add', to, of: [data, 0] });
    switch (kind) {
      case 'xchg':
        return [...before, load, store(value), set(old)];
      case 'fetch_add': {
        const sum = fresh();
        return [...before, load, { op: 'add', to: sum, of: [old, value] }, store(sum), set(old)];
      }
      case 'cas': {
        const equal = [old, statement.expected] as const;
        const branches = statement.waits
          ? { then: [store(value)], else: [{ op: 'repeat' } as const] }
          : { then: [store(value), set(1)], else: [set(0)] };
        return [...before, load, { op: 'if', equal, ...branches }];
      }
    }
  };
  return { threads: threads.map(compileAll) };
}
