import type {
  Body,
  BodyId,
  EventInstances,
  Milestone,
  MilestoneId,
} from '@fencewright/model/program/event-program.js';
import { misplaced, wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import { bodiesIn } from './declare-shared.js';
import { labelsIn } from './collect-locals.js';
import type { ProblemList } from './problem-list.js';
import type { SharedScope } from './scope.js';
import type { AwaitedPlace, DeclarationSyntax } from './syntax.js';

/** The labels that events wait for, numbered in the order of the text. */
export class Milestones {
  readonly all: Milestone[] = [];
  readonly #ids = new Map<AwaitedPlace, MilestoneId>();

  /** Reports places that do not exist, or that no event can wait for. */
  constructor(
    declarations: readonly DeclarationSyntax[],
    shared: SharedScope,
    problems: ProblemList,
  ) {
    const bodies = bodiesIn(declarations);
    const places = declarations
      .flatMap((one) => (one.kind === 'EventsDeclaration' ? one.instances : []))
      .flatMap(({ after, isDamaged }) => (isDamaged ? [] : after));
    for (const place of places) {
      const { text, span } = place.body;
      const id = shared.bodies.get(text)?.id;
      const declared = id === undefined ? undefined : bodies[id];
      if (id === undefined || !declared) {
        problems.addUnknown(span, 'event or procedure', text, () => shared.bodies.keys());
        continue;
      }
      const found = [...labelsIn(declared.body)];
      const labels = new Map(found.map((label) => [label.name, label]));
      const label = labels.get(place.label.text);
      if (!label) {
        if (!declared.isDamaged)
          problems.addUnknown(place.label.span, `label of '${text}'`, place.label.text, () =>
            labels.keys(),
          );
        continue;
      }
      if (label.atomic)
        problems.add(
          misplaced(
            place.label.span,
            `'${place.label.text}' stands inside of an atomic block`,
            'wait for a label behind the block',
          ),
        );
      this.#ids.set(place, this.#idOf(id, place.label.text));
    }
  }

  #idOf(body: BodyId, label: string): MilestoneId {
    const known = this.all.findIndex((one) => one.body === body && one.label === label);
    return known >= 0 ? known : this.all.push({ body, label }) - 1;
  }

  /** Returns the milestones of a body by label. */
  of(body: BodyId): ReadonlyMap<string, MilestoneId> {
    return new Map(
      this.all.flatMap(({ label, body: own }, id) => (own === body ? [[label, id] as const] : [])),
    );
  }

  /** Returns the milestones of places, each once, in ascending order. */
  at(places: readonly AwaitedPlace[]): readonly MilestoneId[] {
    const ids = places.flatMap((place) => this.#ids.get(place) ?? []);
    return [...new Set(ids)].sort((a, b) => a - b);
  }
}

/**
 * Reports events that can never start: events that wait for each other in a circle, or for a place
 * that no event runs.
 */
export function refuseCircles(
  written: readonly {
    readonly made: EventInstances;
    readonly places: readonly AwaitedPlace[];
  }[],
  milestones: readonly Milestone[],
  bodies: readonly Pick<Body, 'name' | 'transitions'>[],
  problems: ProblemList,
): void {
  const running = new Set<BodyId>();
  const isReady = ({ after = [] }: EventInstances): boolean =>
    after.every((id) => running.has(milestones[id]!.body));
  for (let size = -1; size < running.size;) {
    size = running.size;
    for (const { made } of written) if (isReady(made)) running.add(made.event);
    for (const body of running)
      for (const { instruction } of bodies[body]!.transitions)
        if (instruction.kind === 'call' || instruction.kind === 'post')
          running.add(instruction.body);
  }
  for (const { made, places } of written)
    if (!isReady(made))
      problems.add(
        wrongOperand(
          places[0]!.span,
          `'${bodies[made.event]!.name}' never starts: no other task reaches this place`,
          'wait for a place that another task reaches',
        ),
      );
}
