import { at } from '@fencewright/ground/base/at.js';
import type { Program, SharedSymbol, Thread } from '@fencewright/model/program/program.js';
import { noteFenceCosts } from '@fencewright/model/program/note-fence-costs.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import { computeLockStatus } from '@fencewright/model/program/lock-status.js';
import { PrintReport } from '@fencewright/ground/source/print-report.js';
import { type ThreadPrinter, printTransition } from './print-instruction.js';
import { repairRegister, repairWord } from './repair-names.js';

/**
 * Prints the program in Trencher's format. Read-modify-writes become lock ... unlock blocks,
 * choices one assignment for each value; names that the format cannot spell are changed. Parts that
 * only detect faults or ask further questions (assertions, the domain, properties) are left out
 * with a note; any further part without counterpart is an error. A program from `parseTrencher` is
 * read back unchanged.
 */
export function printTrencher(program: Program): PrintResult {
  const report = new PrintReport();
  noteWhatIsLeftOut(program, report);
  for (const symbol of program.symbols) refuseInitialValues(symbol, report);
  const names = new UniqueNames(
    program.threads.map(({ name }) => name),
    { repair: repairWord },
  ).names;
  const threads = program.threads.map((thread, id) =>
    printThread(program, thread, at(names, id), report),
  );
  const { diagnostics } = report;
  if (report.hasErrors) return { diagnostics };
  return { text: [...printHeader(program), threads.join('\n')].join(''), diagnostics };
}

function noteWhatIsLeftOut(program: Program, report: PrintReport): void {
  if (program.domain)
    report.note(
      undefined,
      `the domain ${program.domain.low}..${program.domain.high} does not exist in this format`,
      'in this format, a store of another value does not end the execution',
    );
  for (const { name, span } of program.properties)
    report.note(
      span,
      `property '${name}' does not exist in this format`,
      'only robustness can be asked of the converted program',
    );
  noteFenceCosts(program, report);
}

function refuseInitialValues({ name, isArray, initial }: SharedSymbol, report: PrintReport): void {
  const cell = initial.findIndex((value) => value !== 0);
  if (cell < 0) return;
  report.refuse(
    undefined,
    `'${isArray ? `${name}[${cell}]` : name}' starts with ${at(initial, cell)}, and memory starts with 0 in Trencher's format`,
    'let a thread store the first values while the others wait for it',
  );
}

/** Returns comment lines with the name of the program and the addresses of its variables. */
function printHeader({ name, symbols }: Program): string[] {
  const lines = name === 'program' && symbols.length === 0 ? [] : [`# ${repairComment(name)}\n`];
  for (const { name: variable, base, length, isArray } of symbols)
    lines.push(
      isArray
        ? `# ${base} to ${base + length - 1}: ${repairComment(variable)}[0] to [${length - 1}]\n`
        : `# ${base}: ${repairComment(variable)}\n`,
    );
  return lines.length === 0 ? [] : [...lines, '\n'];
}

function repairComment(text: string): string {
  return text.replace(/[^ -~\u0080-\uffff]+/g, ' ');
}

function printThread(program: Program, thread: Thread, name: string, report: PrintReport): string {
  const states = new UniqueNames(
    thread.locations.map((location) => location.name),
    { repair: repairWord },
  );
  const registerNames = new UniqueNames(
    thread.registers.map((register) => register.name),
    { repair: repairRegister },
  );
  const printer: ThreadPrinter = {
    states,
    registerNames,
    registers: [...registerNames.names],
    scratch: undefined,
    domain: program.domain,
    locks: computeLockStatus(thread),
    lines: [],
  };
  const initial = `initial ${at(states.names, thread.initial)}`;
  // A reader numbers states by first occurrence: the `initial` line is placed so as to keep the
  // numbers.
  let named = 0;
  let isInitialPrinted = false;
  for (const transition of thread.transitions) {
    if (!isInitialPrinted && named >= thread.initial) {
      printer.lines.push(initial);
      isInitialPrinted = true;
    }
    printTransition(
      printer,
      {
        symbols: program.symbols,
        registers: printer.registers,
        span: transition.origin.span,
        report,
      },
      transition,
    );
    named = Math.max(named, transition.from + 1, transition.to + 1);
  }
  if (!isInitialPrinted) printer.lines.push(initial);
  return [`thread ${name}`, ...printer.lines, 'end', ''].join('\n');
}
