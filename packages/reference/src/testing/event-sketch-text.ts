import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Body, EventProgram } from '@fencewright/model/program/event-program.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import { formatExpression, formatInstruction } from '@fencewright/model/program/format.js';
import type { BodySketch, EventSketch, EventStatement } from './event-builder.js';

/** Writes the statements of one event or procedure as text. */
class BodyWriter {
  constructor(
    readonly program: EventProgram,
    readonly body: Body,
  ) {}

  inside(statements: readonly EventStatement[]): string {
    return `{ ${statements.map((statement) => this.#statement(statement)).join(' ')} }`;
  }

  #show(expression: Expression): string {
    return formatExpression(this.program, this.body, expression);
  }

  #statement(statement: EventStatement): string {
    switch (statement.kind) {
      case 'if': {
        const { condition, then, otherwise } = statement;
        const rest = otherwise.length > 0 ? ` else ${this.inside(otherwise)}` : '';
        return `if (${this.#show(condition)}) ${this.inside(then)}${rest}`;
      }
      case 'choose':
        return `choose ${statement.branches.map((branch) => this.inside(branch)).join(' or ')}`;
      case 'while':
        return `while (${this.#show(statement.condition)}) ${this.inside(statement.inside)}`;
      case 'atomic':
        return `atomic ${this.inside(statement.inside)}`;
      case 'return':
        return 'return;';
      case 'call':
      case 'post': {
        const given = statement.arguments.map((argument) => this.#show(argument)).join(', ');
        const { name } = this.program.bodies[statement.body]!;
        const how = statement.kind === 'call' ? 'call' : `async[${statement.to}]`;
        return `${how} ${name}(${given});`;
      }
      case 'pass':
        throw new InternalError('a milestone has a label, and a sketch has none');
      default:
        return `${formatInstruction(this.program, this.body, statement)};`;
    }
  }
}

/** Returns the text of a sketch in the native language; `program` is the program of the sketch. */
export function eventSketchText(sketch: EventSketch, program: EventProgram): string {
  const { cells, procedures = [], events, instances } = sketch;
  const sketches: readonly BodySketch[] = [...procedures, ...events];
  const bodies = sketches.map(({ does }, id) => {
    const body = program.bodies[id]!;
    const names = body.registers.map(({ name }) => name);
    const [given, locals] = [names.slice(0, body.parameters), names.slice(body.parameters)];
    const text = new BodyWriter(program, body).inside(does);
    return `${body.role} ${body.name}(${given.join(', ')}) { local ${locals.join(', ')}; ${text.slice(2)}`;
  });
  const started = instances.map(({ event, arguments: given = [], count = 1 }) => {
    const times = count === 'any' ? ' *' : count === 1 ? '' : ` * ${count}`;
    return `${events[event]!.name}(${given.join(', ')})${times}`;
  });
  return [
    `program ${program.name}`,
    `var ${cells.map((cell, address) => `${cell} @ ${address}`).join(', ')}`,
    ...bodies,
    `events ${started.join(', ')}`,
    '',
  ].join('\n');
}
