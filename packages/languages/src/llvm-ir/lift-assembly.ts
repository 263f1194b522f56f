import { AssemblyEffects } from './assembly-effects.js';
import { type Assembly, AssemblyOperands, type AssemblyOutput } from './assembly-operands.js';
import { type LiftedStep, NotLifted, StepWriter } from './assembly-steps.js';
import type {
  AssemblyCode,
  IrFunction,
  IrInstruction,
  IrModule,
  IrOperation,
  IrType,
  Typed,
} from './syntax.js';
import { Unsupported } from './unsupported.js';

/**
 * The module with inline assembly replaced by instructions of the IR. Assembly without a known
 * exact effect stays, with the reason.
 */
export function liftAssembly(module: IrModule): IrModule {
  const functions = new Map(
    [...module.functions].map(([name, of]): [string, IrFunction] => [name, liftIn(of)]),
  );
  return { ...module, functions };
}

/** The error for assembly without a known exact effect. */
export function assemblyRefused({
  text,
  why = 'the effect is unknown',
}: AssemblyCode): Unsupported {
  return new Unsupported(
    `inline assembly "${text}" is not known: ${why}`,
    'use an instruction that docs/c.md lists, or __atomic builtins',
  );
}

function isAssembly({ operation }: IrInstruction): boolean {
  return operation.kind === 'call' && operation.callee.kind === 'assembly';
}

function liftIn(of: IrFunction): IrFunction {
  if (!of.blocks.some(({ instructions }) => instructions.some(isAssembly))) return of;
  let count = 0;
  const blocks = of.blocks.map((block) => ({
    ...block,
    instructions: block.instructions.flatMap((instruction) =>
      isAssembly(instruction) ? lifted(instruction, `asm${(count += 1)}`) : [instruction],
    ),
  }));
  return { ...of, blocks };
}

function lifted(instruction: IrInstruction, prefix: string): readonly IrInstruction[] {
  const { operation, result } = instruction;
  if (operation.kind !== 'call' || operation.callee.kind !== 'assembly') return [instruction];
  const { callee, operands, returns } = operation;
  const writer = new StepWriter(prefix);
  try {
    lift({ ...callee, operands, returns }, writer, result);
  } catch (problem) {
    if (!(problem instanceof NotLifted)) throw problem;
    const refused = { ...callee, why: problem.message };
    return [{ ...instruction, operation: { ...operation, callee: refused } }];
  }
  return writer.steps.map((step) => withPlace(instruction, step));
}

function withPlace({ span, debug }: IrInstruction, step: LiftedStep): IrInstruction {
  return { ...step, span, ...(debug !== undefined && { debug }) };
}

/** The statements of an assembly text; `lock` is joined with its instruction. */
function statementsOf(text: string): readonly string[] {
  // The IR escapes a character as two hexadecimal digits, and lists one text for each dialect: the
  // first is AT&T's.
  const plain = text
    .replaceAll(/\\([0-9A-Fa-f]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\$\((.*?)\$\|.*?\$\)/gs, '$1')
    .replaceAll(/#[^\n]*|\/\*.*?\*\//gs, ' ');
  return (
    plain
      .replaceAll(/\block\b[\s;]*/gi, 'lock ')
      .split(/\n|;/)
      .map((each) => each.trim().replaceAll(/\s+/g, ' '))
      // Mnemonics are read in upper and in lower case, unlike labels.
      .map((each) => each.replace(/^(?:lock )?[a-z]\w*(?= |$)/i, (name) => name.toLowerCase()))
      .filter((each) => each !== '')
  );
}

function lift(assembly: Assembly, writer: StepWriter, result: string | undefined): void {
  const statements = statementsOf(assembly.text);
  if (assembly.isIntel && statements.length > 0)
    throw new NotLifted("Intel's notation is not supported");
  const operands = new AssemblyOperands(assembly, writer);
  const effects = new AssemblyEffects(writer, operands);
  for (const each of statements) effects.statement(each);
  const parts: Typed[] = [];
  for (const output of operands.outputs) {
    const value = valueOf(output, operands, effects);
    if (!output.address) parts.push(value);
    else if (value.value.kind !== 'undefined') {
      const operation: IrOperation = {
        ...{ kind: 'store', from: value, address: output.address.value, access: 'plain' },
      };
      writer.effect(operation);
    } else throw new NotLifted('an output has no value');
  }
  if (assembly.constraints.includes('~{memory}')) writer.effect({ kind: 'fence' });
  if (result !== undefined) giveResult(assembly, writer, parts, result);
}

/** The value of an output after the last statement. */
function valueOf(
  { type, key, condition }: AssemblyOutput,
  { registers, writer }: AssemblyOperands,
  { flagWriter, flags }: AssemblyEffects,
): Typed {
  if (condition !== undefined) return resizedTo(writer, type, flagWriter.holds(condition, flags));
  const whole = registers.whole(key);
  if (!whole) return { type, value: { kind: 'undefined' } };
  if (isSameType(whole.type, type)) return whole;
  const bits = type.kind === 'int' ? type.bits : 64;
  return resizedTo(writer, type, registers.read(key, bits));
}

function resizedTo(writer: StepWriter, type: IrType, value: Typed): Typed {
  if (type.kind === 'pointer') return writer.pointer(value);
  if (type.kind === 'int') return writer.resized(value, type.bits);
  throw new NotLifted('an output is neither an integer nor a pointer');
}

function isSameType(one: IrType, other: IrType): boolean {
  if (one.kind === 'int' && other.kind === 'int') return one.bits === other.bits;
  if (one.kind === 'other' && other.kind === 'other') return one.text === other.text;
  if (one.kind === 'named' && other.kind === 'named') return one.name === other.name;
  return one.kind === other.kind && one.kind === 'pointer';
}

function giveResult(
  { returns }: Assembly,
  writer: StepWriter,
  parts: readonly Typed[],
  result: string,
): void {
  const [first] = parts;
  if (!first) throw new NotLifted('there are fewer outputs than results');
  if (returns.kind !== 'struct') {
    writer.rename(first, result);
    return;
  }
  let into: Typed = { type: returns, value: { kind: 'undefined' } };
  for (const [index, element] of parts.entries())
    into = writer.emit({ kind: 'insert', into, element, index }, returns);
  writer.rename(into, result);
}
