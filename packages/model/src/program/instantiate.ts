import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from './ids.js';
import type { Instruction } from './instruction.js';
import { readsSelf } from './open-parts.js';
import { propertyOfInstance, type InInstance } from './property-of-instance.js';
import type { Program, SharedSymbol, Thread } from './program.js';
import { SelfReplacement } from './replace-self.js';
import type { Templates } from './templates.js';

/** The name of a copy of a thread: `thief[0]`. */
function copyName(template: string, index: number): string {
  return `${template}[${index}]`;
}

/** The thread that is the copy `index` of a template. */
export function copyOf(template: Thread, index: number): Thread {
  return {
    ...template,
    name: copyName(template.name, index),
    copy: { template: template.name, index },
  };
}

/** A program with the chosen numbers of copies of templates. */
export interface InstantiatedProgram {
  readonly program: Program;
  /**
   * For each thread of the instance, the thread of `templates` of which it is a copy; indexed by
   * `ThreadId`.
   */
  readonly templateOf: readonly ThreadId[];
}

/**
 * The values from which a `havoc` without a range chooses in an instance, if the program has no
 * domain.
 */
export interface Choices {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the instance with `counts[t]` copies of each unbounded thread `t` of `templates`; the
 * entries of bounded threads are ignored. Copies take the position of their template, numbered from
 * 0. Unbounded arrays get `instanceCells` cells: the templates can do everything that an instance
 * can, except for faults at indices outside these cells. Invariants concern the templates: an
 * instance has none.
 */
export function instantiate(
  { templates, unbounded }: Templates,
  counts: readonly number[],
  choices?: Choices,
): InstantiatedProgram {
  const threads: Thread[] = [];
  const templateOf: ThreadId[] = [];
  const inInstance: InInstance[] = [];
  templates.threads.forEach((thread, id) => {
    const count = unbounded.includes(id) ? (counts[id] ?? 0) : 1;
    const copies = Array.from({ length: count }, (_, index) => threads.length + index);
    inInstance.push({ kind: 'copies', threads: copies, areAlike: !readsSelf(thread) });
    for (let index = 0; index < count; index++) {
      templateOf.push(id);
      threads.push(unbounded.includes(id) ? copyOf(thread, index) : thread);
    }
  });
  const properties = templates.properties.map((property) =>
    propertyOfInstance(property, (thread) => at(inInstance, thread)),
  );
  const { invariants: _, ...rest } = templates;
  const program: Program = {
    ...rest,
    symbols: rest.symbols.map(bounded),
    threads: threads.map((thread) => withoutFreedom(thread, rest, choices)),
    properties,
  };
  return { program, templateOf };
}

/**
 * Returns the thread with `self` replaced by the number of the copy, and with ranges for each
 * `havoc` without a range; unchanged if the thread has neither.
 */
function withoutFreedom(
  thread: Thread,
  { domain }: Pick<Program, 'domain'>,
  choices: Choices | undefined,
): Thread {
  const range = domain ? undefined : choices;
  if (!range && !readsSelf(thread)) return thread;
  const self = new SelfReplacement(thread.copy?.index ?? 0);
  const transitions = thread.transitions.map((transition) => {
    const instruction = self.instruction(transition.instruction);
    return { ...transition, instruction: range ? within(instruction, range) : instruction };
  });
  return { ...thread, transitions };
}

function within(instruction: Instruction, range: Choices): Instruction {
  const isFree = instruction.kind === 'havoc' && !instruction.range;
  return isFree ? { ...instruction, range } : instruction;
}

function bounded(symbol: SharedSymbol): SharedSymbol {
  if (!symbol.isBoundless) return symbol;
  const { isBoundless: _, ...rest } = symbol;
  return rest;
}
