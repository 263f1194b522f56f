import { nodesOnCycles } from '@fencewright/ground/base/strongly-connected.js';
import { localsIn, successorLabels } from './flow.js';
import type { Linked } from './link-modules.js';
import type { IrBlock, IrFunction, IrInstruction, IrValue } from './syntax.js';

const known = new WeakMap<Linked, ReadonlySet<IrInstruction>>();

/**
 * The loads whose values may decide how loops of the program continue: the condition of a branch in
 * a loop is computed from the value, possibly in called functions and through locals.
 */
export function decidingLoads(linked: Linked): ReadonlySet<IrInstruction> {
  let found = known.get(linked);
  if (!found) known.set(linked, (found = new Search(linked).run()));
  return found;
}

/** A function, with the instructions by the local name of the result. */
interface Body {
  readonly of: IrFunction;
  readonly instructions: readonly IrInstruction[];
  readonly results: ReadonlyMap<string, IrInstruction>;
}

/** A local value of a function on which the continuation of some loop depends. */
interface Local {
  readonly body: Body;
  readonly name: string;
}

class Search {
  readonly #bodies = new Map<string, Body>();
  readonly #found = new Set<IrInstruction>();
  readonly #pending: Local[] = [];
  readonly #seen = new Map<Body, Set<string>>();
  readonly #whole = new Set<Body>();

  constructor(linked: Linked) {
    for (const of of linked.functions.values()) {
      const instructions = of.blocks.flatMap((block) => block.instructions);
      const results = new Map(
        instructions.flatMap((each) => (each.result === undefined ? [] : [[each.result, each]])),
      );
      this.#bodies.set(of.name, { of, instructions, results });
    }
  }

  run(): ReadonlySet<IrInstruction> {
    for (const body of this.#bodies.values())
      for (const block of blocksInLoops(body.of)) this.#addBranch(body, block);
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) this.#follow(next);
    return this.#found;
  }

  #add(body: Body, names: readonly string[]): void {
    let seen = this.#seen.get(body);
    if (!seen) this.#seen.set(body, (seen = new Set()));
    for (const name of names) {
      if (seen.has(name)) continue;
      seen.add(name);
      this.#pending.push({ body, name });
    }
  }

  /** Adds the locals on which the choice of the block after the given block depends. */
  #addBranch(body: Body, { instructions }: IrBlock): void {
    const last = instructions.at(-1);
    const kind = last?.operation.kind;
    if (last && (kind === 'branch' || kind === 'switch')) this.#add(body, localsIn(last));
  }

  #follow({ body, name }: Local): void {
    const parameter = body.of.parameters.findIndex((each) => each.name === name);
    if (parameter >= 0) this.#addArguments(body.of, parameter);
    const instruction = body.results.get(name);
    if (!instruction) return;
    const { operation } = instruction;
    if (operation.kind === 'load') {
      this.#found.add(instruction);
      this.#addStored(body, operation.address);
    } else if (operation.kind === 'call' && operation.callee.kind === 'global')
      this.#addResult(body, instruction, operation.callee.name);
    else this.#add(body, localsIn(instruction));
  }

  /** Adds the locals that calls of a function pass for a parameter, given by its index. */
  #addArguments(of: IrFunction, parameter: number): void {
    for (const caller of this.#bodies.values())
      for (const { operation } of caller.instructions) {
        if (operation.kind !== 'call' || operation.callee.kind !== 'global') continue;
        const operand = operation.callee.name === of.name && operation.operands[parameter]?.value;
        if (operand && operand.kind === 'local') this.#add(caller, [operand.name]);
      }
  }

  /**
   * Adds the locals returned by a called function, and the locals that decide the function's
   * branches; for a function without a body, the operands of the call.
   */
  #addResult(body: Body, call: IrInstruction, callee: string): void {
    const called = this.#bodies.get(callee);
    if (!called || called.of.blocks.length === 0) {
      this.#add(body, localsIn(call));
      return;
    }
    if (this.#whole.has(called)) return;
    this.#whole.add(called);
    for (const block of called.of.blocks) this.#addBranch(called, block);
    for (const each of called.instructions)
      if (each.operation.kind === 'return') this.#add(called, localsIn(each));
  }

  /**
   * Adds the locals whose values the function stores to the `alloca` that an address belongs to.
   */
  #addStored(body: Body, address: IrValue): void {
    const local = localOf(body, address);
    if (local === undefined) return;
    for (const { operation } of body.instructions)
      if (operation.kind === 'store' && localOf(body, operation.address) === local)
        this.#add(body, operation.from.value.kind === 'local' ? [operation.from.value.name] : []);
  }
}

/** Returns the name of the `alloca` behind an address; `undefined` for other addresses. */
function localOf({ results }: Body, address: IrValue): string | undefined {
  for (let at = address; at.kind === 'local';) {
    const operation = results.get(at.name)?.operation;
    if (operation?.kind === 'alloca') return at.name;
    if (operation?.kind !== 'element') return undefined;
    at = operation.operands[0]!.value;
  }
  return undefined;
}

/** Returns the blocks of a function on cycles of the control flow. */
function blocksInLoops({ blocks }: IrFunction): readonly IrBlock[] {
  const byLabel = new Map(blocks.map((block) => [block.label, block]));
  const after = (block: IrBlock): readonly IrBlock[] =>
    block.instructions
      .flatMap(({ operation }) => successorLabels(operation))
      .flatMap((label) => byLabel.get(label) ?? []);
  return [...nodesOnCycles(blocks, after)];
}
