import type { AssemblyAccess, AssemblyOutput, IrType, IrValue, Typed } from './syntax.js';

/** Inline assembly as the IR has it. */
interface Assembly {
  readonly text: string;
  readonly constraints: string;
  readonly operands: readonly Typed[];
  /** What operands that are addresses point to. */
  readonly pointees: readonly (IrType | undefined)[];
}

/** An operand of the text. */
interface Operand {
  /** It is in `eax`, or a part of that. */
  readonly isAccumulator?: boolean;
  /** Which part of the result it is. */
  readonly result?: number;
  /** What it is before. */
  readonly value?: Typed;
  readonly memory?: { readonly address: IrValue; readonly type: IrType };
}

const widths: ReadonlyMap<string, number> = new Map([
  ['b', 8],
  ['w', 16],
  ['l', 32],
  ['q', 64],
]);

/** The statements of a text, `lock` with what it belongs to. */
export function statementsOf(text: string): readonly string[] {
  // The IR has `\0A` for a new line and `\09` for a tab.
  const plain = text.replaceAll(/\\0[9ADad]/g, (code) => (code.endsWith('9') ? ' ' : '\n'));
  return plain
    .replaceAll(/\block\b[\s;]*/g, 'lock ')
    .split(/\n|;/)
    .map((each) => each.trim().replaceAll(/\s+/g, ' '))
    .filter((each) => each !== '');
}

/**
 * The access that the assembly is: one of the instructions of x86 that read, modify and write under
 * the lock, and what may follow of flags; `undefined` for all else.
 */
export function assemblyAccess(assembly: Assembly): AssemblyAccess | undefined {
  const [first = '', ...flags] = statementsOf(assembly.text);
  const [, lock, name = '', suffix = '', rest = ''] =
    /^(lock )?(xchg|xadd|cmpxchg|inc|dec|add|sub|or|and|xor)([bwlq]?) (.*)$/.exec(first) ?? [];
  const operands = operandsOf(assembly);
  if (!operands || (!lock && name !== 'xchg')) return undefined;
  const named = rest.split(',').map((each) => operandNamed(each.trim(), operands));
  const at = named.find((each) => each?.memory);
  const by = named.find((each) => each && !each.memory);
  const memory = at?.memory;
  if (memory?.type.kind !== 'int' && memory?.type.kind !== 'pointer') return undefined;
  const { address, type } = memory;
  const bits = type.kind === 'int' ? type.bits : 64;
  if (suffix !== '' && widths.get(suffix) !== bits) return undefined;
  const isAlone = name === 'inc' || name === 'dec';
  if (named.length !== (isAlone ? 1 : 2)) return undefined;
  const given: Typed | undefined = isAlone
    ? { type, value: { kind: 'integer', value: 1n } }
    : by?.value;
  if (!given) return undefined;
  const cell: IrType = { kind: 'int', bits };
  const outputs = new Map<Operand, AssemblyOutput>();
  let operation: AssemblyAccess['operation'];
  if (name === 'cmpxchg') {
    const old = operands.find(({ isAccumulator }) => isAccumulator);
    if (!old?.value) return undefined;
    operation = {
      kind: 'exchange-if',
      address,
      expected: { type: cell, value: old.value.value },
      desired: given.value,
    };
    outputs.set(old, 'old');
  } else {
    const meant = { inc: 'add', dec: 'sub', xadd: 'add' }[name] ?? name;
    operation = {
      kind: 'modify',
      operation: meant,
      address,
      operand: { type: cell, value: given.value },
    };
    if ((name === 'xchg' || name === 'xadd') && by) outputs.set(by, 'old');
  }
  const flagsAreSet = name !== 'xchg' && name !== 'xadd';
  for (const flag of flags) {
    const [, test = '', where = ''] = /^set(e|z|ne|nz) (.*)$/.exec(flag) ?? [];
    const to = operandNamed(where, operands);
    if (!flagsAreSet || test === '' || !to) return undefined;
    outputs.set(to, test.startsWith('n') ? 'not-zero' : 'zero');
  }
  const results: AssemblyOutput[] = [];
  for (const each of operands) {
    if (each.result === undefined) continue;
    const output = outputs.get(each);
    if (!output) return undefined;
    results[each.result] = output;
  }
  const stores = [...outputs].flatMap(([{ memory: to }, output]) =>
    to ? [{ ...to, output }] : [],
  );
  return { operation, results, stores };
}

/** The operands that a text calls `$0` and so on; `undefined` where there are others. */
function operandsOf({ constraints, operands, pointees }: Assembly): readonly Operand[] | undefined {
  const found: Operand[] = [];
  let [results, taken] = [0, 0];
  const all = constraints.split(',').filter((each) => !each.startsWith('~'));
  for (const each of all) {
    const isOutput = each.startsWith('=');
    const plain = each.replace(/^=?&?/, '');
    if (isOutput && !plain.startsWith('*')) {
      found.push({ result: results++, isAccumulator: /^\{[er]?a[xl]\}$/.test(plain) });
      continue;
    }
    const typed = operands[taken];
    const pointee = pointees[taken];
    taken += 1;
    if (!typed) return undefined;
    if (plain.startsWith('*')) {
      if (!pointee) return undefined;
      found.push({ memory: { address: typed.value, type: pointee } });
      continue;
    }
    const tied = /^\d+$/.test(plain) ? found[Number(plain)] : undefined;
    if (/^\d+$/.test(plain) && tied?.result === undefined) return undefined;
    if (tied) found[Number(plain)] = { ...tied, value: typed };
    found.push({ value: typed, isAccumulator: !tied && /^\{[er]?a[xl]\}$/.test(plain) });
  }
  return found;
}

function operandNamed(text: string, operands: readonly Operand[]): Operand | undefined {
  const [, number] = /^\$(?:\{)?(\d+)(?::\w\})?\}?$/.exec(text) ?? [];
  if (number !== undefined) return operands[Number(number)];
  const [, literal] = /^\$\$(-?\d+)$/.exec(text) ?? [];
  if (literal === undefined) return undefined;
  const value: Typed = {
    type: { kind: 'int', bits: 64 },
    value: { kind: 'integer', value: BigInt(literal) },
  };
  return { value };
}
