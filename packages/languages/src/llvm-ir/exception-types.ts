import { demangled } from './scoped-names.js';
import { nameInModule } from './link-modules.js';
import type { Exception, Landed } from './exceptions.js';
import type {
  AssemblyCode,
  IrFunction,
  IrInstruction,
  IrModule,
  IrValue,
  LandingPad,
} from './syntax.js';
import { Unsupported } from './unsupported.js';

/**
 * The conversion of a class to a base: the offset of the base, `none` for no base, or `hidden` if
 * the base is ambiguous or not public.
 */
type Conversion = { readonly offset: number } | 'none' | 'hidden';

const builtin: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ v: 'void', b: 'bool', c: 'char', a: 'signed char', h: 'unsigned char', w: 'wchar_t' },
    ...{ s: 'short', t: 'unsigned short', i: 'int', j: 'unsigned', l: 'long', m: 'unsigned long' },
    ...{ x: 'long long', y: 'unsigned long long', f: 'float', d: 'double', e: 'long double' },
    ...{ n: '__int128', o: 'unsigned __int128', g: '__float128', Dn: 'std::nullptr_t' },
    ...{ Di: 'char32_t', Ds: 'char16_t', Du: 'char8_t' },
  }),
);

/** The C++ name of a type, given the name of its `type_info` object: `_ZTISt13runtime_error`. */
export function typeName(description: string): string {
  const coded = nameInModule(description).replace(/^_ZTI/, '');
  if (coded.startsWith('PK')) return `const ${typeName(coded.slice(2))} *`;
  if (coded.startsWith('P')) return `${typeName(coded.slice(1))} *`;
  if (coded.startsWith('St')) return `std::${typeName(coded.slice(2))}`;
  return builtin.get(coded) ?? demangled(`_Z${coded}`).replace(/^_Z/, '');
}

/** The types of exceptions, read from `type_info` objects as the C++ ABI lays them out. */
export class ExceptionTypes {
  #numbers: ReadonlyMap<string, number> | undefined;

  constructor(readonly module: Pick<IrModule, 'globals'>) {}

  /** Returns the number of an exception type, from 1 on. Throws `Unsupported`. */
  numberOf(type: IrValue | undefined): number {
    this.#numbers ??= new Map([...this.module.globals.keys()].map((name, i) => [name, i + 1]));
    const name = globalIn(type);
    const number = name === undefined ? undefined : this.#numbers.get(name);
    if (number === undefined) throw new Unsupported('the type of an exception is not known here');
    return number;
  }

  /** The selector of `catch (...)`: a number that no type has. */
  get #ofAll(): number {
    return this.module.globals.size + 1;
  }

  /**
   * Returns the exception as it arrives at the landing pad of a call. Returns `undefined` if the
   * instruction has no landing pad or the pad lets the exception pass. Throws `Unsupported`.
   */
  landing(of: IrFunction, { operation }: IrInstruction, thrown: Exception): Landed | undefined {
    if (operation.kind !== 'call' || operation.unwind === undefined) return undefined;
    const pad = padOf(of, operation.unwind);
    for (const { kind, value } of pad.clauses) {
      if (kind === 'filter')
        throw new Unsupported(
          'exception specifications (throw lists) are not supported',
          'remove the specification, or write noexcept',
        );
      if (value.kind === 'null') return { ...thrown, selector: this.#ofAll, part: 0 };
      const handler = globalIn(value);
      if (handler === undefined) throw new Unsupported('the type of a handler is not known');
      const part = this.#part(thrown.type, handler);
      if (part !== undefined) return { ...thrown, selector: this.numberOf(value), part };
    }
    return pad.isCleanup ? { ...thrown, selector: 0, part: 0 } : undefined;
  }

  /**
   * Returns the part of a thrown object that a handler receives; `undefined` if the handler does
   * not catch the type.
   */
  #part(thrown: string, handler: string): Landed['part'] | undefined {
    const isPointer = isPointerType(thrown);
    if (thrown === handler) return isPointer ? 'pointee' : 0;
    if (isPointer && !isPointerType(handler)) return undefined;
    if (isPointer) {
      const isTaken = isPointerTaken(thrown, handler);
      if (isTaken === undefined) throw this.#notKnown(thrown, handler);
      return isTaken ? 'pointee' : undefined;
    }
    if (thrown === '_ZTIDn' && isPointerType(handler)) throw this.#notKnown(thrown, handler);
    const found = this.#conversion(thrown, handler, handler);
    return typeof found === 'string' ? undefined : found.offset;
  }

  #notKnown(thrown: string, handler: string): Unsupported {
    return new Unsupported(
      `whether a handler for '${typeName(handler)}' catches an exception of type '${typeName(thrown)}' ` +
        'is not known',
      'catch the thrown type, or a base class that is defined in the program',
    );
  }

  #conversion(from: string, to: string, handler: string): Conversion {
    if (from === to) return { offset: 0 };
    if (isBuiltin(from)) return 'none';
    const { kind, words } = this.#description(from, handler);
    if (kind === '__class_type_info' || kind === '__enum_type_info') return 'none';
    if (kind === '__si_class_type_info') {
      const base = globalIn(words[0]);
      if (base === undefined) throw this.#notKnown(from, handler);
      return this.#conversion(base, to, handler);
    }
    if (kind !== '__vmi_class_type_info') return this.#ofOther(kind, from, handler);
    // The words are flags, the number of bases, and a pair for each base: its type, and its flags
    // with its offset.
    let found: Conversion = 'none';
    for (let i = 2; i + 1 < words.length; i += 2) {
      const [base, flags] = [globalIn(words[i]), words[i + 1]];
      if (base === undefined || flags?.kind !== 'integer') throw this.#notKnown(from, handler);
      const of = this.#conversion(base, to, handler);
      if (of === 'none') continue;
      const [isVirtual, isPublic] = [(flags.value & 1n) !== 0n, (flags.value & 2n) !== 0n];
      if (isVirtual) throw this.#notKnown(from, handler);
      if (found !== 'none' || of === 'hidden' || !isPublic) found = 'hidden';
      else found = { offset: of.offset + Number(BigInt.asIntN(56, flags.value >> 8n)) };
    }
    return found;
  }

  #ofOther(kind: string, from: string, handler: string): Conversion {
    if (/^__(?:fundamental|array|function)_type_info$/.test(kind)) return 'none';
    throw this.#notKnown(from, handler);
  }

  /** The class of a `type_info` object, and the words after the name of the type. */
  #description(
    type: string,
    handler: string,
  ): { readonly kind: string; readonly words: readonly (IrValue | undefined)[] } {
    const initial = this.module.globals.get(type)?.initial;
    if (initial?.kind !== 'aggregate') throw this.#notKnown(type, handler);
    const [table, , ...rest] = initial.elements;
    const kind = /^_ZTVN10__cxxabiv1\d+(\w+)E$/.exec(globalIn(table?.value) ?? '')?.[1];
    if (kind === undefined) throw this.#notKnown(type, handler);
    return { kind, words: rest.map(({ value }) => value) };
  }
}

/** The global whose address is part of the constant; `undefined` for other constants. */
export function globalIn(value: IrValue | AssemblyCode | undefined): string | undefined {
  if (value?.kind === 'global') return value.name;
  if (value?.kind === 'element') return globalIn(value.operands[0]?.value);
  return value?.kind === 'cast' ? globalIn(value.from.value) : undefined;
}

const isPointerType = (description: string): boolean => /^_ZTI(?:P|M)/.test(description);

/**
 * Whether a handler for one pointer type catches a thrown pointer of another type; `undefined` if
 * unknown.
 */
function isPointerTaken(thrown: string, handler: string): boolean | undefined {
  const [from, to] = [thrown, handler].map((each) => /^_ZTIP(K?)(\w+)$/.exec(each));
  if (!from || !to) return undefined;
  const [[, isConst, pointee], [, mayBeConst, taken]] = [from, to];
  if (!builtin.has(pointee!) || !builtin.has(taken!)) return undefined;
  return (taken === 'v' || taken === pointee) && (isConst === '' || mayBeConst === 'K');
}

const isBuiltin = (description: string): boolean =>
  builtin.has(nameInModule(description).replace(/^_ZTI/, ''));

/** Whether a landing pad ends the program, as for exceptions that leave a `noexcept` function. */
export function isTerminating({ blocks }: IrFunction, label: string): boolean {
  const block = blocks.find((each) => each.label === label);
  return (block?.instructions ?? []).some(
    ({ operation }) =>
      operation.kind === 'call' && globalIn(operation.callee) === '__clang_call_terminate',
  );
}

/** The landing pad at the start of a block. Throws `Unsupported` if the block has none. */
function padOf({ blocks }: IrFunction, label: string): LandingPad {
  const block = blocks.find((each) => each.label === label);
  const first = block?.instructions.find(({ operation }) => operation.kind !== 'phi')?.operation;
  if (first?.kind !== 'landing')
    throw new Unsupported('a call unwinds to a block without a landing pad');
  return first;
}
