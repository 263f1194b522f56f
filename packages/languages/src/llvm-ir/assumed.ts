import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { type Assumption, weakExchangeAsOnX86 } from '@fencewright/model/program/assumption.js';

/** By key, the assumptions on which the models of library functions rest. */
export const libraryAssumptions = {
  malloc: { name: 'malloc', text: 'malloc never fails' },
  newBlocks: { name: 'malloc', text: 'malloc never returns freed memory' },
  freed: { name: 'free', text: 'freed memory keeps its contents until it is allocated again' },
  unnamedBytes: {
    name: 'malloc',
    text: 'bytes that are only copied or set with other bytes of their block are left out',
  },
  ownTexts: {
    name: 'output',
    text: 'executions that differ only in a text that a thread made and prints do not differ',
  },
  moved: { name: 'realloc', text: 'realloc moves each block that it enlarges' },
  localsEnd: { name: 'locals', text: 'locals keep their contents when their call ends' },
  userSpace: { name: 'addresses', text: 'addresses have 47 bits, as in user space on x86-64' },
  weakExchange: weakExchangeAsOnX86,
  atomicSections: {
    name: 'atomic sections',
    text: 'an atomic section of CBMC is a locked instruction: for CBMC, it orders nothing around it',
  },
  assemblyFence: { name: 'assembly', text: 'a full fence of inline assembly is a seq_cst fence' },
  noEndlessWaits: {
    name: 'waits',
    text: 'no thread waits for a value that no thread stores: the code behind such a wait is not supported',
  },
  environment: { name: 'getenv', text: 'no environment variable that getenv asks for is set' },
  threadNumbers: {
    name: 'thread numbers',
    text: 'main has the number 1, and the threads that it starts 2, 3 and so on: on the machine, the numbers are others',
  },
  signals: { name: 'signals', text: 'no signal reaches the program' },
  knownTail: {
    name: 'main',
    text: 'main ends without a fault after its last join, and its outputs there follow from the final memory',
  },
} as const satisfies Readonly<Record<string, Assumption>>;

/** The assumption with a key of `libraryAssumptions`. */
export function assumptionWith(key: string): Assumption {
  const found = Object.entries(libraryAssumptions).find(([name]) => name === key);
  if (!found) throw new InternalError(`no assumption is called '${key}'`);
  return found[1];
}

/** The assumption that unknown integers hold no addresses, at `line` if given. */
export function noAddress(line: number | undefined): Assumption {
  const where = line === undefined ? 'is computed with' : `line ${line} computes with`;
  return { name: 'addresses', text: `no integer that ${where} holds an address` };
}

/** The assumption that addresses ordered or subtracted, at `line` if given, lie in one object. */
export function oneObject(line: number | undefined): Assumption {
  const where =
    line === undefined ? 'are subtracted or ordered' : `line ${line} subtracts or orders`;
  return { name: 'addresses', text: `addresses that ${where} lie in one object` };
}

/**
 * The assumption that a function never fails. The failure of an unregistered `membarrier` is
 * modelled.
 */
export function neverFails(name: string): Assumption {
  const isRegistered = name === 'membarrier';
  return { name, text: isRegistered ? `a registered ${name} never fails` : `${name} never fails` };
}

const keyOf = ({ name, text }: Assumption): string => `${name} ${text}`;

/** The assumptions on which the translation of a program rests so far, without duplicates. */
export class Assumed {
  readonly #all = new Map<string, Assumption>();

  note(assumption: Assumption): void {
    this.#all.set(assumption.text, assumption);
  }

  /** All assumptions, sorted by name and text. */
  get all(): readonly Assumption[] {
    return [...this.#all.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }
}
