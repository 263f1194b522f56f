import type { EventProgram } from './event-program.js';
import type { ThreadId } from './ids.js';
import { instantiate } from './instantiate.js';
import type { Program } from './program.js';
import type { Templates } from './templates.js';

/** A program with a known number of threads: the input of searches. */
export interface FiniteModel {
  readonly kind: 'finite';
  readonly program: Program;
  /**
   * The program with one register for each value of the source that final states show. `program`
   * omits the registers for values that only one thread knows. Both programs have equal effects on
   * memory. Absent if nothing is omitted.
   */
  readonly observed?: Program;
}

/**
 * A program with any number of copies of some threads ([BDM13] Sect. 6): all its instances, for
 * every choice of counts, including 0. Engines do not accept unbounded models, but instances from
 * `instantiate`.
 */
export interface UnboundedModel extends Templates {
  readonly kind: 'unbounded';
  /** The threads with any number of copies; not empty. */
  readonly unbounded: readonly ThreadId[];
}

/**
 * A program whose states no search can enumerate, not even with one counter for each kind of
 * thread: there are unbounded arrays, or any number of copies distinguished by `self` (see
 * `openParts`). Only proofs accept open models; searches get instances.
 */
export interface OpenModel extends Templates {
  readonly kind: 'open';
}

/**
 * A program of events and procedures. Its tasks run on any number of threads, so there are no
 * threads to inspect.
 */
export interface EventModel {
  readonly kind: 'events';
  readonly program: EventProgram;
}

/** A program of threads. */
export type ThreadModel = FiniteModel | UnboundedModel | OpenModel;

/** The kinds of programs that a text can describe. */
export type Model = ThreadModel | EventModel;

/**
 * Converts any program or model to templates; the templates of a program with a known number of
 * threads are its threads.
 */
export function templatesOf(about: Program | Templates | ThreadModel): Templates {
  if ('templates' in about) return about;
  return { templates: 'kind' in about ? about.program : about, unbounded: [] };
}

/** The program of a model whose number of threads is known; `undefined` for other models. */
export function finiteProgram(model: Model | undefined): Program | undefined {
  return model?.kind === 'finite' ? model.program : undefined;
}

/**
 * Returns the program whose final states are compared: `observed`, with registers for all shown
 * values, if present.
 */
export function observedProgram(model: FiniteModel): Program {
  return model.observed ?? model.program;
}

/**
 * The model, if it has any number of copies of some threads and searches can handle this; otherwise
 * `undefined`.
 */
export function unboundedModel(model: Model | undefined): UnboundedModel | undefined {
  return model?.kind === 'unbounded' ? model : undefined;
}

/** The model, unless it is a program of events; then `undefined`. */
export function threadModel(model: Model | undefined): ThreadModel | undefined {
  return model?.kind === 'events' ? undefined : model;
}

/** The model, if it is a model of events; otherwise `undefined`. */
export function eventModel(model: Model | undefined): EventModel | undefined {
  return model?.kind === 'events' ? model : undefined;
}

/** The model, if only proofs can handle it; otherwise `undefined`. */
export function openModel(model: Model | undefined): OpenModel | undefined {
  return model?.kind === 'open' ? model : undefined;
}

/**
 * The program that shows a model's threads: the program itself, or one thread for each template.
 * Ids are those of the templates.
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
