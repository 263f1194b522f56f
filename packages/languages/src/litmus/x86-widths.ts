import { notSupported } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { InitialRegister } from './initial-state.js';
import type { LitmusReading } from './litmus-reading.js';
import type { X86Code, X86Line } from './x86-column.js';
import { isMemory, type X86Instruction } from './x86-instruction.js';
import type { X86Operand } from './x86-operand.js';
import { registerWidth, type Width } from './x86-registers.js';

/**
 * The data about one thread that show the widths of registers and cells: its code, and the
 * registers named in the file outside the code, as written.
 */
interface WidthClaims {
  readonly code: X86Code;
  /**
   * The registers that the file names outside the code: canonical name, and spelling in the file.
   */
  readonly outside: readonly {
    readonly register: string;
    readonly spelling: string;
    readonly span: Span;
  }[];
}

/** A register or cell, and the number of its bits that an instruction uses. */
interface Use {
  readonly place: string;
  readonly width: Width;
  readonly span: Span;
}

function operandsOf(instruction: X86Instruction): readonly X86Operand[] {
  switch (instruction.kind) {
    case 'nothing':
    case 'fence':
    case 'jump':
      return [];
    case 'compare':
      return [instruction.left, instruction.right];
    case 'arithmetic':
      return instruction.from ? [instruction.to, instruction.from] : [instruction.to];
    case 'move':
    case 'exchange':
    case 'cmpxchg':
    case 'xadd':
      return [instruction.to, instruction.from];
  }
}

/** Returns the widths that an instruction's suffix and registers imply. */
function widthsOf(instruction: X86Instruction): readonly Width[] {
  const named = operandsOf(instruction).flatMap((operand) =>
    operand.kind === 'register' ? [operand.width] : [],
  );
  return instruction.width === undefined ? named : [instruction.width, ...named];
}

function registerUses({ instruction, span }: X86Line, accumulator: string): readonly Use[] {
  const widths = widthsOf(instruction);
  const implied = instruction.kind === 'cmpxchg' ? [accumulator] : [];
  const data = operandsOf(instruction).flatMap((operand) =>
    operand.kind === 'register' ? [operand.name] : [],
  );
  const pointers = operandsOf(instruction).flatMap((operand) =>
    operand.kind === 'indirect' ? [{ place: operand.register, width: operand.width, span }] : [],
  );
  return [
    ...[...data, ...implied].flatMap((place) => widths.map((width) => ({ place, width, span }))),
    ...pointers,
  ];
}

/**
 * Returns the cells that an instruction uses, with their widths; `place` is empty if a register
 * holds the address.
 */
function cellUses({ instruction, span }: X86Line): readonly Use[] {
  const [cell] = operandsOf(instruction).filter(isMemory);
  if (!cell) return [];
  const place = cell.kind === 'cell' ? cell.name : '';
  return widthsOf(instruction).map((width) => ({ place, width, span }));
}

/**
 * Whether an instruction can produce a negative number from non-negative ones. Sums that are too
 * large are faults.
 */
function mayGoNegative(instruction: X86Instruction): boolean {
  if (operandsOf(instruction).some((operand) => operand.kind === 'immediate' && operand.value < 0))
    return true;
  return (
    instruction.kind === 'arithmetic' && ['sub', 'dec', 'neg', 'not'].includes(instruction.operator)
  );
}

/**
 * Reports code that depends on the difference between 32 and 64 bits, absent from the program
 * model: a cell accessed in both widths (an access then takes part of another), and a register used
 * in both widths with a possibly negative value (its upper half is not the sign after a write of 32
 * bits). If all values are from 0 to 2^31 - 1, the upper halves are 0, and a register is equal in
 * both widths.
 */
export function refuseMixedWidths(
  { errors, shared }: LitmusReading,
  threads: readonly WidthClaims[],
  accumulator: string,
  initial: readonly InitialRegister[],
): void {
  const lines = threads.flatMap(({ code }) => code.lines);
  const isNegative =
    initial.some(({ value }) => value < 0) ||
    shared.toSymbols().some((symbol) => symbol.initial.some((value) => value < 0)) ||
    lines.some(({ instruction }) => mayGoNegative(instruction));
  const cells = lines.flatMap(cellUses);
  for (const { place, span } of conflictsOf(cells, (a, b) => a === b || a === '' || b === ''))
    errors.error(() =>
      notSupported(
        span,
        `${place === '' ? 'a cell' : `'${place}'`} is accessed with 32 bits here or elsewhere, and with 64 bits, too`,
        'access each cell in one width',
      ),
    );
  if (!isNegative) return;
  for (const { code, outside } of threads) {
    const uses = [
      ...code.lines.flatMap((line) => registerUses(line, accumulator)),
      ...outside.map(({ register, spelling, span }) => ({
        place: register,
        width: registerWidth(spelling),
        span,
      })),
    ];
    for (const { place, span } of conflictsOf(uses, (a, b) => a === b))
      errors.error(() =>
        notSupported(
          span,
          `'${place}' is used with 32 bits and with 64 bits, and may be negative: the two widths differ for negative values`,
          'use one width, or only numbers from 0 on without SUB, DEC, NEG and NOT',
        ),
      );
  }
}

/**
 * Returns, for each register or cell that is used in two widths, the first use whose width differs
 * from the width of an earlier use.
 */
function conflictsOf(
  uses: readonly Use[],
  isSame: (a: string, b: string) => boolean,
): readonly Use[] {
  const reported = new Set<string>();
  return uses.filter(({ place, width }, i) => {
    if (reported.has(place)) return false;
    const isMixed = uses
      .slice(0, i)
      .some((other) => isSame(other.place, place) && other.width !== width);
    if (isMixed) reported.add(place);
    return isMixed;
  });
}
