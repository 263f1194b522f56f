import type {
  Expression,
  Instruction,
  Program,
  RmwOperation,
  Thread,
  Transition,
} from '@fencewright/core';

/** Something SPIN's language has no counterpart for. */
export class NoPromela extends Error {
  override readonly name = 'NoPromela';
}

type Print = (expression: Expression) => string;

/** Expressions in Promela, which has C's operators; `changed` replaces the value of a register. */
function printer(program: Program, changed: ReadonlyMap<number, number> = new Map()): Print {
  const print: Print = (expression) => {
    switch (expression.kind) {
      case 'constant':
        return expression.value < 0 ? `(${expression.value})` : String(expression.value);
      case 'register':
        return String(changed.get(expression.register) ?? `r${expression.register}`);
      case 'address':
        return String(program.symbols[expression.symbol]!.base);
      case 'element':
        return `(${program.symbols[expression.symbol]!.base} + ${print(expression.index)})`;
      case 'unary':
        return `(${expression.operator}${print(expression.operand)})`;
      case 'binary':
        return `(${print(expression.left)} ${expression.operator} ${print(expression.right)})`;
    }
  };
  return print;
}

const fetchOperators = { add: '+', sub: '-', and: '&', or: '|', xor: '^' } as const;

/** `old` holds what the cell held; afterwards the result, which is the old value or whether a compare-and-swap stored. */
function rmw(cell: string, operation: RmwOperation, print: Print): string[] {
  switch (operation.kind) {
    case 'xchg':
      return [`${cell} = ${print(operation.value)}`];
    case 'cas': {
      const stores = `:: old == ${print(operation.expected)} -> ${cell} = ${print(operation.desired)}; old = 1`;
      return [`if ${stores} :: else -> old = 0 fi`];
    }
    case 'fetch':
      return [`${cell} = old ${fetchOperators[operation.operator]} ${print(operation.operand)}`];
  }
}

/** The statements of an instruction, one for each choice it has; `free` is the condition that nobody else holds the bus lock, if there is one. */
function statements(
  program: Program,
  instruction: Instruction,
  free: string | undefined,
): readonly string[] {
  const print = printer(program);
  const access = (...steps: string[]): string => {
    if (!free) return steps.length === 1 ? steps[0]! : `d_step { ${steps.join('; ')} }`;
    return `d_step { ${free} -> ${steps.join('; ')} }`;
  };
  switch (instruction.kind) {
    case 'store':
      return [access(`mem[${print(instruction.address)}] = ${print(instruction.value)}`)];
    case 'load':
      return [access(`r${instruction.into} = mem[${print(instruction.address)}]`)];
    case 'rmw': {
      const cell = `mem[${print(instruction.address)}]`;
      const result = instruction.into === undefined ? [] : [`r${instruction.into} = old`];
      return [
        access(`old = ${cell}`, ...rmw(cell, instruction.operation, print), ...result, 'old = 0'),
      ];
    }
    case 'lock':
      return ['d_step { bus == 0 -> bus = _pid + 1 }'];
    case 'unlock':
      return ['d_step { bus == _pid + 1 -> bus = 0 }'];
    case 'assign':
      return [`r${instruction.into} = ${print(instruction.value)}`];
    case 'assume':
      return [`(${print(instruction.condition)})`];
    case 'assert':
    case 'skip':
    case 'fence':
      return ['skip'];
    case 'havoc': {
      const { into, where } = instruction;
      const span = instruction.range ?? program.domain;
      if (!span) throw new NoPromela('a havoc without bounds');
      return Array.from({ length: span.high - span.low + 1 }, (_, i) => span.low + i).map(
        (value) =>
          where
            ? `d_step { ${printer(program, new Map([[into, value]]))(where)} -> r${into} = ${value} }`
            : `r${into} = ${value}`,
      );
    }
  }
}

function printThread(program: Program, thread: Thread, id: number, free: string | undefined) {
  const leaving = (location: number): Transition[] =>
    thread.transitions.filter(({ from }) => from === location);
  const locations = thread.locations.map((_, location) => location);
  // The initial location first: that is where a process begins.
  const order = [thread.initial, ...locations.filter((location) => location !== thread.initial)];
  const blocks = order.map((location) => {
    const options = leaving(location).flatMap(({ instruction, to }) =>
      statements(program, instruction, free).map((text) => `  :: ${text}; goto L${to}`),
    );
    // A thread at its end stays there; the death of a process would be one more state.
    return options.length === 0
      ? `L${location}: false;`
      : `L${location}: if\n${options.join('\n')}\n  fi;`;
  });
  const usesOld = thread.transitions.some(({ instruction }) => instruction.kind === 'rmw');
  const registers = thread.registers.map((_, register) => `r${register}`);
  const variables = usesOld ? [...registers, 'old'] : registers;
  return [
    `active proctype t${id}() {`,
    ...(variables.length > 0 ? [`short ${variables.join(', ')};`] : []),
    ...blocks,
    '}',
  ].join('\n');
}

/**
 * The SC semantics of a program for SPIN: a process for each thread, memory as one array, an instruction a step. Values are 16 bits,
 * faults are not modelled. Throws `NoPromela`.
 */
export function toPromela(program: Program): string {
  const { symbols, threads } = program;
  const cells = Math.max(1, ...symbols.map(({ base, length }) => base + length));
  if (symbols.some(({ initial }) => initial.some((value) => value !== 0)))
    throw new NoPromela('initial values');
  const hasLocks = threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'lock'),
  );
  const free = hasLocks ? '(bus == 0 || bus == _pid + 1)' : undefined;
  return [
    `short mem[${cells}];`,
    ...(hasLocks ? ['byte bus;'] : []),
    ...threads.map((thread, id) => printThread(program, thread, id, free)),
    '',
  ].join('\n');
}
