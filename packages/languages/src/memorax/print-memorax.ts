import { commentText } from '@fencewright/ground/source/quote-name.js';
import { cellsOf } from '@fencewright/model/program/cells.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import { noteFenceCosts } from '@fencewright/model/program/note-fence-costs.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { Program, Property, StateExpression } from '@fencewright/model/program/program.js';
import { PrintReport } from '@fencewright/ground/source/print-report.js';
import { type PrintedProcess, printProcess } from './print-process.js';
import { spellable } from './spelling.js';

/**
 * A forbidden state of a Memorax program: by process, its location in the state; other processes
 * may be at any location.
 */
type ForbiddenPlaces = ReadonlyMap<number, LocationId>;

/**
 * Prints the program in Memorax's language. Threads become processes in the given order, each cell
 * of an array a separate location. Features absent from the language (computed addresses, operators
 * other than sums and differences, branches under the bus lock) are errors; the domain, assertions,
 * costs of fences and properties other than a `never` over labels are left out with a note.
 */
export function printMemorax(program: Program): PrintResult {
  const report = new PrintReport();
  noteDomain(program, report);
  noteFenceCosts(program, report);
  const cells = cellsOf(program, spellable);
  const printer = { program, report, cells: new Map(cells.map((cell) => [cell.address, cell])) };
  const forbidden = program.properties.flatMap((property) => placesOf(property) ?? []);
  const processes = program.threads.map((thread, i) =>
    printProcess(printer, thread, new Set(forbidden.flatMap((places) => places.get(i) ?? []))),
  );
  for (const property of program.properties)
    if (!placesOf(property))
      report.note(
        property.span,
        `property '${property.name}' does not exist in this format`,
        'a Memorax file states only labels that are forbidden together',
      );
  const { diagnostics } = report;
  if (report.hasErrors) return { diagnostics };
  const states = forbidden.flatMap((places) => printState(places, processes) ?? []);
  const lines = [
    `/* ${commentText(program.name)} */`,
    'forbidden',
    ...states.map((state, i) => `  ${state}${i < states.length - 1 ? ';' : ''}`),
    'data',
    ...cells.map(({ name, value }) => `  ${name} = ${value} : Z`),
    ...program.threads.flatMap(({ name }, i) => processLines(name, processes[i]!)),
    '',
  ];
  return { text: lines.join('\n'), diagnostics };
}

function noteDomain({ domain }: Program, report: PrintReport): void {
  if (domain)
    report.note(
      undefined,
      `the domain ${domain.low}..${domain.high} is not written`,
      'in Memorax a store of another value would wait for ever, and not end the execution',
    );
}

function processLines(name: string, { registers, statements }: PrintedProcess): readonly string[] {
  return [
    `process /* ${commentText(name)} */`,
    ...(registers.length > 0 ? ['registers'] : []),
    ...registers.map((register) => `  ${register} = 0 : Z`),
    'text',
    ...statements.map((text, i) => `  ${text}${i < statements.length - 1 ? ';' : ''}`),
  ];
}

/**
 * Returns the states that a `never` property forbids; `undefined` if the property is no choice
 * between lists of labels.
 */
function placesOf({ kind, condition }: Property): readonly ForbiddenPlaces[] | undefined {
  return kind === 'never' ? alternativesOf(condition) : undefined;
}

function alternativesOf(condition: StateExpression): readonly ForbiddenPlaces[] | undefined {
  if (condition.kind === 'at') return [new Map([[condition.thread, condition.location]])];
  if (condition.kind !== 'binary') return undefined;
  const [left, right] = [alternativesOf(condition.left), alternativesOf(condition.right)];
  if (!left || !right) return undefined;
  if (condition.operator === '||') return [...left, ...right];
  const [one, other] = [left[0], right[0]];
  if (condition.operator !== '&&' || left.length > 1 || right.length > 1) return undefined;
  // A thread is at one location at a time.
  const isDisjoint = [...(one?.keys() ?? [])].every((thread) => !other?.has(thread));
  return isDisjoint ? [new Map([...(one ?? []), ...(other ?? [])])] : undefined;
}

/** Returns the text of a forbidden state; `undefined` if one of its labels is unreachable. */
function printState(
  places: ForbiddenPlaces,
  processes: readonly PrintedProcess[],
): string | undefined {
  const labels = processes.map((process, i) => {
    const location = places.get(i);
    return location === undefined ? '*' : process.labelOf(location);
  });
  return labels.includes(undefined) ? undefined : labels.join(' ');
}
