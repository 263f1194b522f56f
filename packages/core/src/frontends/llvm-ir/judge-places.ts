import { evaluateRough, plainSet, type ValueSet } from '../../analysis/value-set.js';
import { forEachPart, isConversion, type Expression } from '../../program/expression.js';
import type { Origin } from '../../program/program.js';
import { mapInstruction } from '../../program/rewrite.js';
import { integerOfValue } from '../../program/wide-values.js';
import { checkCut, dependsOnPlaces } from './address-numbers.js';
import type { Analysed } from './assemble-program.js';
import { leastAddress, type Memory } from './memory.js';
import { Unsupported } from './unsupported.js';

/** What LLVM calls operators, whatever they do with what has no place in a word. */
const names: Readonly<Record<string, string>> = {
  '-': 'sub',
  '*': 'mul',
  '/': 'udiv',
  '%': 'urem',
  '<<': 'shl',
  '>>': 'lshr',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<': 'ult',
  '<=': 'ule',
  '>': 'ugt',
  '>=': 'uge',
};

/** Whether some execution may compute what depends on where objects lie, and where that is. */
export function placesThatMatter(memory: Memory, { program, closure }: Analysed): Origin[] {
  const found: Origin[] = [];
  program.threads.forEach(({ transitions }, thread) => {
    for (const { from, instruction, origin } of transitions) {
      const before = closure.registers[thread]?.[from];
      if (!before) continue;
      const valuesOf = (expression: Expression): ValueSet =>
        plainSet(evaluateRough(expression, before, program.symbols));
      let matters = false;
      mapInstruction(instruction, (expression) => {
        forEachPart(expression, (part) => {
          matters ||= mattersIn(memory, part, valuesOf);
        });
        return expression;
      });
      if (matters) found.push(origin);
    }
  });
  return found;
}

function mattersIn(
  memory: Memory,
  part: Expression,
  valuesOf: (expression: Expression) => ValueSet,
): boolean {
  if (part.kind === 'unary') {
    if (part.operator === '!' || part.operator === '-') return false;
    const bits = isConversion(part.operator) ? 32 : 2;
    const values = valuesOf(part.operand);
    return values !== 'any' && values.some((each) => isCut(memory, integerOfValue(each), bits));
  }
  const name = part.kind === 'binary' ? names[nameOf(part.operator)] : undefined;
  if (part.kind !== 'binary' || name === undefined) return false;
  const [left, right] = [valuesOf(part.left), valuesOf(part.right)];
  if (left === 'any' || right === 'any') return false;
  if (![...left, ...right].some((each) => Math.abs(each) >= leastAddress)) return false;
  const depends = (one: number): readonly boolean[] =>
    right.map((other) => dependsOnPlaces(memory, name, integerOfValue(one), integerOfValue(other)));
  const all = left.flatMap(depends);
  // Which two pointers are subtracted is not known; C has it that they are to one object.
  return name === 'sub' ? all.length > 0 && all.every(Boolean) : all.some(Boolean);
}

/** The operator without what it says of what is too large. */
const nameOf = (operator: string): string =>
  operator.replace(/(?<=.):?%?$/, '').replace(/^%.*$/, '%');

function isCut(memory: Memory, number: bigint, bits: number): boolean {
  try {
    checkCut(memory, number, bits);
    return false;
  } catch (problem) {
    if (problem instanceof Unsupported) return true;
    throw problem;
  }
}
