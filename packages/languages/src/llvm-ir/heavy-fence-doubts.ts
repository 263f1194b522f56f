import {
  ignoredHeavyFence,
  loadMayOvertake,
  vainHeavyFence,
} from '@fencewright/ground/source/c-diagnostics.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import { isResultUsed, successorLabels } from './flow.js';
import type { Linked } from './link-modules.js';
import type { SourcePlaces } from './places.js';
import type { Round } from './world.js';
import type { IrCall, IrFunction, IrInstruction, IrOperationOf, IrValue } from './syntax.js';

/** The number of the system call `membarrier`. */
const systemCall = 324n;
/** The commands of `membarrier` that act as a heavy fence, a fence in all threads. */
const heavyCommands: ReadonlySet<bigint> = new Set([1n, 2n, 8n, 32n, 128n]);

function numberOf(call: IrCall, index: number): bigint | undefined {
  const value = call.operands[index]?.value;
  return value?.kind === 'integer' ? value.value : undefined;
}

/** Whether a call is a `membarrier`, by itself or by a wrapper, with a command that is a fence. */
function isMembarrier(call: IrCall): boolean {
  if (call.callee.kind !== 'global') return false;
  const { name } = call.callee;
  const isSystemCall = name === 'syscall' && numberOf(call, 0) === systemCall;
  if (!isSystemCall && !/(^|_)membarrier$/.test(name)) return false;
  const command = numberOf(call, isSystemCall ? 1 : 0);
  return command !== undefined && heavyCommands.has(command);
}

type IrStore = IrOperationOf<'store'>;

/**
 * An atomic store after which the compiler may move a later load of another cell before the store.
 */
interface LooseStore {
  readonly instruction: IrInstruction;
  readonly address: string;
}

/** A store and a later load that the compiler may exchange. */
interface Exchange {
  readonly store: IrInstruction;
  readonly load: IrInstruction;
}

/** Returns a text for an address: equal for equal computations from equal values. */
function addressText(of: IrFunction, value: IrValue): string {
  if (value.kind !== 'local')
    return JSON.stringify(value, (_, one: unknown) =>
      typeof one === 'bigint' ? `${one}` : isLocal(one) ? addressText(of, one) : one,
    );
  const by = of.blocks
    .flatMap(({ instructions }) => instructions)
    .find(({ result }) => result === value.name)?.operation;
  switch (by?.kind) {
    case 'element':
      return `element ${by.operands.map((one) => addressText(of, one.value)).join()}`;
    case 'cast':
      return addressText(of, by.from.value);
    case 'load':
      return `load ${addressText(of, by.address)}`;
    default:
      return `local ${value.name}`;
  }
}

function isLocal(value: unknown): value is Extract<IrValue, { readonly kind: 'local' }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'local';
}

function isLoose({ access, order }: IrStore): boolean {
  return access === 'atomic' && order !== 'seq_cst';
}

/**
 * Finds, in each function by itself, stores and loads that the compiler may exchange. A call of a
 * function that is not the user's is a barrier.
 */
class ExchangeFinder {
  readonly #linked: Linked;
  readonly #isOfUser: (of: IrFunction) => boolean;
  readonly #barriers = new Map<IrFunction, boolean>();

  constructor(linked: Linked, isOfUser: (of: IrFunction) => boolean) {
    this.#linked = linked;
    this.#isOfUser = isOfUser;
  }

  /**
   * Returns the stores of a function that the compiler may exchange with a later load, each with
   * one such load.
   */
  exchangesIn(of: IrFunction): readonly Exchange[] {
    const found = new Map<IrInstruction, Exchange>();
    const before = of.blocks.map(() => new Map<IrInstruction, LooseStore>());
    const labels = new Map(of.blocks.map(({ label }, i) => [label, i]));
    const pending = [...of.blocks.keys()];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const loose = new Map(before[at]);
      for (const instruction of of.blocks[at]!.instructions) {
        this.#follow(of, instruction, loose, found);
        for (const label of successorLabels(instruction.operation)) {
          const next = labels.get(label);
          const known = before[next ?? -1];
          if (next === undefined || !known) continue;
          const { size } = known;
          for (const [store, one] of loose) known.set(store, one);
          if (known.size > size) pending.push(next);
        }
      }
    }
    return [...found.values()];
  }

  #follow(
    of: IrFunction,
    instruction: IrInstruction,
    loose: Map<IrInstruction, LooseStore>,
    found: Map<IrInstruction, Exchange>,
  ): void {
    const { operation } = instruction;
    if (this.#isBarrier(operation)) loose.clear();
    else if (operation.kind === 'store' && isLoose(operation))
      loose.set(instruction, { instruction, address: addressText(of, operation.address) });
    else if (operation.kind === 'load' && operation.access === 'atomic') {
      const address = addressText(of, operation.address);
      for (const one of loose.values())
        if (one.address !== address && !found.has(one.instruction))
          found.set(one.instruction, { store: one.instruction, load: instruction });
    }
  }

  #isBarrier(operation: IrInstruction['operation']): boolean {
    if (operation.kind === 'store') return operation.access === 'atomic' && !isLoose(operation);
    if (operation.kind !== 'call')
      return ['fence', 'exchange-if', 'modify', 'unknown'].includes(operation.kind);
    if (operation.callee.kind !== 'global') return true;
    const { name } = operation.callee;
    if (name.startsWith('llvm.')) return false;
    const called = this.#linked.functions.get(name);
    return !called || !this.#isOfUser(called) || this.#hasBarrier(called);
  }

  /**
   * Whether the function, or a called function, contains a barrier; a recursive call counts as a
   * barrier.
   */
  #hasBarrier(of: IrFunction): boolean {
    const known = this.#barriers.get(of);
    if (known !== undefined) return known;
    this.#barriers.set(of, true);
    const has = of.blocks.some(({ instructions }) =>
      instructions.some(({ operation }) => this.#isBarrier(operation)),
    );
    this.#barriers.set(of, has);
    return has;
  }
}

function placeName({ source, start }: Span): string {
  return `${source?.name ?? ''} ${start.line} ${start.column}`;
}

/**
 * Returns the warnings about heavy fences: a `membarrier` that does nothing, a `membarrier` whose
 * result the program ignores, and a store that the compiler may exchange with a later load of the
 * same function. The last warning is given only if no barrier (`ExchangeFinder`) stands between
 * store and load, and `program` has transitions for store and load.
 */
export function heavyFenceDoubts(
  { vainFences, world: { linked } }: Round,
  places: SourcePlaces,
  program: Program,
): readonly Diagnostic[] {
  const vain = [...vainFences.values()].map(({ origin, text }) =>
    vainHeavyFence(origin.span, text),
  );
  return hasHeavyFences(program) ? [...vain, ...furtherDoubts(linked, places, program)] : vain;
}

function furtherDoubts(
  linked: Linked,
  places: SourcePlaces,
  program: Program,
): readonly Diagnostic[] {
  const steps = new Set(
    program.threads.flatMap(({ transitions }) =>
      transitions.flatMap(({ origin: { span } }) => (span ? [placeName(span)] : [])),
    ),
  );
  const isOfUser = (of: IrFunction): boolean => !places.isInLibrary(of);
  const finder = new ExchangeFinder(linked, isOfUser);
  return [...linked.functions.values()].filter(isOfUser).flatMap((of): Diagnostic[] => {
    const spanOf = (instruction: IrInstruction): Span | undefined => places.spanOf(of, instruction);
    const ignored = of.blocks
      .flatMap(({ instructions }) => instructions)
      .filter(
        (one) =>
          one.operation.kind === 'call' && isMembarrier(one.operation) && !isResultUsed(of, one),
      );
    const exchanges = finder.exchangesIn(of).flatMap(({ store, load }) => {
      const [stored, loaded] = [spanOf(store), spanOf(load)];
      const areSteps =
        stored && loaded && steps.has(placeName(stored)) && steps.has(placeName(loaded));
      return areSteps ? [loadMayOvertake(loaded, stored.start.line + 1)] : [];
    });
    return [...ignored.map((one) => ignoredHeavyFence(spanOf(one))), ...exchanges];
  });
}
