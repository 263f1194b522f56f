import { hasPart } from '@fencewright/model/program/expression.js';
import type { BodyId, EventProgram } from '@fencewright/model/program/event-program.js';

/**
 * Returns the length of the longest chain of postings that starts in an event or procedure; 0 if
 * the event or procedure posts nothing.
 */
function postingDepth(
  { bodies }: EventProgram,
  body: BodyId,
  seen: readonly BodyId[] = [],
): number {
  if (seen.includes(body)) return 0;
  const depths = bodies[body]!.transitions.map(({ instruction }) => {
    if (instruction.kind !== 'post' && instruction.kind !== 'call') return 0;
    const below = postingDepth({ bodies } as EventProgram, instruction.body, [...seen, body]);
    return below + (instruction.kind === 'post' ? 1 : 0);
  });
  return Math.max(0, ...depths);
}

/** Whether some transitions of the event or procedure form a cycle. */
function hasLoop({ transitions }: EventProgram['bodies'][number]): boolean {
  return transitions.some((first) => {
    const reached = new Set([first.to]);
    for (const place of reached)
      for (const { from, to } of transitions) if (from === place) reached.add(to);
    return reached.has(first.from);
  });
}

function* featuresOfBody(body: EventProgram['bodies'][number]) {
  const { role, parameters, transitions } = body;
  const kinds = transitions.map(({ instruction: { kind } }) => kind);
  const stored = kinds.indexOf('store');
  if (hasLoop(body)) yield 'loop';
  for (const { instruction } of transitions) {
    yield instruction.kind;
    if (instruction.kind === 'rmw') yield `rmw ${instruction.operation.name}`;
    if (instruction.kind !== 'post' && instruction.kind !== 'call') continue;
    if (instruction.kind === 'post') yield `post to ${instruction.to}`;
    if (instruction.arguments.length > 0) yield `${instruction.kind} with arguments`;
    if (instruction.arguments.some((given) => hasPart(given, ({ kind }) => kind === 'register')))
      yield 'register handed over';
  }
  const posted = kinds.lastIndexOf('post');
  if (stored >= 0 && stored < posted) yield `${role} posts after storing`;
  if (posted >= 0 && kinds.slice(posted + 1).some((kind) => kind === 'store' || kind === 'load'))
    yield 'access behind a posting';
  if (parameters > 0) yield `${role} with parameters`;
  const leaving = transitions.map(({ from }) => from);
  if (new Set(leaving).size < leaving.length) yield 'branch';
}

/**
 * Returns the names of the features that a random program of events has, for statistics over many
 * programs.
 */
export function eventFeatures(program: EventProgram): readonly string[] {
  const { bodies, instances } = program;
  const features = new Set<string>([
    `${bodies.filter(({ role }) => role === 'event').length} events`,
  ]);
  for (const body of bodies) for (const feature of featuresOfBody(body)) features.add(feature);
  for (const { event, count } of instances) {
    features.add(`postings ${postingDepth(program, event)} deep`);
    if (count !== 1) features.add(`${count} equal instances`);
  }
  const isCalling = (body: BodyId): boolean =>
    bodies[body]!.transitions.some(({ instruction }) => instruction.kind === 'call');
  if (
    bodies.some(({ transitions }) =>
      transitions.some(
        ({ instruction }) => instruction.kind === 'call' && isCalling(instruction.body),
      ),
    )
  )
    features.add('nested call');
  return [...features].sort();
}
