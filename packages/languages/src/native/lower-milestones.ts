import type {
  Body,
  BodyId,
  EventInstances,
  Milestone,
  MilestoneId,
} from '@fencewright/model/program/event-program.js';
import { misplaced, notSupported, wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import { bodiesIn } from './declare-shared.js';
import { labelsIn } from './collect-locals.js';
import { endOfEvent } from './end-of-event.js';
import type { ProblemList } from './problem-list.js';
import type { SharedScope } from './scope.js';
import type {
  AwaitedPlace,
  DeclarationSyntax,
  EventDeclaration,
  ProcedureDeclaration,
} from './syntax.js';
import type { Name } from './syntax-node.js';

type BodyDeclaration = EventDeclaration | ProcedureDeclaration;

/**
 * The milestones of a program of events: the labels that a task has to pass before an event starts,
 * numbered in the order of the text. The end of a body, for which events wait as part of the end of
 * an event, is a milestone with a label that the body does not have.
 */
export class Milestones {
  readonly all: Milestone[] = [];
  readonly #ids = new Map<AwaitedPlace, readonly MilestoneId[]>();
  readonly #ends = new Map<BodyId, MilestoneId>();
  readonly #single = new Map<BodyId, Name>();

  /**
   * Numbers the places after which events start; reports places that do not exist, or that no event
   * can wait for.
   */
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
      if (place.label) this.#addLabel(place, place.label, id, declared, problems);
      else this.#addEnd(place, id, bodies, problems);
    }
  }

  #addLabel(
    place: AwaitedPlace,
    { text, span }: Name,
    id: BodyId,
    declared: BodyDeclaration,
    problems: ProblemList,
  ): void {
    const found = [...labelsIn(declared.body)];
    const labels = new Map(found.map((label) => [label.name, label]));
    const label = labels.get(text);
    if (!label) {
      if (!declared.isDamaged)
        problems.addUnknown(span, `label of '${declared.name.text}'`, text, () => labels.keys());
      return;
    }
    if (label.atomic)
      problems.add(
        misplaced(
          span,
          `'${text}' stands inside of an atomic block`,
          'wait for a label behind the block',
        ),
      );
    this.#ids.set(place, [this.#idOf(id, text)]);
  }

  /** Adds the ends of an event and of all its tasks. */
  #addEnd(
    place: AwaitedPlace,
    id: BodyId,
    bodies: readonly BodyDeclaration[],
    problems: ProblemList,
  ): void {
    const event = bodies[id]!;
    const { text, span } = place.body;
    if (event.kind !== 'EventDeclaration') {
      problems.add(
        wrongOperand(
          span,
          `'${text}' is a procedure, and only an event ends with all its tasks`,
          `wait for an event, or for a label: ${text}.label`,
        ),
      );
      return;
    }
    const ended = endOfEvent(event, bodies, place.body);
    if ('code' in ended) {
      problems.add(ended);
      return;
    }
    if (ended.length > 1) this.#single.set(id, place.body);
    const ids = ended.map((name) => {
      const body = bodies.findIndex((one) => one.name.text === name);
      const known = this.#ends.get(body);
      if (known !== undefined) return known;
      const end = this.#idOf(body, unusedLabel(bodies[body]!));
      this.#ends.set(body, end);
      return end;
    });
    this.#ids.set(place, ids);
  }

  /** Returns the milestone at the end of a body; `undefined` if no event waits for the end. */
  endOf(body: BodyId): MilestoneId | undefined {
    return this.#ends.get(body);
  }

  /**
   * Reports each event with tasks for whose end other events wait and of which several instances
   * may run: the handler of one instance and a task of another would together count as an event
   * that has ended.
   */
  refuseSeveral(instances: readonly EventInstances[], problems: ProblemList): void {
    for (const [event, { text, span }] of this.#single) {
      const own = instances.filter((one) => one.event === event);
      if (own.length <= 1 && own.every(({ count }) => count === 1)) continue;
      problems.add(
        notSupported(
          span,
          `'${text}' posts tasks and has several instances, so that its end has no place in the text`,
          'wait for a label, or let the event occur once',
        ),
      );
    }
  }

  #idOf(body: BodyId, label: string): MilestoneId {
    const known = this.all.findIndex((one) => one.body === body && one.label === label);
    return known >= 0 ? known : this.all.push({ body, label }) - 1;
  }

  /**
   * Returns by label the milestones of a body: the labels in it that a task has to pass before an
   * event starts. The end of the body is not among them.
   */
  of(body: BodyId): ReadonlyMap<string, MilestoneId> {
    return new Map(
      this.all.flatMap(({ label, body: own }, id) =>
        own === body && id !== this.#ends.get(body) ? [[label, id] as const] : [],
      ),
    );
  }

  /**
   * Returns the milestones (labels that a task has to pass before an event starts) at the given
   * places, each once, in ascending order.
   */
  at(places: readonly AwaitedPlace[]): readonly MilestoneId[] {
    const ids = places.flatMap((place) => this.#ids.get(place) ?? []);
    return [...new Set(ids)].sort((a, b) => a - b);
  }
}

/** Returns a label that the body does not have. */
function unusedLabel({ body }: BodyDeclaration): string {
  const taken = new Set([...labelsIn(body)].map(({ name }) => name));
  let label = 'finished';
  for (let i = 1; taken.has(label); i++) label = `finished${i}`;
  return label;
}

/**
 * Reports events that can never start: events that wait for each other in a circle, or for a label
 * that no event passes.
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
