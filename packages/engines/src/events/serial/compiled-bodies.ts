import { isIdle, isLocal } from '@fencewright/model/program/instruction.js';
import { refuseHeavyFence } from '@fencewright/model/program/heavy-fences.js';
import { at } from '@fencewright/ground/base/at.js';
import { computeControlFlow } from '@fencewright/model/analysis/control-flow.js';
import {
  computeLiveRegisters,
  definedRegister,
  forEachUse,
  type RegisterAccess,
} from '@fencewright/model/analysis/liveness.js';
import {
  compileExpression,
  compileRmw,
  type Evaluator,
  type RmwEvaluator,
} from '@fencewright/model/program/evaluate.js';
import {
  isInvocation,
  isOfThreads,
  type Body,
  type BodyId,
  type EventInstruction,
  type EventProgram,
} from '@fencewright/model/program/event-program.js';
import { forEachRegister, type Expression } from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, TransitionId } from '@fencewright/model/program/ids.js';
import { cellOfMilestone } from './footprints.js';

/** An instruction with its expressions compiled to evaluators. */
type CompiledInstruction =
  | { readonly kind: 'store'; readonly address: Evaluator; readonly value: Evaluator }
  | { readonly kind: 'load'; readonly into: RegisterId; readonly address: Evaluator }
  | {
      readonly kind: 'rmw';
      readonly into: RegisterId | undefined;
      readonly address: Evaluator;
      readonly operation: RmwEvaluator;
    }
  | { readonly kind: 'fence' | 'lock' | 'unlock' | 'skip' }
  | { readonly kind: 'assign'; readonly into: RegisterId; readonly value: Evaluator }
  | { readonly kind: 'assume'; readonly condition: Evaluator }
  | {
      readonly kind: 'havoc';
      readonly into: RegisterId;
      /** The values from which a `havoc` chooses; absent for any integer. */
      readonly range: { readonly low: number; readonly high: number } | undefined;
      readonly where: Evaluator | undefined;
    }
  | {
      readonly kind: 'call' | 'post';
      readonly body: BodyId;
      readonly isMain: boolean;
      readonly arguments: readonly Evaluator[];
    }
  /**
   * `cell` is the number of the milestone among the cells; it follows the numbers of the cells of
   * memory.
   */
  | { readonly kind: 'pass'; readonly cell: number };

export interface CompiledTransition {
  readonly to: LocationId;
  readonly instruction: CompiledInstruction;
}

/** A handler or procedure, compiled for execution by tasks. */
export interface CompiledBody {
  readonly registers: number;
  readonly initial: LocationId;
  readonly transitions: readonly CompiledTransition[];
  /** The outgoing transitions of each location of the body, indexed by location. */
  readonly outgoing: readonly (readonly TransitionId[])[];
  /** Whether a register's value may still be read, indexed by location, then by register. */
  readonly live: readonly (readonly boolean[])[];
}

const registerAccess: RegisterAccess<EventInstruction> = {
  forEachUse: (instruction, visit) => {
    if (isInvocation(instruction))
      for (const argument of instruction.arguments) forEachRegister(argument, visit);
    else if (isOfThreads(instruction)) forEachUse(instruction, visit);
  },
  defines: (instruction, register) =>
    isOfThreads(instruction) && definedRegister(instruction) === register,
};

function compileInstruction(
  instruction: EventInstruction,
  program: EventProgram,
): CompiledInstruction {
  const { symbols, domain } = program;
  const compile = (expression: Expression): Evaluator => compileExpression(expression, symbols);
  if (isIdle(instruction) && isLocal(instruction)) return { kind: 'skip' };
  switch (instruction.kind) {
    case 'store':
      return {
        kind: 'store',
        address: compile(instruction.address),
        value: compile(instruction.value),
      };
    case 'load':
      return { kind: 'load', into: instruction.into, address: compile(instruction.address) };
    case 'rmw':
      return {
        kind: 'rmw',
        into: instruction.into,
        address: compile(instruction.address),
        operation: compileRmw(instruction.operation, symbols),
      };
    case 'assign':
      return { kind: 'assign', into: instruction.into, value: compile(instruction.value) };
    case 'assume':
      return { kind: 'assume', condition: compile(instruction.condition) };
    case 'havoc':
      return {
        kind: 'havoc',
        into: instruction.into,
        range: instruction.range ?? domain,
        where: instruction.where && compile(instruction.where),
      };
    case 'call':
    case 'post':
      return {
        kind: instruction.kind,
        body: instruction.body,
        isMain: instruction.kind === 'post' && instruction.to === 'main',
        arguments: instruction.arguments.map(compile),
      };
    case 'pass':
      return { kind: 'pass', cell: cellOfMilestone(program, instruction.milestone) };
    case 'assert':
      return { kind: 'skip' };
    case 'heavy-fence':
      return refuseHeavyFence();
    case 'fence':
    case 'lock':
    case 'unlock':
      return { kind: instruction.kind };
  }
}

function compileBody(body: Body, program: EventProgram): CompiledBody {
  return {
    registers: body.registers.length,
    initial: body.initial,
    transitions: body.transitions.map(({ to, instruction }) => ({
      to,
      instruction: compileInstruction(instruction, program),
    })),
    outgoing: computeControlFlow(body).outgoing,
    live: computeLiveRegisters(body, registerAccess),
  };
}

/** Compiles all handlers and procedures of a program; the result is indexed by `BodyId`. */
export function compileBodies(program: EventProgram): readonly CompiledBody[] {
  return program.bodies.map((body) => compileBody(body, program));
}

/**
 * Whether a task of a body may run for ever, indexed by `BodyId`: the body has a cycle, or calls
 * itself, or calls a body that may run for ever.
 */
export function computeMayLoop(bodies: readonly CompiledBody[]): readonly boolean[] {
  // Looks for a cycle of locations. A call leads into the callee, and to the location behind the
  // call.
  return bodies.map((_, root) => {
    const first = bodies.map(() => 0);
    let nodes = 0;
    bodies.forEach((body, b) => {
      first[b] = nodes;
      nodes += body.outgoing.length;
    });
    const colour = new Uint8Array(nodes);
    const visit = (b: BodyId, location: LocationId): boolean => {
      const body = at(bodies, b);
      const id = at(first, b) + location;
      if (colour[id] === 1) return true;
      if (colour[id] === 2) return false;
      colour[id] = 1;
      for (const t of at(body.outgoing, location)) {
        const { to, instruction } = at(body.transitions, t);
        if (instruction.kind === 'call') {
          const callee = at(bodies, instruction.body);
          if (visit(instruction.body, callee.initial)) return true;
        }
        if (visit(b, to)) return true;
      }
      colour[id] = 2;
      return false;
    };
    return visit(root, at(bodies, root).initial);
  });
}
