import { at } from '@fencewright/ground/base/at.js';
import { commentText } from '@fencewright/ground/source/quote-name.js';
import { foldBlocks } from '@fencewright/model/analysis/fold-blocks.js';
import { computeLiveRegisters } from '@fencewright/model/analysis/liveness.js';
import {
  computeScratchRegisters,
  registerWrittenBy,
} from '@fencewright/model/analysis/scratch-registers.js';
import { formatInstrumented } from '@fencewright/model/instrumented/format-instrumented.js';
import type {
  LocationId,
  RegisterId,
  ThreadId,
  TransitionId,
} from '@fencewright/model/program/ids.js';
import type {
  InstrumentedStep,
  InstrumentedInstruction,
  InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import { maxHavocChoices } from '@fencewright/model/semantics/thread-code.js';
import { instrumentedAccess } from '@fencewright/model/reach/register-access.js';
import { initialCells, mapCells, type CellMap } from './promela-cells.js';
import { promelaNumber } from './promela-expression.js';
import {
  havocChoice,
  commandOf,
  controlVariable,
  faultOf,
  type GuardedCommand,
  type StepScope,
} from './promela-step.js';

interface PromelaOptions {
  /**
   * The program before instrumentation (or `program` itself); its addresses are the addresses of
   * the model.
   */
  readonly original: Program;
  /**
   * The locations at which the model gets a failing assertion, so that SPIN reports a run to the
   * location.
   */
  readonly goals?: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
  /**
   * The cells of the control space that the model prints at goals. `ALLOWED` guards each store of a
   * constant to such a cell.
   */
  readonly observe?: readonly number[];
  /** Whether the printed model sets dead registers to 0. */
  readonly maskDeadRegisters?: boolean;
  /** Whether the model checks the program's own assertions. */
  readonly keepsAssertions?: boolean;
}

/** A program in Promela, with the meaning of the numbers that its macros have as arguments. */
export interface PromelaModel {
  /**
   * The text of the model, without definitions of `FAULT(n)`, and of `ALLOWED(n)` if cells are
   * observed.
   */
  readonly text: string;
  /** By argument of the macro `FAULT`, the step that faults. */
  readonly faults: readonly FaultyStep[];
  /**
   * By argument of the macro `ALLOWED`, the store of `value` to the control cell `cell` that the
   * macro guards.
   */
  readonly choices: readonly { readonly cell: number; readonly value: number }[];
  /** An upper bound on the size of a state of the model, in bytes. */
  readonly stateBytes: number;
}

/** The maximum number of alternatives that are written out; wider choices are made in a loop. */
const maxAlternatives = 64;

interface ProcessContext {
  readonly options: PromelaOptions;
  readonly program: InstrumentedProgram;
  readonly thread: Thread<InstrumentedInstruction>;
  readonly id: ThreadId;
  readonly scope: StepScope;
  readonly isScratch: readonly boolean[];
  readonly live: readonly (readonly boolean[])[];
  readonly faults: FaultyStep[];
  readonly choices: { cell: number; value: number }[];
}

function stepsOf(instruction: InstrumentedInstruction): readonly InstrumentedStep[] {
  return instruction.kind === 'block' ? instruction.steps : [instruction];
}

/**
 * Returns the registers that hold a value before or within the transition, but are dead afterwards;
 * empty unless dead registers are to be set to 0.
 */
function deadRegisters(
  { options, live, isScratch, thread }: ProcessContext,
  { from, to, instruction }: Transition<InstrumentedInstruction>,
): readonly RegisterId[] {
  if (!options.maskDeadRegisters) return [];
  const written = new Set(stepsOf(instruction).map(registerWrittenBy));
  return thread.registers.flatMap((_, register) => {
    const holds = live[from]?.[register] === true || written.has(register);
    return holds && live[to]?.[register] !== true && !isScratch[register] ? [register] : [];
  });
}

/**
 * Returns the conditions of a transition's stores to observed cells: the caller of the model
 * selects the values allowed there.
 */
function permissions(
  { options, choices }: ProcessContext,
  instruction: InstrumentedInstruction,
): readonly string[] {
  return stepsOf(instruction).flatMap((step) => {
    if (step.kind !== 'auxiliary-store' || step.space !== 'control') return [];
    if (step.address.kind !== 'constant' || step.value.kind !== 'constant') return [];
    const cell = step.address.value;
    const { value } = step.value;
    if (!options.observe?.includes(cell)) return [];
    const known = choices.findIndex((choice) => choice.cell === cell && choice.value === value);
    return [`ALLOWED(${known >= 0 ? known : choices.push({ cell, value }) - 1})`];
  });
}

function sequence(kind: 'd_step' | 'atomic', statements: readonly string[]): string {
  const [first = 'true', ...rest] = statements;
  return `${kind} { ${first} -> ${[...rest].join('; ')} }`;
}

function conjunction(guard: readonly string[]): string {
  return guard.length === 0 ? 'true' : guard.join(' && ');
}

/** Returns the alternatives of a transition in Promela: the normal effects, and the faults. */
function alternatives(
  context: ProcessContext,
  transition: Transition<InstrumentedInstruction>,
  number: TransitionId,
): string[] {
  const { scope, program, id, faults } = context;
  const { instruction, to } = transition;
  const clear = deadRegisters(context, transition).map(
    (register) => `${scope.variable(register)} = 0`,
  );
  const allowed = permissions(context, instruction);
  const mark = (choice = ''): string => `printf("step ${id} ${number}${choice}\\n")`;
  const failures = (command: GuardedCommand): string[] =>
    command.faults.map(({ fault, when }) => {
      const index = faults.push({ thread: id, transition: number, fault }) - 1;
      return `:: ${sequence('d_step', [when, `FAULT(${index})`])}; goto stuck`;
    });
  const print = (command: GuardedCommand, choice?: string): string => {
    const guard = conjunction([...command.guard, ...allowed]);
    return `:: ${sequence('d_step', [guard, ...command.body, mark(choice), ...clear])}; goto L${to}`;
  };
  if (instruction.kind !== 'havoc') {
    const command = commandOf(scope, stepsOf(instruction));
    // An always false condition means that only the fault is possible.
    return [...(command.guard.includes('false') ? [] : [print(command)]), ...failures(command)];
  }
  const { into, where } = instruction;
  const range = instruction.range ?? program.domain;
  if (!range || range.high - range.low >= maxHavocChoices)
    return failures(faultOf(scope, 'unbounded-choice'));
  const { low, high } = range;
  if (high - low < maxAlternatives)
    return Array.from({ length: high - low + 1 }, (_, i) => low + i).flatMap((value) => {
      const command = havocChoice(scope, instruction, value);
      return [print(command, ` ${value}`), ...failures(command)];
    });
  const variable = scope.variable(into);
  const command = commandOf(scope, where ? [{ kind: 'assume', condition: where }] : []);
  const next = `:: ${variable} < ${promelaNumber(high)} -> ${variable} = ${variable} + 1`;
  const marked = `printf("step ${id} ${number} %d\\n", ${variable})`;
  const go = [conjunction(command.guard), marked, ...clear].join('; ');
  const inside = [`:: ${go}; goto L${to}`, ...failures(command)].join(' ');
  return [
    `:: atomic { ${variable} = ${promelaNumber(low)}; do ${next} :: break od; if ${inside} fi }`,
  ];
}

function comment(
  context: ProcessContext,
  { instruction }: Transition<InstrumentedInstruction>,
): string {
  const text = formatInstrumented(context.program, context.thread, instruction);
  return `/* ${commentText(text.replaceAll('\n', '; '))} */`;
}

function printProcess(context: ProcessContext): string {
  const { thread, id, options, scope, isScratch } = context;
  const goals = (options.goals ?? []).filter((goal) => goal.thread === id);
  const observed = (options.observe ?? []).map(controlVariable);
  const isGoal = (location: LocationId): boolean =>
    goals.some((goal) => goal.location === location);
  const found = `printf("observed${' %d'.repeat(observed.length)}\\n"${observed.map((name) => `, ${name}`).join('')})`;
  const leaving: TransitionId[][] = thread.locations.map(() => []);
  thread.transitions.forEach(({ from }, number) => leaving[from]?.push(number));
  // The initial location first, as a process begins at its first label.
  const order = [thread.initial];
  const seen = new Set(order);
  for (const location of order)
    for (const number of leaving[location] ?? []) {
      const to = thread.transitions[number]?.to ?? location;
      if (!seen.has(to)) order.push(to);
      seen.add(to);
    }
  const blocks = order.map((location) => {
    const name = at(thread.locations, location).name;
    const head = `L${location}: /* ${commentText(name)} */`;
    if (isGoal(location)) return `${head}\n  ${found}; assert(false); false;`;
    const options = (leaving[location] ?? []).flatMap((number) => {
      const transition = thread.transitions[number];
      if (!transition) return [];
      const [first = '', ...rest] = alternatives(context, transition, number);
      return [`  ${first} ${comment(context, transition)}`, ...rest.map((text) => `  ${text}`)];
    });
    // A thread stays at its end; the death of a process would be an additional state.
    return options.length === 0 ? `${head}\n  false;` : `${head} if\n${options.join('\n')}\n  fi;`;
  });
  const variables = thread.registers.flatMap((_, register) =>
    isScratch[register] ? [] : [scope.variable(register)],
  );
  return [
    `/* ${commentText(thread.name)} */`,
    `active proctype t${id}() {`,
    ...(variables.length > 0 ? [`int ${variables.join(', ')};`] : []),
    ...blocks,
    'stuck: false',
    '}',
  ].join('\n');
}

function usesSpace(program: InstrumentedProgram, space: string): boolean {
  return program.threads.some(({ transitions }) =>
    transitions.some(({ instruction }) =>
      stepsOf(instruction).some((step) => 'space' in step && step.space === space),
    ),
  );
}

function controlCells(program: InstrumentedProgram): number[] {
  const cells = new Set<number>();
  for (const { transitions } of program.threads)
    for (const { instruction } of transitions)
      for (const step of stepsOf(instruction))
        if ('space' in step && step.space === 'control' && step.address.kind === 'constant')
          cells.add(step.address.value);
  return [...cells].sort((a, b) => a - b);
}

function declarations(
  program: InstrumentedProgram,
  cells: CellMap,
  hasLocks: boolean,
  scratch: readonly string[],
): string[] {
  const size = cells.addresses.length;
  const space = (name: string, declaration: string): string[] =>
    usesSpace(program, name) ? [declaration] : [];
  const { addresses } = cells;
  const last = addresses.at(-1) ?? 0;
  return [
    `/* cell ${addresses.length - 1} of mem is address ${last} */`,
    `int mem[${size}];`,
    ...(hasLocks ? ['byte bus; /* the holder of the bus lock, + 1 */'] : []),
    ...space(
      'pending',
      `bool pending[${size}]; /* the attacker has delayed a store to the address */`,
    ),
    ...space('buffer', `int buffered[${size}]; /* the newest value of those */`),
    ...space('level', `byte level[${size}]; /* accesses on the path: 0 none, 1 load, 2 store */`),
    ...controlCells(program).map((cell) => `int ${controlVariable(cell)};`),
    `int ${['old', ...scratch].join(', ')}; /* 0 but within steps */`,
  ];
}

/** Returns the process that initialises memory and then starts all threads. */
function startup(initial: readonly number[], threads: number): string {
  const stores = initial.flatMap((value, cell) =>
    value === 0 ? [] : [`mem[${cell}] = ${promelaNumber(value)}`],
  );
  const runs = Array.from({ length: threads }, (_, id) => `run t${id}()`);
  return `init { atomic { ${[...stores, ...runs].join('; ')} } }`;
}

/**
 * Returns the SC semantics of a program for SPIN, instrumented or not: a process for each thread,
 * memory as an array, and one step for each instruction or block. Replaying a trail prints `step`,
 * the thread and the transition of each step. A faulting execution ends, after `FAULT`. Source:
 * [BDM13] Sect. 8.
 */
export function toPromela(unfolded: InstrumentedProgram, options: PromelaOptions): PromelaModel {
  const program = foldBlocks(unfolded);
  const cells = mapCells(options.original);
  const hasLocks = program.threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => stepsOf(instruction).some(({ kind }) => kind === 'lock')),
  );
  const faults: FaultyStep[] = [];
  const choices: { cell: number; value: number }[] = [];
  const scratchOf = program.threads.map((thread) => computeScratchRegisters(thread));
  // Scratch registers are 0 between steps, so threads can share their variables.
  const scratchName = (thread: ThreadId, register: RegisterId): string =>
    `s${scratchOf[thread]?.slice(0, register).filter(Boolean).length ?? 0}`;
  const processes = program.threads.map((thread, id) => {
    const isScratch = scratchOf[id] ?? [];
    const variable = (register: RegisterId): string =>
      isScratch[register] ? scratchName(id, register) : `r${register}`;
    return printProcess({
      options,
      program,
      thread,
      id,
      isScratch,
      live: options.maskDeadRegisters ? computeLiveRegisters(thread, instrumentedAccess) : [],
      scope: {
        symbols: program.symbols,
        domain: program.domain,
        cells,
        thread: id,
        hasLocks,
        keepsAssertions: options.keepsAssertions ?? false,
        variable,
      },
      faults,
      choices,
    });
  });
  const widest = Math.max(0, ...scratchOf.map((isScratch) => isScratch.filter(Boolean).length));
  const scratch = Array.from({ length: widest }, (_, number) => `s${number}`);
  const initial = initialCells(program, cells);
  const isSetUp = initial.some((value) => value !== 0);
  const registers = program.threads.reduce((sum, thread) => sum + thread.registers.length, 0);
  return {
    text: [
      ...declarations(program, cells, hasLocks, scratch),
      ...(isSetUp
        ? processes.map((text) => text.replace('active proctype', 'proctype'))
        : processes),
      ...(isSetUp ? [startup(initial, program.threads.length)] : []),
      '',
    ].join('\n'),
    faults,
    choices,
    stateBytes: 128 + 10 * cells.addresses.length + 4 * registers + 32 * program.threads.length,
  };
}
