import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { compileExpression, type Evaluator } from '@fencewright/model/program/evaluate.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { Program } from '@fencewright/model/program/program.js';
import { parseGood } from './listing.js';

// A thread alone is an ordinary C program: random ones are run by a small interpreter and, once
// more, as automata. Both have to make the same accesses in the same order, and end with the same
// registers.

type Term =
  | { kind: 'number'; value: number }
  | { kind: 'register'; name: string }
  | { kind: 'shared'; name: string }
  | { kind: 'cell'; index: Term }
  | { kind: 'not'; operand: Term }
  | { kind: 'binary'; operator: string; left: Term; right: Term };

type Statement =
  | { kind: 'assign'; target: Term; value: Term }
  | { kind: 'if'; condition: Term; then: Statement; otherwise?: Statement }
  | { kind: 'while' | 'do'; condition: Term; body: Statement }
  | { kind: 'loop'; body: Statement }
  | { kind: 'block'; body: Statement[] }
  | { kind: 'break' | 'continue' | 'empty' };

const registers = ['r', 's'];
const addresses: Record<string, number> = { x: 1, y: 2, a: 3 };

function printTerm(term: Term): string {
  switch (term.kind) {
    case 'number':
      return String(term.value);
    case 'register':
    case 'shared':
      return term.name;
    case 'cell':
      return `a[${printTerm(term.index)} & 1]`;
    case 'not':
      return `!(${printTerm(term.operand)})`;
    case 'binary':
      return `(${printTerm(term.left)} ${term.operator} ${printTerm(term.right)})`;
  }
}

function print(statement: Statement): string {
  switch (statement.kind) {
    case 'assign':
      return `${printTerm(statement.target)} = ${printTerm(statement.value)} & 3;`;
    case 'if': {
      const { otherwise } = statement;
      const rest = otherwise ? ` else ${print(otherwise)}` : '';
      // Braces keep an else with its own if.
      return `if (${printTerm(statement.condition)}) { ${print(statement.then)} }${rest}`;
    }
    case 'while':
      return `while (${printTerm(statement.condition)}) ${print(statement.body)}`;
    case 'do':
      return `do ${print(statement.body)} while (${printTerm(statement.condition)});`;
    case 'loop':
      return `loop { ${print(statement.body)} }`;
    case 'block':
      return `{ ${statement.body.map(print).join('\n')} }`;
    case 'empty':
      return ';';
    default:
      return `${statement.kind};`;
  }
}

/** A run: its accesses, and the registers if the run ended. */
interface Run {
  readonly accesses: string[];
  end?: readonly number[];
}

class OutOfFuel extends Error {}

/** Runs a statement by the rules of C. */
function interpret(program: Statement): Run {
  const memory = new Map<number, number>();
  const values = new Map(registers.map((name) => [name, 0]));
  const accesses: string[] = [];
  let fuel = 300;
  const burn = () => {
    if (fuel-- === 0) throw new OutOfFuel();
  };
  const load = (address: number): number => {
    accesses.push(`load ${address}`);
    return memory.get(address) ?? 0;
  };
  const addressOf = (term: Term): number =>
    term.kind === 'cell'
      ? addresses.a! + (evaluate(term.index) & 1)
      : addresses[(term as { name: string }).name]!;
  const evaluate = (term: Term): number => {
    switch (term.kind) {
      case 'number':
        return term.value;
      case 'register':
        return values.get(term.name)!;
      case 'shared':
      case 'cell':
        return load(addressOf(term));
      case 'not':
        return evaluate(term.operand) === 0 ? 1 : 0;
      case 'binary': {
        const left = evaluate(term.left);
        if (term.operator === '&&') return left !== 0 && evaluate(term.right) !== 0 ? 1 : 0;
        if (term.operator === '||') return left !== 0 || evaluate(term.right) !== 0 ? 1 : 0;
        const right = evaluate(term.right);
        if (term.operator === '+') return left + right;
        if (term.operator === '-') return left - right;
        return (term.operator === '==' ? left === right : left < right) ? 1 : 0;
      }
    }
  };
  /** Runs a statement; returns whether it ended with `break` or `continue`. */
  const run = (statement: Statement): 'break' | 'continue' | undefined => {
    burn();
    switch (statement.kind) {
      case 'assign': {
        const { target } = statement;
        if (target.kind === 'register') {
          values.set(target.name, evaluate(statement.value) & 3);
        } else {
          const address = addressOf(target);
          const value = evaluate(statement.value) & 3;
          accesses.push(`store ${address} ${value}`);
          memory.set(address, value);
        }
        return undefined;
      }
      case 'if':
        if (evaluate(statement.condition) !== 0) return run(statement.then);
        return statement.otherwise && run(statement.otherwise);
      case 'while':
        while (evaluate(statement.condition) !== 0) {
          burn();
          if (run(statement.body) === 'break') break;
        }
        return undefined;
      case 'do':
        do {
          burn();
          if (run(statement.body) === 'break') break;
        } while (evaluate(statement.condition) !== 0);
        return undefined;
      case 'loop':
        for (;;) {
          burn();
          if (run(statement.body) === 'break') return undefined;
        }
      case 'block':
        for (const part of statement.body) {
          const jump = run(part);
          if (jump) return jump;
        }
        return undefined;
      case 'empty':
        return undefined;
      default:
        return statement.kind;
    }
  };
  try {
    run(program);
    return { accesses, end: [...values.values()] };
  } catch (error) {
    if (error instanceof OutOfFuel) return { accesses };
    throw error;
  }
}

/**
 * Runs the automaton for at most `steps` steps. Expects exactly one enabled transition at every
 * location before the end.
 */
function execute({ threads, symbols }: Program, steps: number): Run {
  const [thread] = threads;
  const memory = new Map<number, number>();
  const values = thread!.registers.map(() => 0);
  const accesses: string[] = [];
  const compiled = new Map<Expression, Evaluator>();
  const evaluate = (expression: Expression) => {
    const known = compiled.get(expression) ?? compileExpression(expression, symbols);
    compiled.set(expression, known);
    return known(values, 0);
  };
  const leavingOf = thread!.locations.map((_, id) =>
    thread!.transitions.filter(({ from }) => from === id),
  );
  let location = thread!.initial;
  for (let step = 0; step < steps; step++) {
    const leaving = leavingOf[location]!;
    if (leaving.length === 0) return { accesses, end: values.slice(0, registers.length) };
    const enabled = leaving.filter(
      ({ instruction }) => instruction.kind !== 'assume' || evaluate(instruction.condition) !== 0,
    );
    if (enabled.length !== 1) throw new Error('no, or more than one transition is enabled');
    const { instruction, to } = enabled[0]!;
    location = to;
    if (instruction.kind === 'assign') {
      values[instruction.into] = evaluate(instruction.value);
    } else if (instruction.kind === 'load') {
      const address = evaluate(instruction.address);
      accesses.push(`load ${address}`);
      values[instruction.into] = memory.get(address) ?? 0;
    } else if (instruction.kind === 'store') {
      const address = evaluate(instruction.address);
      const value = evaluate(instruction.value);
      accesses.push(`store ${address} ${value}`);
      memory.set(address, value);
    } else if (instruction.kind !== 'assume' && instruction.kind !== 'skip') {
      throw new Error(`unexpected ${instruction.kind}`);
    }
  }
  return { accesses };
}

const { term } = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.nat(2).map((value): Term => ({ kind: 'number', value })),
    fc.constantFrom(...registers).map((name): Term => ({ kind: 'register', name })),
    fc.constantFrom('x', 'y').map((name): Term => ({ kind: 'shared', name })),
    tie('term').map((index): Term => ({ kind: 'cell', index })),
    tie('term').map((operand): Term => ({ kind: 'not', operand })),
    fc
      .tuple(fc.constantFrom('+', '-', '==', '<', '&&', '||', '&&', '||'), tie('term'), tie('term'))
      .map(([operator, left, right]): Term => ({ kind: 'binary', operator, left, right })),
  ),
}));

const assignment = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...registers).map((name): Term => ({ kind: 'register', name })),
      fc.constantFrom('x', 'y').map((name): Term => ({ kind: 'shared', name })),
      term.map((index): Term => ({ kind: 'cell', index })),
    ),
    term,
  )
  .map(([target, value]): Statement => ({ kind: 'assign', target, value }));

/** Random statements nested `depth` levels deep; jumps occur only within loops. */
function statement(depth: number, inLoop: boolean): fc.Arbitrary<Statement> {
  const simple: fc.Arbitrary<Statement>[] = [
    assignment,
    assignment,
    fc.constant<Statement>({ kind: 'empty' }),
  ];
  if (inLoop)
    simple.push(fc.constantFrom('break' as const, 'continue' as const).map((kind) => ({ kind })));
  if (depth === 0) return fc.oneof(...simple);
  const inner = statement(depth - 1, inLoop);
  const body = statement(depth - 1, true);
  return fc.oneof(
    ...simple,
    fc
      .tuple(term, inner, fc.option(inner, { nil: undefined }))
      .map(([condition, then, otherwise]): Statement => ({
        kind: 'if',
        condition,
        then,
        ...(otherwise && { otherwise }),
      })),
    fc
      .tuple(fc.constantFrom('while' as const, 'do' as const), term, body)
      .map(([kind, condition, of]): Statement => ({ kind, condition, body: of })),
    body.map((of): Statement => ({ kind: 'loop', body: of })),
    fc.array(inner, { maxLength: 4 }).map((of): Statement => ({ kind: 'block', body: of })),
  );
}

it('structured threads run as C does', () => {
  const programs = fc.array(statement(3, false), { minLength: 2, maxLength: 6 });
  let ended = 0;
  fc.assert(
    fc.property(programs, (body) => {
      const text = `program P\nvar x, y, a[2]\nthread t { local r, s;\n${body.map(print).join('\n')}\n}`;
      const expected = interpret({ kind: 'block', body });
      const actual = execute(parseGood(text), expected.end ? 20_000 : 1000);
      if (expected.end) {
        ended += 1;
        expect(actual, text).toEqual(expected);
      } else {
        const common = Math.min(actual.accesses.length, expected.accesses.length);
        expect(actual.accesses.slice(0, common), text).toEqual(expected.accesses.slice(0, common));
      }
    }),
    { seed: randomSeed(2013), numRuns: randomRuns(400, 8000) },
  );
  expect(ended).toBeGreaterThan(100);
});
