import { EventMachine, type EventState, type TaskStep, topOf } from '../src/events/machine.js';
import { readEventAutomata } from '../src/events/read-program.js';
import { type EventAction, replayEvents } from '../src/events/replay.js';
import { type Chance, type Draft, forgeries, type Forgery, moveStore, pick } from './forgeries.js';

type Instruction = Readonly<Record<string, unknown>> & { readonly kind: string };

interface Transition {
  from: number;
  to: number;
  instruction: Instruction;
  cost?: number;
  nofence?: true;
}

/** A certificate of fences for a program of events, as a forger sees the certificate. */
export interface EventDraft {
  automata: {
    symbols: { base: number; length: number; initial: number[] }[];
    bodies: { name: string; role: string; locations: unknown[]; transitions: Transition[] }[];
    instances: { event: number; arguments: number[]; count: number | 'any' }[];
  } & Record<string, unknown>;
  against: string;
  postingFenced: boolean;
  costModel: string;
  items: { item: { kind: 'fence'; body: number; location: number }; cost: number }[];
  chosen: number[];
  cost: number;
  clauses: { items: number[]; run: EventAction[] }[];
  digest: string;
}

type EventForgery = Forgery<EventDraft>;

/** Forgeries of certificates for threads that do not touch automata and runs. */
const shared = [
  'raise the cost',
  'lower the cost',
  'leave out a clause',
  'repeat a clause',
  'leave out an item of a clause',
  'add an item to a clause',
  'exchange an item of a clause',
  'empty a clause',
  'let a clause name all items',
  'leave out a chosen item, with its cost',
  'leave out a chosen item and the clauses that it meets',
  'choose one more item',
  'choose another item',
  'choose an item twice',
  'choose one more item, with a clause that wants it',
  'leave out an item of the list',
  'list an item twice',
  'raise the cost of an item',
  'halve the cost of an item',
  'list the items in another order',
  'name another cost model',
].map((name): [string, EventForgery] => [
  name,
  (draft, chance) => forgeries[name]!(draft as unknown as Draft, chance),
]);

/**
 * Returns the forgery that applies a change to a clause's action: the action at index `at` of the
 * clause's run.
 */
const inRun =
  (change: (run: EventAction[], at: number, draft: EventDraft, chance: Chance) => boolean) =>
  (draft: EventDraft, chance: Chance): boolean => {
    const clause = pick(draft.clauses, chance);
    return (
      clause !== undefined &&
      clause.run.length > 0 &&
      change(clause.run, chance(clause.run.length), draft, chance)
    );
  };

/**
 * Returns the forgery that applies a change to a transition of a body (handler or procedure).
 */
const inBody =
  (change: (transition: Transition, draft: EventDraft, chance: Chance) => boolean): EventForgery =>
  (draft, chance) => {
    const transition = pick(pick(draft.automata.bodies, chance)!.transitions, chance);
    return transition !== undefined && change(transition, draft, chance);
  };

const kindOf: Readonly<Record<string, EventAction['kind']>> = {
  store: 'issue',
  load: 'load',
  rmw: 'rmw',
  fence: 'fence',
  lock: 'lock',
  unlock: 'unlock',
  post: 'post',
};

/**
 * Adds random steps under TSO to a run, and then lets all buffered stores reach memory. Returns the
 * items that would fence a place which the added steps leave while their buffer is not empty;
 * `undefined` if the run is invalid.
 */
function goOn(
  draft: EventDraft,
  run: EventAction[],
  length: number,
  chance: Chance,
): ReadonlySet<number> | undefined {
  const automata = readEventAutomata(structuredClone(draft.automata), 'automata');
  const { postingFenced } = draft;
  const machine = new EventMachine(automata, { sc: false, postingFenced, fences: [] });
  const replayed = replayEvents(machine, run);
  if (typeof replayed === 'number') return undefined;
  const tasks = replayed.moments.flatMap(({ step: { task, effect } }) =>
    effect.kind === 'start' ? [task] : effect.kind === 'post' ? [effect.posted] : [],
  );
  const touched = new Set<number>();
  let now: EventState = replayed.end;
  const take = (step: TaskStep, action: EventAction): void => {
    run.push(action);
    if (step.effect.kind === 'start') tasks.push(step.task);
    if (step.effect.kind === 'post') tasks.push(step.effect.posted);
    now = step.after;
  };
  const commit = (thread: string): void => {
    const step = machine.commit(now, thread);
    if (!step) return;
    const task = tasks.indexOf(step.task);
    take(step, { kind: 'store', task, transition: step.transition! });
  };
  for (let i = 0; i < length; i++) {
    const threads = [...now.running.keys()];
    const thread = pick(threads, chance);
    if (chance(4) === 0 && now.buffers.size > 0) commit(pick([...now.buffers.keys()], chance)!);
    if (thread === undefined || chance(3) === 0) {
      const instances = chance(automata.instances.length);
      const started = chance(2) === 0 ? machine.start(now, instances) : undefined;
      if (started) take(started, { kind: 'start', instances });
      const waiting = pick(now.waiting, chance);
      const begun = waiting && machine.begin(now, waiting);
      if (begun) take(begun, { kind: 'begin', task: tasks.indexOf(waiting) });
      continue;
    }
    const running = now.running.get(thread)!;
    const { body, location } = topOf(running);
    const step = pick(machine.steps(now, thread).steps, chance);
    if (!step) continue;
    if (now.buffers.has(thread))
      draft.items.forEach(({ item }, index) => {
        if (item.body === body && item.location === location) touched.add(index);
      });
    const task = tasks.indexOf(step.task);
    if (step.effect.kind === 'return') take(step, { kind: 'return', task });
    else {
      const { transition = 0, choice } = step;
      const isBack = machine.leaving(running).length === 0;
      const { kind } = automata.bodies[body]!.transitions[transition]?.instruction ?? {
        kind: 'skip',
      };
      take(step, {
        kind: isBack ? 'silent' : (kindOf[kind] ?? 'silent'),
        task,
        transition,
        ...(choice !== undefined && { choice }),
      } as EventAction);
    }
  }
  for (const thread of now.buffers.keys()) while (machine.commit(now, thread)) commit(thread);
  return touched;
}

function choose(draft: EventDraft, item: number): void {
  draft.chosen.push(item);
  draft.chosen.sort((a, b) => a - b);
  draft.cost += draft.items[item]!.cost;
}

/**
 * Adds a clause to the claim that a repair is optimal: with the clause, the repair would need one
 * more fence. The run that proves the clause begins with `from`, and continues at random.
 */
function wantMore(
  draft: EventDraft,
  from: readonly EventAction[],
  chance: Chance,
  onlyOne: boolean,
): boolean {
  const run = [...from];
  const touched = goOn(draft, run, 14, chance);
  const extra = [...(touched ?? [])].filter((item) => !draft.chosen.includes(item));
  const item = pick(extra, chance);
  if (item === undefined) return false;
  const items = onlyOne ? [item] : [...touched!].sort((a, b) => a - b);
  draft.clauses.push({ items, run });
  choose(draft, item);
  return true;
}

const ofRuns: Readonly<Record<string, EventForgery>> = {
  'leave out an action': inRun((run, at) => run.splice(at, 1).length > 0),
  'repeat an action': inRun((run, at) => {
    run.splice(at, 0, run[at]!);
    return true;
  }),
  'exchange two actions': inRun((run, at) => {
    const [a, b] = [run[at], run[at + 1]];
    if (!a || !b) return false;
    run.splice(at, 2, b, a);
    return true;
  }),
  'give an action to another task': inRun((run, at, _, chance) => {
    const action = run[at]!;
    if (action.kind === 'start') return false;
    run[at] = { ...action, task: chance(5) };
    return true;
  }),
  'execute another instruction': inRun((run, at, _, chance) => {
    const action = run[at]!;
    if (!('transition' in action)) return false;
    run[at] = { ...action, transition: chance(8) };
    return true;
  }),
  'call an action by another name': inRun((run, at, _, chance) => {
    const action = run[at]!;
    if (!('transition' in action)) return false;
    const kinds = ['issue', 'store', 'load', 'rmw', 'fence', 'silent', 'post'] as const;
    run[at] = { ...action, kind: kinds[chance(kinds.length)]! };
    return true;
  }),
  'choose another value': inRun((run, at) => {
    const action = run[at]!;
    if (!('transition' in action)) return false;
    run[at] = { ...action, choice: (action.choice ?? 0) + 1 };
    return true;
  }),
  'start another instance': inRun((run, at, draft, chance) => {
    if (run[at]!.kind !== 'start') return false;
    run[at] = { kind: 'start', instances: chance(draft.automata.instances.length + 1) };
    return true;
  }),
  'let a task begin before another': inRun((run, at) => {
    if (run[at]!.kind !== 'begin') return false;
    const [begin] = run.splice(at, 1);
    const earlier = run.findLastIndex(({ kind }, i) => i < at && kind === 'begin');
    if (earlier < 0) return false;
    run.splice(earlier, 0, begin!);
    return true;
  }),
  'end a run early': inRun((run, at) => {
    run.length = at;
    return true;
  }),
  'leave the last stores in the buffer': inRun((run) => {
    const end = run.findLastIndex(({ kind }) => kind !== 'store');
    if (end < 0 || end === run.length - 1) return false;
    run.length = end + 1;
    return true;
  }),
  'go on after the end of a run': inRun(
    (run, _at, draft, chance) => (goOn(draft, run, 6, chance)?.size ?? 0) >= 0,
  ),
  'delay a store': inRun((run, at) => moveStore(run, at, at + 2)),
  'let a store reach memory earlier': inRun((run, at) => moveStore(run, at, at - 2)),
  'give a clause the run of another': (draft, chance) => {
    const [a, b] = [pick(draft.clauses, chance), pick(draft.clauses, chance)];
    if (!a || !b || a === b) return false;
    a.run = b.run;
    return true;
  },
  'write a clause about a run of chance, and choose for it': (draft, chance) =>
    wantMore(draft, [], chance, false),
  'append a harmless delay to a run, and choose for it': (draft, chance) => {
    const clause = pick(draft.clauses, chance);
    return clause !== undefined && wantMore(draft, clause.run, chance, false);
  },
  'append a harmless delay, and blame one place for it': (draft, chance) => {
    const clause = pick(draft.clauses, chance);
    return clause !== undefined && wantMore(draft, clause.run, chance, true);
  },
  'swap the places of two clauses': (draft, chance) => {
    const [a, b] = [pick(draft.clauses, chance), pick(draft.clauses, chance)];
    if (!a || !b || a === b) return false;
    [a.items, b.items] = [b.items, a.items];
    return true;
  },
};

const ofClaims: Readonly<Record<string, EventForgery>> = {
  'name another criterion': (draft, chance) => {
    draft.against = ['concurrency', 'tso', 'both'][chance(3)]!;
    return true;
  },
  'name the other way of posting': (draft) => {
    draft.postingFenced = !draft.postingFenced;
    return true;
  },
  'move a fence': (draft, chance) => {
    const { item } = pick(draft.items, chance)!;
    item.location = chance(draft.automata.bodies[item.body]!.locations.length);
    return true;
  },
  'move a fence to another body': (draft, chance) => {
    const { item } = pick(draft.items, chance)!;
    item.body = chance(draft.automata.bodies.length + 1);
    return true;
  },
  'let two fences change places': (draft, chance) => {
    const [a, b] = [pick(draft.items, chance)!, pick(draft.items, chance)!];
    if (a === b) return false;
    [a.item, b.item] = [b.item, a.item];
    return true;
  },
  'want nothing at all': (draft) => {
    draft.clauses = [];
    draft.chosen = [];
    draft.cost = 0;
    return true;
  },
};

const ofPrograms: Readonly<Record<string, EventForgery>> = {
  'leave out an instruction': inBody((transition) => {
    transition.instruction = { kind: 'skip' };
    return true;
  }),
  'put a fence in place of an instruction': inBody((transition) => {
    transition.instruction = { kind: 'fence' };
    return true;
  }),
  'post to the other thread': inBody((transition) => {
    const { instruction } = transition;
    if (instruction.kind !== 'post') return false;
    transition.instruction = { ...instruction, to: instruction.to === 'main' ? 'any' : 'main' };
    return true;
  }),
  'call what was posted': inBody((transition) => {
    const { kind, to: _, ...rest } = transition.instruction;
    if (kind !== 'post') return false;
    transition.instruction = { kind: 'call', ...rest };
    return true;
  }),
  'start one instance more': (draft, chance) => {
    const one = pick(draft.automata.instances, chance)!;
    one.count = one.count === 'any' ? 1 : one.count + 1;
    return true;
  },
  'start any number of instances': (draft, chance) => {
    pick(draft.automata.instances, chance)!.count = 'any';
    return true;
  },
  'leave out an instance': (draft, chance) =>
    draft.automata.instances.splice(chance(draft.automata.instances.length), 1).length > 0,
  'begin with another value': (draft, chance) => {
    const { initial } = pick(draft.automata.symbols, chance)!;
    initial[0] = 1 - initial[0]!;
    return true;
  },
  'let the text say another cost': inBody((transition) => {
    transition.cost = 3;
    return true;
  }),
  'let the text forbid a fence': inBody((transition) => {
    transition.nofence = true;
    return true;
  }),
  'let the text allow a fence': inBody((transition) => {
    if (!transition.nofence) return false;
    delete transition.nofence;
    return true;
  }),
  'lead elsewhere': inBody((transition, draft, chance) => {
    const body = draft.automata.bodies.find(({ transitions }) => transitions.includes(transition))!;
    transition.to = chance(body.locations.length);
    return true;
  }),
};

export const eventForgeries: Readonly<Record<string, EventForgery>> = {
  ...Object.fromEntries(shared),
  ...ofRuns,
  ...ofClaims,
  ...ofPrograms,
};
