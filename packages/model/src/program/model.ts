import type { EventProgram } from './event-program.js';
import type { ThreadId } from './ids.js';
import { instantiate } from './instantiate.js';
import type { Program } from './program.js';
import type { Templates } from './templates.js';

/** A program with a number of threads that is known: what searches take. */
export interface FiniteModel {
  readonly kind: 'finite';
  readonly program: Program;
  /**
   * The same with registers for all that its final states have in the source, of which `program`
   * leaves out what one thread alone knows: it does the same to memory. Absent where that is
   * nothing.
   */
  readonly observed?: Program;
}

/**
 * A program with any number of copies of some threads ([BDM13] Sect. 6): all its instances at once,
 * one for each choice of numbers, 0 included. Engines take none; `instantiate` gives them an
 * instance. Properties speak of threads of their own and of memory only.
 */
export interface UnboundedModel extends Templates {
  readonly kind: 'unbounded';
  /** Not empty. */
  readonly unbounded: readonly ThreadId[];
}

/**
 * A program whose states no search can enumerate, not even with one place for each kind of thread:
 * it has arrays without bounds, or copies in any number that are told apart by `self` (see
 * `openParts`). Only proofs take it; searches are given instances of it.
 */
export interface OpenModel extends Templates {
  readonly kind: 'open';
}

/** A program of events and procedures. It has no threads that could be looked at. */
export interface EventModel {
  readonly kind: 'events';
  readonly program: EventProgram;
}

/** A program of threads. */
export type ThreadModel = FiniteModel | UnboundedModel | OpenModel;

/** What a text may say: the kinds of programs that there are. */
export type Model = ThreadModel | EventModel;

/** Whatever it is, as templates: the threads of a program are their own. */
export function templatesOf(about: Program | Templates | ThreadModel): Templates {
  if ('templates' in about) return about;
  return { templates: 'kind' in about ? about.program : about, unbounded: [] };
}

/** The program, where there is one with a known number of threads. */
export function finiteProgram(model: Model | undefined): Program | undefined {
  return model?.kind === 'finite' ? model.program : undefined;
}

/** The program of which final states are compared. */
export function observedProgram(model: FiniteModel): Program {
  return model.observed ?? model.program;
}

/** The model, where there are threads in any number of copies that searches can treat. */
export function unboundedModel(model: Model | undefined): UnboundedModel | undefined {
  return model?.kind === 'unbounded' ? model : undefined;
}

/** The model, where it is one of threads. */
export function threadModel(model: Model | undefined): ThreadModel | undefined {
  return model?.kind === 'events' ? undefined : model;
}

/** The model, where it is one of events. */
export function eventModel(model: Model | undefined): EventModel | undefined {
  return model?.kind === 'events' ? model : undefined;
}

/** The model, where only proofs can treat it. */
export function openModel(model: Model | undefined): OpenModel | undefined {
  return model?.kind === 'open' ? model : undefined;
}

/**
 * A program to inspect in the place of the model: itself, or one with a thread for each template.
 * Its ids are those of the templates.
 */
export function inspectedProgram(model: ThreadModel): Program {
  switch (model.kind) {
    case 'finite':
      return model.program;
    case 'unbounded':
      return model.templates;
    case 'open': {
      const one = model.templates.threads.map(() => 1);
      return instantiate(model, one).program;
    }
  }
}
