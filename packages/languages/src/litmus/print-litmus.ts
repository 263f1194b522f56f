import { spelt } from '@fencewright/ground/base/unique-names.js';
import { cellsOf } from '@fencewright/model/program/cells.js';
import { noteFenceCosts } from '@fencewright/model/program/note-fence-costs.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { Program, Property, StateExpression } from '@fencewright/model/program/program.js';
import { PrintReport } from '@fencewright/ground/source/print-report.js';
import { type LitmusPrinter, type PrintedThread, printX86Thread } from './print-x86-thread.js';
import { canonicalRegister, isNarrowRegister } from './x86-registers.js';

/**
 * Returns the program as a litmus test for X86. Threads become `P0`, `P1`, ..., registers become
 * registers of X86. Features without an instruction (free choices, blocks under the bus lock,
 * multiplication, addresses as values) are errors; the domain, assertions, costs of fences and
 * properties other than one `exists` or `finally` over equalities are left out with a note.
 */
export function printLitmus(program: Program): PrintResult {
  const report = new PrintReport();
  noteDomain(program, report);
  noteFenceCosts(program, report);
  const cells = cellsOf(program, repairName);
  let labels = 0;
  const printer: LitmusPrinter = {
    symbols: program.symbols,
    cellNames: new Map(cells.map(({ address, name }) => [address, name])),
    report,
    freshLabel: () => `L${labels++}`,
  };
  const threads = program.threads.map((thread) => printX86Thread(printer, thread));
  const condition = printCondition(program, threads, printer);
  const { diagnostics } = report;
  if (report.hasErrors) return { diagnostics };
  const initial = cells.map(({ name, value }) => ` ${name}=${value};`).join('');
  const names = program.threads.map(({ name }, i) => (name === `P${i}` ? '' : `P${i} is ${name}`));
  const told = names.filter((name) => name !== '').join(', ');
  const lines = [
    `X86 ${program.name.replace(/[^\w.+-]+/g, '_') || 'test'}`,
    ...(told === '' ? [] : [`"${told.replace(/["\\\n\r{}]/g, ' ')}"`]),
    `{${initial} }`,
    ...printGrid(threads),
    condition ?? 'exists (true)',
    '',
  ];
  return { text: lines.join('\n'), diagnostics };
}

function noteDomain({ domain }: Program, report: PrintReport): void {
  if (domain)
    report.note(
      undefined,
      `the domain ${domain.low}..${domain.high} does not exist in this format`,
      'in this format, a store of another value does not end the execution',
    );
}

/** Returns a name that differs from the registers, threads and words of the format. */
function repairName(name: string): string {
  return spelt(name, { isReserved });
}

function isReserved(word: string): boolean {
  return (
    canonicalRegister('X86', word) !== undefined ||
    canonicalRegister('X86_64', word) !== undefined ||
    isNarrowRegister(word) ||
    /^(?:P\d+|exists|forall|final|locations|filter|observed|true|false|not|with)$/i.test(word)
  );
}

/** Returns the lines of the table that shows the code of the threads side by side. */
function printGrid(threads: readonly PrintedThread[]): readonly string[] {
  const height = Math.max(0, ...threads.map(({ lines }) => lines.length));
  const columns = threads.map(({ lines }, i) => [
    `P${i}`,
    ...Array.from({ length: height }, (_, row) => lines[row] ?? ''),
  ]);
  const widths = columns.map((column) => Math.max(...column.map(({ length }) => length)));
  return Array.from({ length: height + 1 }, (_, row) => {
    const cells = columns.map((column, i) => column[row]!.padEnd(widths[i]!));
    return ` ${cells.join(' | ')} ;`;
  });
}

/**
 * Returns the first property that the format can express, as a condition; `undefined` if there is
 * none. Further properties are left out with a note.
 */
function printCondition(
  { properties }: Program,
  threads: readonly PrintedThread[],
  printer: LitmusPrinter,
): string | undefined {
  let printed: string | undefined;
  for (const property of properties) {
    const text = printed === undefined ? conditionOf(property, threads, printer) : undefined;
    if (text === undefined)
      printer.report.note(
        property.span,
        `property '${property.name}' does not exist in this format`,
        'a litmus test has one condition, on final states, over equalities',
      );
    printed ??= text;
  }
  return printed;
}

function conditionOf(
  { kind, condition }: Property,
  threads: readonly PrintedThread[],
  printer: LitmusPrinter,
): string | undefined {
  if (kind !== 'finally' && kind !== 'exists') return undefined;
  const isNegated = kind === 'finally' && condition.kind === 'unary' && condition.operator === '!';
  const text = formula(isNegated ? condition.operand : condition, threads, printer);
  const word = isNegated ? '~exists' : kind === 'exists' ? 'exists' : 'forall';
  return text === undefined ? undefined : `${word} (${text})`;
}

/** Returns the text of a condition; `undefined` if the format cannot express it. */
function formula(
  condition: StateExpression,
  threads: readonly PrintedThread[],
  printer: LitmusPrinter,
): string | undefined {
  if (condition.kind === 'constant') return condition.value === 0 ? 'false' : 'true';
  if (condition.kind === 'unary') {
    const operand = formula(condition.operand, threads, printer);
    return condition.operator === '!' && operand !== undefined ? `~(${operand})` : undefined;
  }
  if (condition.kind !== 'binary') return undefined;
  const { operator, left, right } = condition;
  if (operator === '&&' || operator === '||') {
    const [a, b] = [formula(left, threads, printer), formula(right, threads, printer)];
    const sign = operator === '&&' ? '/\\' : '\\/';
    return a === undefined || b === undefined ? undefined : `(${a}) ${sign} (${b})`;
  }
  if ((operator !== '==' && operator !== '!=') || right.kind !== 'constant') return undefined;
  const name = atom(left, threads, printer);
  if (name === undefined) return undefined;
  return operator === '==' ? `${name}=${right.value}` : `~(${name}=${right.value})`;
}

function atom(
  expression: StateExpression,
  threads: readonly PrintedThread[],
  { cellNames }: LitmusPrinter,
): string | undefined {
  if (expression.kind === 'memory') {
    const name = cellNames.get(expression.address);
    return name === undefined ? undefined : `[${name}]`;
  }
  if (expression.kind !== 'register') return undefined;
  const name = threads[expression.thread]?.registerName(expression.register);
  return name === undefined ? undefined : `${expression.thread}:${name}`;
}
