import type { Program } from '../program/program.js';
import type { MachineState } from '../trace/machine-state.js';
import { initialState, type Successor, successors } from './machine.js';
import { compileProgram, type ProgramCode } from './thread-code.js';

/**
 * The values that loads return in the comparison of two programs, as other threads may leave any
 * value in memory.
 */
const values = [0, 1, 2, 3, -1];

/**
 * Two limits of the comparison: the maximum number of compared pairs of states of the two threads,
 * and the maximum number of steps of one thread between two accesses.
 */
const [mostPairs, mostSteps] = [2000, 1000];

interface ComparedProgram {
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

/**
 * The next event of a thread whose instructions leave no choice: its end or an access. `undefined`
 * if there is a choice, or if neither happens within the limit of steps.
 */
type Next =
  | { readonly kind: 'end' }
  /** The next access of the thread; `step` is the access with the current contents of memory. */
  | {
      readonly kind: 'access';
      readonly label: string;
      readonly reads?: number;
      readonly step: Successor;
      readonly before: MachineState;
    };

function accessOf({ program }: ComparedProgram, before: MachineState, step: Successor): Next {
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
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'local':
      return { kind: 'access', label: action.kind, step, before };
  }
}

function nextOf(side: ComparedProgram, start: MachineState): Next | undefined {
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

/**
 * Returns the state after the access, if the access finds `value` in memory, and the value that a
 * read-modify-write then stores; `written` is `undefined` for other accesses.
 */
function finding(
  { code }: ComparedProgram,
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
 * Whether two programs of a single thread without choices access equal variables in equal order,
 * and store equal values, for all loaded values in a small set. `undefined` if the programs have
 * choices or faults, or exceed the limits.
 */
export function sameAccesses(one: Program, other: Program): boolean | undefined {
  if (one.threads.length !== 1 || other.threads.length !== 1) return false;
  const [a, b] = [one, other].map((program): ComparedProgram => ({
    program,
    code: compileProgram(program),
  }));
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
