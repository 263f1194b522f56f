import type { Program } from '../program/program.js';
import type { MachineState } from '../trace/machine-state.js';
import { initialState, type Successor, successors } from './machine.js';
import { compileProgram, type ProgramCode } from './thread-code.js';

/** What other threads may have left in memory: loads are tried with these. */
const values = [0, 1, 2, 3, -1];

/** States of both threads together, and steps of one between two accesses, that are looked at. */
const [mostPairs, mostSteps] = [2000, 1000];

interface Side {
  readonly program: Program;
  readonly code: ProgramCode;
}

const nothing: ReadonlyMap<number, number> = new Map();

function cellName({ symbols }: Program, address: number): string {
  const symbol = symbols.find(
    ({ base, initial }) => base <= address && address < base + initial.length,
  );
  return symbol ? `${symbol.name}[${address - symbol.base}]` : `${address}`;
}

/** The end of a way without choices; absent where there is a choice, or no end in sight. */
type Next =
  | { readonly kind: 'end' }
  /** What the thread does next; the step is what comes of it in the memory that there is. */
  | {
      readonly kind: 'access';
      readonly label: string;
      readonly reads?: number;
      readonly step: Successor;
      readonly before: MachineState;
    };

function accessOf({ program }: Side, before: MachineState, step: Successor): Next {
  const action = step.actions[0]!;
  switch (action.kind) {
    case 'issue':
    case 'store': {
      const label = `store ${cellName(program, action.address)} = ${action.value}`;
      return { kind: 'access', label, step, before };
    }
    case 'load':
    case 'rmw': {
      const label = `${action.kind} ${cellName(program, action.address)}`;
      return { kind: 'access', label, reads: action.address, step, before };
    }
    case 'fence':
    case 'lock':
    case 'unlock':
    case 'local':
      return { kind: 'access', label: action.kind, step, before };
  }
}

function nextOf(side: Side, start: MachineState): Next | undefined {
  let state = start;
  for (let count = 0; count < mostSteps; count++) {
    const { steps, faults } = successors('SC', side.code, state);
    const [step, another] = steps;
    if (another || faults.length > 0) return undefined;
    if (!step) return { kind: 'end' };
    if (step.actions[0]!.kind !== 'local') return accessOf(side, state, step);
    state = step.state;
  }
  return undefined;
}

/** What comes of an access that finds a value, and what it writes there. */
function finding(
  { code }: Side,
  { before, reads, step }: Extract<Next, { kind: 'access' }>,
  value: number,
): { readonly state: MachineState; readonly written: number | undefined } {
  const found =
    reads === undefined
      ? step
      : successors('SC', code, { ...before, memory: new Map([[reads, value]]) }).steps[0]!;
  const action = found.actions[0]!;
  return {
    state: { ...found.state, memory: nothing },
    written: action.kind === 'rmw' ? action.written : undefined,
  };
}

const keyOf = ({ locations, registers }: MachineState): string =>
  `${locations.join()} ${registers.join(' ')}`;

/**
 * Whether two programs of one thread without choices access the same variables in the same order,
 * and store the same, whatever loads find there of a few values. `undefined`: they have choices or
 * faults, or there is more to look at than there is room for.
 */
export function sameAccesses(one: Program, other: Program): boolean | undefined {
  if (one.threads.length !== 1 || other.threads.length !== 1) return false;
  const [a, b] = [one, other].map((program): Side => ({ program, code: compileProgram(program) }));
  const open: [MachineState, MachineState][] = [];
  const seen = new Set<string>();
  const add = (left: MachineState, right: MachineState): void => {
    const key = `${keyOf(left)} | ${keyOf(right)}`;
    if (!seen.has(key)) open.push([left, right]);
    seen.add(key);
  };
  add({ ...initialState(one), memory: nothing }, { ...initialState(other), memory: nothing });
  for (let pair = open.pop(); pair; pair = open.pop()) {
    if (seen.size > mostPairs) return undefined;
    const [left, right] = [nextOf(a!, pair[0]), nextOf(b!, pair[1])];
    if (!left || !right) return undefined;
    if (left.kind === 'end' || right.kind === 'end') {
      if (left.kind !== right.kind) return false;
      continue;
    }
    if (left.label !== right.label) return false;
    for (const value of left.reads === undefined ? [0] : values) {
      const [after, otherAfter] = [finding(a!, left, value), finding(b!, right, value)];
      if (after.written !== otherAfter.written) return false;
      add(after.state, otherAfter.state);
    }
  }
  return true;
}
