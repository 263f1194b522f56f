import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import { duplicateName, syntaxError, unknownName } from '@fencewright/ground/source/diagnostic.js';
import { attempt } from '@fencewright/ground/source/reading.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { plainTokens, Tokens } from '@fencewright/ground/source/tokens.js';
import { type LoweredFunction, lowerFunction } from './c-lower.js';
import { readBlock } from './c-read-statement.js';
import { typeWord } from './c-read-term.js';
import type { CFunction } from './c-syntax.js';
import { type Final, readFinal, toProperty } from './condition.js';
import { type InitialRegister, readInitialState } from './initial-state.js';
import { type LitmusReading, startReading } from './litmus-reading.js';
import type { Sections } from './sections.js';

/** The threads, registers and condition of a litmus test in C. */
interface CTest {
  readonly reading: LitmusReading;
  readonly final: Final;
  readonly functions: readonly CFunction[];
  readonly lowered: readonly LoweredFunction[];
}

/** Returns the functions of a litmus test in C as threads; all errors go into `reading`. */
export function lowerC(sections: Sections): CTest {
  const { text } = sections;
  const reading = startReading(text);
  const initial = sections.initial
    ? readInitialState(reading, text, sections.initial, { hasArrays: true })
    : [];
  const functions = readFunctions(reading, sections);
  const final = readFinal(reading, text, sections.final);
  checkThreads(reading, functions, initial);
  const lowered = functions.map((source) =>
    lowerFunction(
      reading,
      source,
      initial.filter(({ thread }) => thread === source.number),
    ),
  );
  return { reading, final, functions, lowered };
}

/** Returns the program of a litmus test in C. */
export function parseC(sections: Sections): ParseResult {
  const { reading, final, functions, lowered } = lowerC(sections);
  const threads: readonly Thread[] = lowered.map(({ thread }) => thread);
  const lookup = {
    threads,
    threadOf: (number: number) => {
      const index = functions.findIndex((source) => source.number === number);
      return index < 0 ? undefined : index;
    },
    canonical: (register: string) => register,
  };
  const properties = final.condition ? [toProperty(reading, lookup, final.condition)] : [];
  const diagnostics = reading.errors.toDiagnostics();
  if (reading.errors.hasErrors) return { diagnostics };
  const symbols = reading.shared.toSymbols();
  const { outside } = reading.c11;
  const program: Program = {
    ...{ name: sections.name || 'litmus', symbols, threads, properties },
    ...(outside && { outsideC11: outside }),
  };
  return { model: { kind: 'finite', program }, diagnostics };
}

function checkThreads(
  { errors }: LitmusReading,
  functions: readonly CFunction[],
  initial: readonly InitialRegister[],
): void {
  const seen = new Map<number, Span>();
  for (const { number, span } of functions) {
    const first = seen.get(number);
    if (first) errors.error(() => duplicateName(span, 'thread', `P${number}`, first));
    else seen.set(number, span);
  }
  const names = functions.map(({ number }) => `P${number}`);
  for (const { thread, span } of initial)
    if (!seen.has(thread)) errors.error(() => unknownName(span, 'thread', `P${thread}`, names));
}

function readFunctions(reading: LitmusReading, { text, code }: Sections): readonly CFunction[] {
  const tokens = new Tokens(text, code, reading.index, plainTokens);
  const functions: CFunction[] = [];
  while (!tokens.isAtEnd) {
    // Regions are hints to models of hardware: no rule of C11 or of x86 mentions them.
    if (tokens.isNext('regions')) break;
    const source = attempt(reading, () => readFunction(reading, tokens));
    if (source) functions.push(source);
    else skipFunction(tokens);
  }
  if (functions.length === 0 && !reading.errors.hasErrors)
    reading.errors.error(() =>
      syntaxError(
        tokens.peek().span,
        'the threads are missing',
        "write a function 'P0(int *x) { ... }' for each thread",
      ),
    );
  return functions;
}

/** Skips to the apparent start of the next function. */
function skipFunction(tokens: Tokens): void {
  tokens.next();
  while (!tokens.isAtEnd && !(/^P\d+$/.test(tokens.peek().text) && tokens.peek(1).text === '('))
    tokens.next();
}

function readFunction(reading: LitmusReading, tokens: Tokens): CFunction {
  while (typeWord.test(tokens.peek().text)) tokens.next();
  const name = tokens.expectName('a thread', "write 'P0(int *x) { ... }'");
  const number = /^P([0-9]{1,6})$/.exec(name.text)?.[1];
  if (number === undefined) tokens.fail("threads are named P0, P1, ..., not '" + name.text + "'");
  tokens.expect('(');
  const parameters: string[] = [];
  const atomics = new Set<string>();
  if (!tokens.accept(')')) {
    do {
      const { name: parameter, isAtomic } = readParameter(tokens);
      if (parameter === undefined) continue;
      parameters.push(parameter);
      if (isAtomic) atomics.add(parameter);
    } while (tokens.accept(','));
    tokens.expect(')');
  }
  for (const parameter of parameters) reading.shared.symbol(parameter);
  const scope = { reading, parameters, atomics, locals: new Set<string>() };
  const body = readBlock(scope, tokens);
  return { number: Number(number), span: name.span, parameters, body };
}

/**
 * Reads a parameter such as `int *x`, `volatile int* x` or `atomic_int *y`, and returns its name,
 * `undefined` for `void`, and whether its type is atomic.
 */
function readParameter(tokens: Tokens): { readonly name?: string; readonly isAtomic: boolean } {
  let name: string | undefined;
  let [isPointer, isAtomic] = [false, false];
  while (!tokens.isAtEnd && !tokens.isNext(',', ')')) {
    if (tokens.accept('*')) isPointer = true;
    else {
      isAtomic ||= /^_Atomic$|^atomic_/.test(name ?? '');
      name = tokens.expectName('a parameter').text;
    }
  }
  if (name === 'void' && !isPointer) return { isAtomic };
  return { name: name ?? tokens.fail('a parameter is missing here'), isAtomic };
}
