import {
  expressionReader,
  instructionReaders,
  named,
  range,
  symbolsReader,
  transitionReader,
} from '../automata.js';
import {
  anyIndex,
  anything,
  index,
  int32,
  list,
  literal,
  type Reader,
  record,
  tagged,
  text,
  wrong,
} from '../shape.js';
import type { Body, EventAutomata, EventInstruction, Instances } from './program.js';

/** The maximum number of instances of an event in a file; larger numbers are refused. */
const mostInstances = 64;

const bodyOutline = record({
  name: text,
  role: literal('event', 'procedure'),
  parameters: anyIndex,
  registers: list(named),
  locations: list(named),
  initial: anything,
  transitions: anything,
});

const outline = record(
  {
    format: literal('fencewright-event-automata'),
    version: literal(1),
    name: text,
    symbols: symbolsReader,
    bodies: list(bodyOutline),
    instances: anything,
    properties: list(anything),
  },
  { domain: range },
);

type Outline = ReturnType<typeof bodyOutline>;

/** Throws `ShapeError` unless a body has the given role and takes the given number of arguments. */
function fits(
  bodies: readonly Pick<Outline, 'role' | 'parameters'>[],
  role: Body['role'],
  { body, given }: { readonly body: number; readonly given: number },
  path: string,
): void {
  if (bodies[body]!.role !== role) wrong(path, `the index of a body with the role '${role}'`);
  if (bodies[body]!.parameters !== given)
    wrong(path, `${bodies[body]!.parameters} arguments, as the body has parameters`);
}

function readBody(bodies: readonly Outline[], at: number, symbols: number, path: string): Body {
  const body = bodies[at]!;
  const registers = body.registers.length;
  if (body.parameters > registers) wrong(`${path}.parameters`, 'at most as many as registers');
  const location = index(body.locations.length);
  const given = list(expressionReader(registers, symbols));
  const { 'heavy-fence': _heavy, ...plain } = instructionReaders(registers, symbols);
  const reader = tagged<EventInstruction>({
    ...plain,
    call: record({ body: index(bodies.length), arguments: given }),
    post: record({
      body: index(bodies.length),
      to: literal('main', 'any'),
      arguments: given,
    }),
  });
  const instruction: Reader<EventInstruction> = (value, where) => {
    const read = reader(value, where);
    if (read.kind === 'call' || read.kind === 'post')
      fits(bodies, 'procedure', { body: read.body, given: read.arguments.length }, where);
    return read;
  };
  return {
    ...body,
    initial: location(body.initial, `${path}.initial`),
    transitions: list(transitionReader(location, instruction))(
      body.transitions,
      `${path}.transitions`,
    ),
  };
}

/**
 * Reads a program of events from the JSON of a file. Throws `ShapeError`; every index in the result
 * is valid.
 */
export function readEventAutomata(value: unknown, path: string): EventAutomata {
  const { properties: _, ...read } = outline(value, path);
  const bodies = read.bodies.map((_body, at) =>
    readBody(read.bodies, at, read.symbols.length, `${path}.bodies[${at}]`),
  );
  const count: Reader<Instances['count']> = (said, where) =>
    said === 'any' || index(mostInstances + 1)(said, where) > 0
      ? (said as Instances['count'])
      : wrong(where, "at least 1, or 'any'");
  const instance = record({ event: index(bodies.length), arguments: list(int32), count });
  const instances = list((one, where) => {
    const { event, ...rest } = instance(one, where);
    fits(bodies, 'event', { body: event, given: rest.arguments.length }, where);
    return { event, ...rest };
  })(read.instances, `${path}.instances`);
  return { ...read, bodies, instances };
}
