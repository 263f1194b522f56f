import type { Body, EventProgram, MilestoneId } from '@fencewright/model/program/event-program.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';
import { BodyPrinter, NoBlock } from './print-body.js';
import { printState } from './print-expression.js';
import { eventNamesForPrinting, type PrintedNames } from './print-names.js';
import { memoryPrinter, printDeclarations } from './print-shared.js';

/**
 * Prints a program of events as text. Parsing the text gives an equal program, with the exceptions
 * named at `printNative`; several ends of a body become one. Reports an error if `lock` and
 * `unlock` do not enclose an atomic block that the language allows.
 */
export function printEvents(program: EventProgram): PrintResult {
  const names = eventNamesForPrinting(program);
  try {
    const sections = [
      [`program ${names.program}`],
      printDeclarations(program, names),
      ...program.bodies.map((body, id) => printBody(body, id, names)),
      printInstances(program, names),
      printProperties(program, names),
    ];
    const text = sections
      .filter((lines) => lines.length > 0)
      .map((lines) => `${lines.join('\n')}\n`)
      .join('\n');
    return { text, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof NoBlock)) throw error;
    const message = 'the bus lock is held in what is no atomic block';
    return { diagnostics: [notSupported(error.span, message, 'events lock by atomic { ... }')] };
  }
}

function printBody(body: Body, id: number, names: PrintedNames): readonly string[] {
  const own = names.threads[id]!;
  const parameters = own.registers.slice(0, body.parameters).join(', ');
  const locals = own.registers.slice(body.parameters);
  const lines = new BodyPrinter(body, names, own).print();
  return [
    `${body.role} ${own.name}(${parameters}) {`,
    ...(locals.length > 0 ? [`  local ${locals.join(', ')};`] : []),
    ...lines.map((line) => `  ${line}`),
    '}',
  ];
}

function printInstances(
  { instances, milestones = [] }: EventProgram,
  { threads, milestones: labels }: PrintedNames,
): readonly string[] {
  if (instances.length === 0) return [];
  const place = (id: MilestoneId): string =>
    `${threads[milestones[id]!.body]!.name}.${labels[id]!}`;
  const texts = instances.map(({ event, arguments: values, count, after }) => {
    const times = count === 1 ? '' : count === 'any' ? ' *' : ` * ${count}`;
    const waits = after ? ` after ${after.map(place).join(' && ')}` : '';
    return `${threads[event]!.name}(${values.join(', ')})${times}${waits}`;
  });
  return [`events ${texts.join(', ')}`];
}

function printProperties(program: EventProgram, names: PrintedNames): readonly string[] {
  const printMemory = memoryPrinter(program, names);
  return program.properties.map(({ kind, condition }, id) => {
    const text = printState(condition, names, printMemory, () => true);
    return `property ${names.properties[id]!}: ${kind} (${text})`;
  });
}
