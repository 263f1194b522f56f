import type { Linked } from './link-modules.js';
import type { IrCall, IrFunction, IrInstruction, IrValue } from './syntax.js';

/** The functions whose result is the number of a thread. */
const numbering: ReadonlySet<string> = new Set([
  '__fencewright_thread_self',
  'pthread_self',
  'thrd_current',
]);

/**
 * The hash function of `std::thread::id`, which the headers of C++ libraries define if it is used.
 */
const hashOfNumber = /4hashIN(?:St6thread2id|S_11__thread_id)EE/;

/**
 * Whether functions of the user may compute with the number of a thread: with arithmetic, a
 * comparison of order, an index, or a hash function. Tests for equality are no computation, since
 * the numbers of different threads differ on every machine.
 *
 * The number is followed through locals, variables, arguments and results. A number that is stored
 * anywhere else, as in a field, counts as computed with, and so does a function called by pointer.
 */
export function computesWithThreadNumbers(
  linked: Linked,
  isOfUser: (of: IrFunction) => boolean,
): boolean {
  const own = [...linked.functions.values()].filter((of) => of.blocks.length > 0 && isOfUser(of));
  if (own.some(({ name }) => hashOfNumber.test(name))) return true;
  const initials = [...linked.globals.values()].map(({ initial }) => initial);
  if (initials.some((initial) => initial?.kind === 'global' && numbering.has(initial.name)))
    return true;
  const names = new NumberedNames(linked, isOfUser);
  for (let size = -1; size !== names.size;) {
    size = names.size;
    for (const of of own)
      for (const { instructions } of of.blocks)
        for (const instruction of instructions)
          if (names.follow(of, instruction) === 'computed') return true;
  }
  return false;
}

/** The locals, parameters, variables and functions that hold or return the number of a thread. */
class NumberedNames {
  readonly #linked: Linked;
  readonly #isOfUser: (of: IrFunction) => boolean;
  readonly #names = new Set<string>();
  readonly #functions = new Set(numbering);

  constructor(linked: Linked, isOfUser: (of: IrFunction) => boolean) {
    this.#linked = linked;
    this.#isOfUser = isOfUser;
  }

  get size(): number {
    return this.#names.size + this.#functions.size;
  }

  /**
   * Adds the names to which an instruction passes a number. Returns whether the instruction
   * computes with a number.
   */
  follow(of: IrFunction, { operation, result }: IrInstruction): 'computed' | undefined {
    const holds = (value: IrValue): boolean => this.#names.has(nameIn(of, value));
    const addResult = (isNumber: boolean): void => {
      if (isNumber && result !== undefined)
        this.#names.add(nameIn(of, { kind: 'local', name: result }));
    };
    switch (operation.kind) {
      case 'binary':
        return holds(operation.left) || holds(operation.right) ? 'computed' : undefined;
      case 'compare': {
        const isEquality = operation.relation === 'eq' || operation.relation === 'ne';
        const isNumber = holds(operation.left) || holds(operation.right);
        return isNumber && !isEquality ? 'computed' : undefined;
      }
      case 'switch':
        return holds(operation.on.value) ? 'computed' : undefined;
      case 'element':
        return operation.operands.slice(1).some(({ value }) => holds(value))
          ? 'computed'
          : undefined;
      case 'store':
        return this.#store(of, operation.from.value, operation.address);
      case 'exchange-if':
        addResult(holds(operation.address));
        return this.#store(of, operation.desired, operation.address);
      case 'modify':
        addResult(holds(operation.address));
        return operation.operation === 'xchg'
          ? this.#store(of, operation.operand.value, operation.address)
          : holds(operation.address) || holds(operation.operand.value)
            ? 'computed'
            : undefined;
      case 'load':
        addResult(holds(operation.address));
        return undefined;
      case 'cast':
        addResult(holds(operation.from.value));
        return undefined;
      case 'phi':
        addResult(operation.choices.some(({ value }) => holds(value)));
        return undefined;
      case 'select':
        addResult(holds(operation.then) || holds(operation.otherwise));
        return undefined;
      case 'extract':
        addResult(holds(operation.from.value));
        return undefined;
      case 'insert':
        addResult(holds(operation.into.value) || holds(operation.element.value));
        return undefined;
      case 'return':
        if (operation.value && holds(operation.value.value)) this.#functions.add(of.name);
        return undefined;
      case 'call':
        if (passesOn(operation, holds)) return 'computed';
        addResult(this.#call(of, operation, holds));
        return undefined;
      default:
        return undefined;
    }
  }

  /**
   * Adds the variable to which a number is stored. Returns `computed` if the number is stored
   * anywhere else, or if the stored value is a function that returns thread numbers.
   */
  #store(of: IrFunction, value: IrValue, address: IrValue): 'computed' | undefined {
    if (value.kind === 'global' && numbering.has(value.name)) return 'computed';
    if (!this.#names.has(nameIn(of, value))) return undefined;
    if (!this.#isVariable(of, address)) return 'computed';
    this.#names.add(nameIn(of, address));
    return undefined;
  }

  /** Whether the address is that of a whole local or global variable. */
  #isVariable(of: IrFunction, address: IrValue): boolean {
    if (address.kind !== 'local') return address.kind === 'global';
    return of.blocks.some(({ instructions }) =>
      instructions.some(
        ({ operation, result }) => result === address.name && operation.kind === 'alloca',
      ),
    );
  }

  /** Adds the parameters to which a call passes a number; whether the call returns a number. */
  #call(of: IrFunction, { callee, operands }: IrCall, holds: (value: IrValue) => boolean): boolean {
    if (callee.kind !== 'global') return false;
    const called = this.#linked.functions.get(callee.name);
    const [created] = operands;
    if (created && creating.has(callee.name)) this.#names.add(nameIn(of, created.value));
    if (called && this.#isOfUser(called))
      operands.forEach(({ value }, i) => {
        const parameter = called.parameters[i];
        if (parameter && holds(value))
          this.#names.add(nameIn(called, { kind: 'local', name: parameter.name }));
      });
    return this.#functions.has(callee.name);
  }
}

/**
 * Whether a call passes a number to where it is not followed: to a copy of bytes, or to a new
 * thread.
 */
function passesOn({ callee, operands }: IrCall, holds: (value: IrValue) => boolean): boolean {
  if (callee.kind !== 'global') return operands.some(({ value }) => holds(value));
  const isCopy = /^(?:llvm\.)?mem(?:cpy|move)\b/.test(callee.name);
  const passed = creating.has(callee.name) ? operands.slice(1) : isCopy ? operands : [];
  return passed.some(({ value }) => holds(value));
}

/** The functions that store the number of a new thread at the address in the first operand. */
const creating: ReadonlySet<string> = new Set(['pthread_create', 'thrd_create']);

/** A text for an operand of a function: the same for the same local, global or part of a global. */
function nameIn(of: IrFunction, value: IrValue): string {
  if (value.kind === 'local') return `${of.name} ${value.name}`;
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
}
