import type { X86Code } from './x86-column.js';
import type { X86Condition } from '../x86/mnemonics.js';
import type { X86Instruction } from './x86-instruction.js';

/** The jumps that use the flags of an instruction. */
interface FlagUses {
  /** The lines of the conditional jumps that read the flags of the instruction, in order. */
  readonly jumps: readonly number[];
  /**
   * Whether all these jumps follow the instruction directly, without a label in between, so that
   * its operands are unchanged there.
   */
  readonly areNext: boolean;
}

export function setsFlags({ kind, ...instruction }: X86Instruction): boolean {
  if (kind === 'arithmetic') return !('operator' in instruction && instruction.operator === 'not');
  return kind === 'compare' || kind === 'cmpxchg' || kind === 'xadd';
}

/**
 * Whether an unsigned comparison after the instruction needs a carry flag that the result of the
 * instruction does not determine: `cmp`, `sub` and `neg` compare, and the logical instructions
 * clear the carry.
 */
export function losesCarry(instruction: X86Instruction): boolean {
  if (instruction.kind === 'xadd') return true;
  return instruction.kind === 'arithmetic' && ['add', 'inc', 'dec'].includes(instruction.operator);
}

export function isUnsigned(condition: X86Condition): boolean {
  return condition.startsWith('u');
}

/** Returns the lines that control may reach directly after a line. */
function successorsOf({ lines, lineOfLabel }: X86Code, line: number): readonly number[] {
  const instruction = lines[line]?.instruction;
  if (!instruction) return [];
  if (instruction.kind !== 'jump') return [line + 1];
  const target = lineOfLabel.get(instruction.target.text) ?? lines.length;
  return instruction.condition === undefined ? [target] : [target, line + 1];
}

/** Returns the jumps that read the flags set by the instruction before the line `start`. */
export function computeFlagUses(code: X86Code, start: number): FlagUses {
  const seen = new Set([start]);
  const jumps: number[] = [];
  for (const line of seen) {
    const instruction = code.lines[line]?.instruction;
    if (!instruction || setsFlags(instruction)) continue;
    if (instruction.kind === 'jump' && instruction.condition !== undefined) jumps.push(line);
    for (const next of successorsOf(code, line)) seen.add(next);
  }
  jumps.sort((a, b) => a - b);
  const areNext = jumps.every((line, i) => {
    return line === start + i && code.lines[line]?.labels.length === 0;
  });
  return { jumps, areNext };
}
