import type { ThreadId } from '@fencewright/model/program/ids.js';
import { type InstantiatedProgram, instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import {
  type AutomataOptions,
  createProgramAutomata,
  type ClassAutomata,
  type ProgramAutomata,
} from '../automata/program-automata.js';

/** The threads with equal code: single threads, and templates with any number of copies. */
export interface TemplateClass {
  readonly automata: ClassAutomata;
  /** The number of single threads in the class. */
  readonly single: number;
  /**
   * The templates with this code, as threads of the parameterised program. If there is such a
   * template, instances may have any number of threads with this code.
   */
  readonly unbounded: readonly ThreadId[];
}

/** The automata of a parameterised program; all instances use the same automata. */
export interface TemplateAutomata {
  readonly program: Templates;
  readonly classes: readonly TemplateClass[];
  /**
   * The class of each thread (threads with equal code), indexed by thread of the parameterised
   * program.
   */
  readonly classOf: readonly number[];
  readonly all: ProgramAutomata;
  /** The instance with two copies of each template, from which the automata are made. */
  readonly pairs: InstantiatedProgram;
}

/**
 * Creates the automata of a parameterised program from the instance with two copies of every
 * template: with more copies, no further cells are shared. Threads with equal code share automata.
 */
export function createTemplateAutomata(
  program: Templates,
  options: Omit<AutomataOptions, 'symmetry'>,
): TemplateAutomata {
  const { templates, unbounded } = program;
  const pairs = instantiate(
    program,
    templates.threads.map(() => 2),
  );
  const all = createProgramAutomata(pairs.program, { ...options, symmetry: true });
  const classOf: number[] = [];
  const classes = all.classes.map((members, number): TemplateClass => {
    const own = [...new Set(members.map((member) => pairs.templateOf[member]!))];
    for (const template of own) classOf[template] = number;
    return {
      automata: all.threads[members[0]!]!,
      single: own.filter((template) => !unbounded.includes(template)).length,
      unbounded: own.filter((template) => unbounded.includes(template)),
    };
  });
  return { program, classes, classOf, all, pairs };
}
