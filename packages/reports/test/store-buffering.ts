import { adviceInWords } from '../../cli/src/advice-in-words.js';
import { constant } from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { Subject } from '../src/words/subject.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { ModelReach, ReachResult } from '@fencewright/model/verdict/reach-result.js';
import type { CheckResult, Verdict, Witness } from '@fencewright/model/verdict/verdict.js';

// The store buffering program with results written by hand: reports are tested without any engine.

export const source = `program SB
var x, y
thread t1 regs r1 init l0 begin
  l0: mem[x] <- 1; goto l1;
  l1: r1 <- mem[y]; goto l2;
end
thread t2 regs r2 init l0 begin
  l0: mem[y] <- 1; goto l1;
  l1: r2 <- mem[x]; goto l2;
end
`;

function thread(
  name: string,
  register: string,
  [stored, loaded]: [number, number],
  line: number,
): Thread {
  const instructions: Instruction[] = [
    { kind: 'store', address: { kind: 'address', symbol: stored }, value: constant(1) },
    { kind: 'load', into: 0, address: { kind: 'address', symbol: loaded } },
  ];
  return {
    name,
    registers: [{ name: register, hidden: false }],
    locations: ['l0', 'l1', 'l2'].map((label) => ({ name: label, hidden: false })),
    initial: 0,
    transitions: instructions.map((instruction, i) => ({
      from: i,
      to: i + 1,
      instruction,
      origin: { span: spanAt(line + i, 6, 11 + i) },
    })),
  };
}

export const program: Program = {
  name: 'SB',
  symbols: ['x', 'y'].map((name, base) => ({
    name,
    base,
    length: 1,
    isArray: false,
    initial: [0],
  })),
  threads: [thread('t1', 'r1', [0, 1], 3), thread('t2', 'r2', [1, 0], 7)],
  properties: [
    {
      name: 'oneSeesTheOther',
      kind: 'finally',
      condition: { kind: 'constant', value: 1 },
    },
  ],
};

export const subject: Subject = {
  file: 'sb.fw',
  source,
  program,
  advise: adviceInWords,
};

const computation: Action[] = [
  { kind: 'issue', thread: 0, transition: 0, address: 0, value: 1 },
  { kind: 'load', thread: 0, transition: 1, address: 1, value: 0, early: false },
  { kind: 'issue', thread: 1, transition: 0, address: 1, value: 1 },
  { kind: 'store', thread: 1, transition: 0, address: 1, value: 1 },
  { kind: 'load', thread: 1, transition: 1, address: 0, value: 0, early: false },
  { kind: 'store', thread: 0, transition: 0, address: 0, value: 1 },
];

export const witness: Witness = {
  attack: { thread: 0, store: 0, load: 1 },
  computation,
  cycle: [
    { from: 0, to: 1, relation: 'po' },
    { from: 1, to: 2, relation: 'cf' },
    { from: 2, to: 4, relation: 'po' },
    { from: 4, to: 0, relation: 'cf' },
  ],
};

/** Returns a result of `check` with this verdict. */
export function checkResult(verdict: Verdict): CheckResult {
  const feasible = verdict.kind === 'not-robust' ? 1 : 0;
  return {
    verdict,
    happensBefore: 'standard',
    attacks:
      feasible === 1 ? [{ attack: { thread: 0, store: 0, load: 1 }, verdict: 'feasible' }] : [],
    statistics: {
      engine: 'instrument',
      threads: 2,
      labels: 6,
      instructions: 4,
      states: 1234,
      bytes: 56_789,
      queries: 1,
      milliseconds: 12.3456,
      attacks: { total: 2, byCfg: 0, infeasible: 0, feasible },
    },
    diagnostics: [],
  };
}

/**
 * Returns a state of the TSO machine with these contents; registers and locations do not matter to
 * the reports.
 */
function state(
  memory: readonly [number, number],
  buffers: MachineState['buffers'],
  registers: readonly [number, number] = [0, 0],
): MachineState {
  return {
    locations: [0, 0],
    registers: registers.map((value) => [value]),
    memory: new Map(memory.map((value, address) => [address, value])),
    buffers,
  };
}

const xBuffered = { transition: 0, address: 0, value: 1 };
const yBuffered = { transition: 0, address: 1, value: 1 };

export const replayed: readonly MachineState[] = [
  state([0, 0], [[], []]),
  state([0, 0], [[xBuffered], []]),
  state([0, 0], [[xBuffered], []]),
  state([0, 0], [[xBuffered], [yBuffered]]),
  state([0, 1], [[xBuffered], []]),
  state([0, 1], [[xBuffered], []]),
  state([1, 1], [[], []]),
];

const empty = [[], []];
const scFinal = [
  state([1, 1], empty, [0, 1]),
  state([1, 1], empty, [1, 0]),
  state([1, 1], empty, [1, 1]),
];

const sc: ModelReach = {
  states: 12,
  finalStates: scFinal,
  properties: [{ property: 'oneSeesTheOther', verdict: 'holds' }],
  failedAssertions: [],
};

const tso: ModelReach = {
  states: 40,
  finalStates: [state([1, 1], empty, [0, 0]), ...scFinal],
  properties: [{ property: 'oneSeesTheOther', verdict: 'violated', computation }],
  failedAssertions: [],
};

export const reachResult: ReachResult = {
  model: 'TSO',
  sc,
  tso,
  sameFinalStates: 'no',
  hangs: { kind: 'found', hangs: [], underSc: [] },
  answer: { kind: 'breaks', claims: [{ kind: 'property', property: 0 }], computation },
  milliseconds: 3.21,
  diagnostics: [],
};
