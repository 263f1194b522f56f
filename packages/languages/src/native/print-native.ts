import { formatMarks, writeInstruction } from '@fencewright/model/program/format.js';
import { refuseHandOver } from '@fencewright/model/program/instruction.js';
import { templatesOf, type ThreadModel } from '@fencewright/model/program/model.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import { type ExpressionPrinter, expressionPrinter, printState } from './print-expression.js';
import { type PrintedNames, type PrintedThreadNames, namesForPrinting } from './print-names.js';
import { printInvariants } from './print-invariants.js';
import { memoryPrinter, printDeclarations } from './print-shared.js';

/**
 * Prints the program in the automaton form of the native language. Parsing the text gives an equal
 * program, except for spans, hidden marks, the numbers of locations (and locations without
 * transitions), names that are not unique identifiers of the language, and the positions of
 * failures of weak rmws among the transitions.
 */
export function printNative(about: Program | Templates | ThreadModel): string {
  const open = templatesOf(about);
  const { templates: program, unbounded } = open;
  const names = namesForPrinting(program);
  const sections = [
    [`program ${names.program}`],
    printDeclarations(program, names),
    ...program.threads.map((thread, id) =>
      printThread(thread, unbounded.includes(id) ? '[*]' : '', names, names.threads[id]!),
    ),
    printProperties(program, names),
    printInvariants(open, names),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function printThread(
  thread: Thread,
  copies: string,
  names: PrintedNames,
  own: PrintedThreadNames,
): readonly string[] {
  const registers = own.registers.length === 0 ? '' : ` regs ${own.registers.join(' ')}`;
  const printer = expressionPrinter(names, own);
  const weak = findWeakRmws(thread);
  const isWeak = new Set(weak.map(({ rmw }) => rmw));
  const isFailure = new Set(weak.flatMap(({ fence, result }) => [fence, result]));
  return [
    `thread ${own.name}${copies}${registers} init ${own.locations[thread.initial]!} begin`,
    ...thread.transitions.flatMap((transition, id) =>
      isFailure.has(id) ? [] : [printTransition(transition, own, printer, isWeak.has(id))],
    ),
    'end',
  ];
}

function printTransition(
  transition: Transition,
  { registers, locations }: PrintedThreadNames,
  { value, cell }: ExpressionPrinter,
  isWeak: boolean,
): string {
  const { from, to, instruction } = transition;
  if (instruction.kind === 'rmw') refuseHandOver(instruction);
  const text = writeInstruction(instruction, {
    becomes: '<-',
    fence: 'mfence',
    register: (register) => registers[register]!,
    cell,
    value,
    test: (kind, condition) => `${kind === 'assert' ? 'check' : kind} ${condition}`,
    isWeak,
  });
  return `  ${locations[from]!}: ${formatMarks(transition)}${text}; goto ${locations[to]!};`;
}

function printProperties(program: Program, names: PrintedNames): readonly string[] {
  const printed = program.threads.map(
    ({ initial, transitions }) =>
      new Set([initial, ...transitions.flatMap(({ from, to }) => [from, to])]),
  );
  return program.properties.map(({ kind, condition }, id) => {
    if (kind === 'progress' && condition.kind === 'ended')
      return `property ${names.properties[id]!}: progress (${names.threads[condition.thread]!.name})`;
    const text = printState(condition, names, memoryPrinter(program, names), (thread, location) =>
      printed[thread]!.has(location),
    );
    return `property ${names.properties[id]!}: ${kind} (${text})`;
  });
}
