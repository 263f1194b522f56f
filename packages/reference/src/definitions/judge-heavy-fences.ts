import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  compileProgram,
  leavingTransitions,
  type CodeTransition,
} from '@fencewright/model/semantics/thread-code.js';

/**
 * An access that has been executed; `source` is the store from which it read, `undefined` for the
 * initial value.
 */
interface Access {
  readonly kind: 'read' | 'write' | 'update';
  readonly address: number;
  readonly source?: string | undefined;
}

interface Store {
  readonly name: string;
  readonly address: number;
  readonly value: number;
}

/**
 * A state of the machine of docs/asymmetric.md, with the accesses that led to it. `asked` contains,
 * for a thread in a heavy fence, the threads for which the fence still waits.
 */
interface State {
  readonly at: readonly number[];
  readonly registers: readonly (readonly number[])[];
  readonly buffers: readonly (readonly Store[])[];
  readonly asked: readonly (readonly number[] | undefined)[];
  readonly accesses: readonly (readonly Access[])[];
  /** By address, the stores to it that have reached memory, oldest first. */
  readonly memory: ReadonlyMap<number, readonly Store[]>;
}

/** Facts about all computations of a program with heavy fences. */
interface HeavyFenceJudgement {
  /** Whether some computation of the program has a cycle in its happens-before relation. */
  readonly isCyclic: boolean;
  /** Whether some heavy fence had to wait, as it found a delayed store of another thread. */
  readonly waits: boolean;
  /** The final values of registers and memory, after the end of all threads, as texts. */
  readonly finalStates: ReadonlySet<string>;
  /** Whether all computations of the program were tried. */
  readonly isComplete: boolean;
}

function change<T>(list: readonly T[], index: number, value: T): readonly T[] {
  return list.map((old, i) => (i === index ? value : old));
}

function nameOf(thread: number, number: number): string {
  return `${thread}.${number}`;
}

/**
 * Whether program order, store order, reads-from and conflicts together have a cycle in the state's
 * trace.
 */
function isCyclic({ accesses, memory }: State): boolean {
  const next = new Map<string, string[]>();
  const edge = (from: string, to: string | undefined): void => {
    if (to === undefined || from === to) return;
    next.set(from, [...(next.get(from) ?? []), to]);
  };
  for (const stores of memory.values())
    stores.forEach(({ name }, i) => edge(name, stores[i + 1]?.name));
  accesses.forEach((own, t) =>
    own.forEach(({ kind, address, source }, i) => {
      const name = nameOf(t, i);
      if (i > 0) edge(nameOf(t, i - 1), name);
      if (kind === 'write') return;
      if (source !== undefined) edge(source, name);
      const stores = (memory.get(address) ?? []).map((store) => store.name);
      const behind = stores.slice(source === undefined ? 0 : stores.indexOf(source) + 1);
      edge(
        name,
        behind.find((store) => store !== name),
      );
    }),
  );
  const done = new Map<string, boolean>();
  const closes = (name: string): boolean => {
    const known = done.get(name);
    if (known !== undefined) return !known;
    done.set(name, false);
    if ((next.get(name) ?? []).some(closes)) return true;
    done.set(name, true);
    return false;
  };
  return [...next.keys()].some(closes);
}

/** Returns the states after the transition, which is not a heavy fence. */
function execute(state: State, t: number, step: CodeTransition): readonly State[] {
  const { instruction, to } = step.transition;
  const registers = at(state.registers, t);
  const buffer = at(state.buffers, t);
  const own = at(state.accesses, t);
  const moved = { ...state, at: change(state.at, t, to) };
  const withRegister = (into: number | undefined, value: number) =>
    into === undefined
      ? state.registers
      : change(state.registers, t, change(registers, into, value));
  const withAccess = (access: Access) => change(state.accesses, t, [...own, access]);
  switch (instruction.kind) {
    case 'skip':
      return [moved];
    case 'assume':
      return step.value(registers, 0) === 0 ? [] : [moved];
    case 'assign':
      return [{ ...moved, registers: withRegister(instruction.into, step.value(registers, 0)) }];
    case 'fence':
      return buffer.length > 0 ? [] : [moved];
    case 'store': {
      const address = step.address(registers, 0);
      const store = { name: nameOf(t, own.length), address, value: step.value(registers, 0) };
      const buffers = change(state.buffers, t, [...buffer, store]);
      return [{ ...moved, buffers, accesses: withAccess({ kind: 'write', address }) }];
    }
    case 'load': {
      const address = step.address(registers, 0);
      const read =
        buffer.findLast((store) => store.address === address) ?? state.memory.get(address)?.at(-1);
      return [
        {
          ...moved,
          registers: withRegister(instruction.into, read?.value ?? 0),
          accesses: withAccess({ kind: 'read', address, source: read?.name }),
        },
      ];
    }
    case 'rmw': {
      if (buffer.length > 0) return [];
      const address = step.address(registers, 0);
      const stores = state.memory.get(address) ?? [];
      const read = stores.at(-1);
      const old = read?.value ?? 0;
      const written = step.rmw.written(old, registers, 0);
      const result = step.rmw.result(written !== undefined, old, registers, 0);
      const kind = written === undefined ? 'read' : 'update';
      const store = written !== undefined && [
        { name: nameOf(t, own.length), address, value: written },
      ];
      return [
        {
          ...moved,
          registers: withRegister(instruction.into, result),
          accesses: withAccess({ kind, address, source: read?.name }),
          memory: store ? new Map(state.memory).set(address, [...stores, ...store]) : state.memory,
        },
      ];
    }
    default:
      throw new InternalError(`the judge of heavy fences knows no ${instruction.kind}`);
  }
}

/** Returns the states after one step of the thread: one of the machine's rules. */
function stepsOf(state: State, t: number, leaving: readonly CodeTransition[]): readonly State[] {
  const [oldest, ...rest] = at(state.buffers, t);
  const flushed: readonly State[] = oldest
    ? [
        {
          ...state,
          buffers: change(state.buffers, t, rest),
          memory: new Map(state.memory).set(oldest.address, [
            ...(state.memory.get(oldest.address) ?? []),
            oldest,
          ]),
        },
      ]
    : [];
  const asked = state.asked[t];
  if (asked?.length === 0)
    return [...flushed, { ...state, asked: change(state.asked, t, undefined) }];
  // The interrupt reaches a thread when its buffer is empty, at once or at any later such moment.
  const passed = (asked ?? []).flatMap((other) =>
    at(state.buffers, other).length > 0
      ? []
      : [
          {
            ...state,
            asked: change(
              state.asked,
              t,
              asked?.filter((one) => one !== other),
            ),
          },
        ],
  );
  if (asked) return [...flushed, ...passed];
  return [
    ...flushed,
    ...leaving.flatMap((step) => {
      const { instruction, to } = step.transition;
      if (instruction.kind !== 'heavy-fence') return execute(state, t, step);
      if (oldest) return [];
      const others = state.at.flatMap((_, other) => (other === t ? [] : [other]));
      return [{ ...state, at: change(state.at, t, to), asked: change(state.asked, t, others) }];
    }),
  ];
}

function finalState({ registers, memory }: State): string {
  const cells = [...memory].map(
    ([address, stores]) => [address, stores.at(-1)?.value ?? 0] as const,
  );
  const held = cells.filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  return `${registers.join(' ')} | ${held.join(' ')}`;
}

/**
 * Tries all computations of a program with heavy fences, rule by rule as docs/asymmetric.md has
 * them: begin, pass, end. Shares nothing with the machine but the evaluation of expressions. For
 * small programs without lock blocks and endless loops.
 */
export function judgeHeavyFences(program: Program, maxStates: number): HeavyFenceJudgement {
  const code = compileProgram(program);
  const memory = new Map<number, readonly Store[]>();
  for (const { base, initial } of program.symbols)
    initial.forEach((value, i) => {
      if (value !== 0) memory.set(base + i, [{ name: 'initial', address: base + i, value }]);
    });
  const start: State = {
    at: program.threads.map((thread) => thread.initial),
    registers: program.threads.map((thread) => thread.registers.map(() => 0)),
    buffers: program.threads.map(() => []),
    asked: program.threads.map(() => undefined),
    accesses: program.threads.map(() => []),
    memory,
  };
  const seen = new Set<string>();
  const finalStates = new Set<string>();
  const pending: State[] = [];
  let found = false;
  let waits = false;
  const visit = (state: State): void => {
    const orders = [...state.memory].sort(([a], [b]) => a - b);
    const key = JSON.stringify([state.at, state.registers, state.asked, state.accesses, orders]);
    if (seen.has(key)) return;
    seen.add(key);
    pending.push(state);
    waits ||= state.asked.some((asked) =>
      asked?.some((other) => at(state.buffers, other).length > 0),
    );
    if (state.buffers.some((buffer) => buffer.length > 0)) return;
    found ||= isCyclic(state);
    const isOver = state.at.every(
      (location, t) => leavingTransitions(code, t, location).length === 0 && !state.asked[t],
    );
    if (isOver) finalStates.add(finalState(state));
  };
  visit(start);
  for (let state = pending.pop(); state && seen.size <= maxStates; state = pending.pop())
    for (const t of program.threads.keys())
      stepsOf(state, t, leavingTransitions(code, t, at(state.at, t))).forEach(visit);
  return { isCyclic: found, waits, finalStates, isComplete: seen.size <= maxStates };
}
