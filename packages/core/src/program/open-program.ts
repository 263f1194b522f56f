import { readsRegister, selfRegister } from './expression.js';
import type { ThreadId } from './ids.js';
import type { Instruction } from './instruction.js';
import { instantiate, type Instance, type ParameterizedProgram } from './parameterized-program.js';
import type { Program, SharedSymbol, Thread } from './program.js';
import { operandsOf } from './read-before-written.js';
import { SelfReplacement } from './replace-self.js';

/**
 * A program whose states no search can enumerate, not even with one place for each kind of thread: arrays without bounds, or copies in any
 * number that are told apart by `self`. Only proofs take it; searches are given instances of it.
 */
export interface OpenProgram {
  /** One thread for each template and each thread of its own. Code of the templates may read `selfRegister`. */
  readonly templates: Program;
  /** The threads of `templates` of which there are any number of copies, ascending; may be empty. */
  readonly unbounded: readonly ThreadId[];
}

/** How many cells an array without bounds has in an instance. */
export const instanceCells = 64;

/** What a program has that only proofs can treat; empty for programs that searches take. */
export function openParts({ templates, unbounded }: OpenProgram): readonly string[] {
  return [
    ...templates.symbols
      .filter(({ isBoundless }) => isBoundless)
      .map(({ name }) => `the array '${name}' has no bounds`),
    ...unbounded
      .map((id) => templates.threads[id])
      .filter((thread) => thread !== undefined && readsSelf(thread))
      .map((thread) => `any number of copies of '${thread?.name}' are told apart by self`),
  ];
}

/** Any program as an open one. */
export function toOpenProgram(program: Program | ParameterizedProgram): OpenProgram {
  return 'templates' in program ? program : { templates: program, unbounded: [] };
}

/** What fixes an instance of an open program. */
export interface InstanceChoice {
  /** Indexed by `ThreadId` of `templates`; entries of single threads are not looked at. */
  readonly counts: readonly number[];
  /** For a `havoc` without range in a program without domain. */
  readonly choices?: { readonly low: number; readonly high: number };
}

/**
 * An instance: so many copies, numbered from 0, and arrays of `instanceCells` cells. What it does, the open program can do as
 * well; an index outside these cells is a fault of the instance only.
 */
export function instantiateOpen(open: OpenProgram, { counts, choices }: InstanceChoice): Instance {
  const { program, templateOf } = instantiate(open, counts);
  const threads = program.threads.map((thread) => {
    const self = new SelfReplacement(thread.copy?.index ?? 0);
    const transitions = thread.transitions.map((transition) => {
      const instruction = self.instruction(transition.instruction);
      return { ...transition, instruction: withChoices(instruction, program, choices) };
    });
    return { ...thread, transitions };
  });
  const { invariants: _, ...rest } = program;
  return { program: { ...rest, symbols: rest.symbols.map(bounded), threads }, templateOf };
}

function withChoices(
  instruction: Instruction,
  { domain }: Program,
  choices: InstanceChoice['choices'],
): Instruction {
  const isFree = instruction.kind === 'havoc' && !instruction.range && !domain;
  return isFree && choices ? { ...instruction, range: choices } : instruction;
}

function bounded({ isBoundless: _, ...symbol }: SharedSymbol): SharedSymbol {
  return symbol;
}

function readsSelf({ transitions }: Thread): boolean {
  return transitions.some(({ instruction }) =>
    operandsOf(instruction).some((operand) => readsRegister(operand, selfRegister)),
  );
}
