import type { ThreadId } from '@fencewright/model/program/ids.js';
import { type Instance, instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import {
  type AutomataOptions,
  createProgramAutomata,
  type ClassAutomata,
  type ProgramAutomata,
} from '../automata/program-automata.js';

/** Threads of one code: those that there are in any case, and templates of any number of copies. */
export interface TemplateClass {
  readonly automata: ClassAutomata;
  /** Threads that there are in any case. */
  readonly single: number;
  /**
   * Templates with this code, as threads of the parameterised program; with any there is no bound
   * on the threads of the class.
   */
  readonly unbounded: readonly ThreadId[];
}

/** The automata of a parameterised program, which all its instances have in common. */
export interface TemplateAutomata {
  readonly program: Templates;
  readonly classes: readonly TemplateClass[];
  /** Indexed by thread of the parameterised program: its class. */
  readonly classOf: readonly number[];
  readonly all: ProgramAutomata;
  /** The instance with two copies of each template, over which the automata are defined. */
  readonly pairs: Instance;
}

/**
 * Automata over the instance with two copies of every template: who else accesses a cell is the
 * same for any larger number. Threads with the same code share theirs.
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
