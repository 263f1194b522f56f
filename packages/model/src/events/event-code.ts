import { at } from '@fencewright/ground/base/at.js';
import { compileExpression, type Evaluator } from '../program/evaluate.js';
import {
  isOfThreads,
  type BodyId,
  type EventInstruction,
  type EventProgram,
} from '../program/event-program.js';
import type { LocationId, TransitionId } from '../program/ids.js';
import type { SharedSymbol, Transition } from '../program/program.js';
import { compileTransition, type CodeTransition } from '../semantics/thread-code.js';

/**
 * A call, the posting of a task, or the passing of a milestone (a label for which events wait),
 * with compiled arguments.
 */
export interface InvocationTransition {
  readonly id: TransitionId;
  readonly to: LocationId;
  readonly invocation: Extract<EventInstruction, { kind: 'call' | 'post' | 'pass' }>;
  readonly arguments: readonly Evaluator[];
}

/** A transition of an event or procedure, with compiled expressions. */
type EventCodeTransition = CodeTransition | InvocationTransition;

/**
 * An event program with compiled expressions: `bodies[b][location]` lists the outgoing transitions
 * of a location in event or procedure `b`.
 */
export interface EventCode {
  readonly program: EventProgram;
  readonly bodies: readonly (readonly (readonly EventCodeTransition[])[])[];
}

function compile(
  id: TransitionId,
  transition: Transition<EventInstruction>,
  symbols: readonly SharedSymbol[],
): EventCodeTransition {
  const { instruction } = transition;
  if (isOfThreads(instruction))
    return compileTransition(id, { ...transition, instruction }, symbols);
  return {
    id,
    to: transition.to,
    invocation: instruction,
    arguments:
      instruction.kind === 'pass'
        ? []
        : instruction.arguments.map((argument) => compileExpression(argument, symbols)),
  };
}

/** Compiles every expression of an event program once, so that the program is ready to execute. */
export function compileEventProgram(program: EventProgram): EventCode {
  const bodies = program.bodies.map(({ locations, transitions }) => {
    const leaving: EventCodeTransition[][] = locations.map(() => []);
    transitions.forEach((transition, id) => {
      leaving[transition.from]?.push(compile(id, transition, program.symbols));
    });
    return leaving;
  });
  return { program, bodies };
}

/**
 * Returns the outgoing transitions of `location` in an event or procedure; empty at a location
 * where the event or procedure returns.
 */
export function leavingLocation(
  code: EventCode,
  body: BodyId,
  location: LocationId,
): readonly EventCodeTransition[] {
  return at(at(code.bodies, body), location);
}
