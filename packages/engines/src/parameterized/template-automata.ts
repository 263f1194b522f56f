import type { ThreadId } from '@fencewright/model/program/ids.js';
import { type Instance, instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import {
  type AutomataOptions,
  createProgramAutomata,
  type ClassAutomata,
  type ProgramAutomata,
} from '../automata/program-automata.js';

/** The threads of one code: single threads, and templates with any number of copies. */
export interface TemplateClass {
  readonly automata: ClassAutomata;
  /** The number of single threads. */
  readonly single: number;
  /**
   * Templates with this code, as threads of the parameterised program; a template makes the class
   * unbounded.
   */
  readonly unbounded: readonly ThreadId[];
}

/** The automata of a parameterised program, shared by all instances. */
export interface TemplateAutomata {
  readonly program: Templates;
  readonly classes: readonly TemplateClass[];
  /** Indexed by thread of the parameterised program: the class of the thread. */
  readonly classOf: readonly number[];
  readonly all: ProgramAutomata;
  /** The instance with two copies of each template, over which the automata are defined. */
  readonly pairs: Instance;
}

/**
 * Returns automata over the instance with two copies of every template: larger numbers of copies do
 * not change which cells are shared. Threads with equal code share automata.
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
