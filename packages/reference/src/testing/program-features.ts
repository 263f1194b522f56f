import {
  hasPart,
  keyOf,
  readsRegister,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { threadClasses } from '@fencewright/engines/automata/thread-classes.js';
import { computeCellOwnership } from '@fencewright/engines/automata/cell-ownership.js';
import { wrappingOperators } from './with-wrapping.js';

function isComputed(address: Expression): boolean {
  return hasPart(address, ({ kind }) => kind === 'register');
}

function readsOwnAddress(instruction: Instruction): boolean {
  if (instruction.kind !== 'load') return false;
  return readsRegister(instruction.address, instruction.into);
}

/**
 * Returns the names of the features that a random program has, for statistics over many programs.
 */
export function programFeatures(program: Program): string[] {
  const features = new Set<string>([`${program.threads.length} threads`]);
  for (const thread of program.threads) {
    for (const { from, to, instruction } of thread.transitions) {
      features.add(instruction.kind);
      for (const operator of wrappingOperators(instruction)) features.add(operator);
      if (instruction.kind === 'rmw') {
        const { name } = instruction.operation;
        features.add(`rmw ${name}`);
        if (name.startsWith('fetch_')) features.add('rmw fetch');
      }
      if ('address' in instruction && isComputed(instruction.address))
        features.add('computed address');
      if (readsOwnAddress(instruction)) features.add('register in its own address');
      if (to <= from) features.add('loop');
      if (to === thread.locations.length - 1) features.add('dead end');
    }
    const leaving = thread.transitions.map(({ from }) => from);
    if (new Set(leaving).size < leaving.length) features.add('branch');
  }
  if (computeCellOwnership(program).owned.some(({ size }) => size > 0)) features.add('owned cell');
  const codes = program.threads.map(({ transitions }) => keyOf(transitions));
  if (new Set(codes).size < codes.length) features.add('twin threads');
  if (threadClasses(program, true, computeCellOwnership(program)).length < codes.length)
    features.add('symmetric threads');
  return [...features].sort();
}

/** Counts how many of many programs have each feature. */
export class FeatureCount {
  readonly #counts = new Map<string, number>();
  #programs = 0;

  add(features: readonly string[]): void {
    this.#programs++;
    for (const feature of features) this.#counts.set(feature, (this.#counts.get(feature) ?? 0) + 1);
  }

  get(feature: string): number {
    return this.#counts.get(feature) ?? 0;
  }

  /** Returns a line for each feature, most frequent first, with its share of the programs. */
  toString(): string {
    const rows = [...this.#counts].sort(([, a], [, b]) => b - a);
    const lines = rows.map(
      ([feature, count]) =>
        `${String(Math.round((100 * count) / this.#programs)).padStart(4)} %  ${feature}`,
    );
    return [`${this.#programs} programs`, ...lines].join('\n');
  }
}
