import {
  instantiate,
  type Program,
  type Repair,
  repairedProgram,
  repairItems,
  type RepairMode,
} from '@fencewright/core';
import { enumerateTraces } from '@fencewright/core/testing';
import { meetsGoal, programOf, racesByDefinition, refuteProof } from '../by-definition.js';
import { isCheapest, type Claimed } from '../forgery-campaign.js';
import { asText, isObject, type JsonObject } from './json.js';
import { isCoverable } from './nets-by-definition.js';

/**
 * Whether the claim of a certificate is true, by brute force over the program in the certificate
 * and without the verifier's code; `undefined` if the question is too large.
 */
export type Truth = boolean | undefined;

/**
 * The limits of the judge: the numbers of traces, of states, of SC steps, of items of which all
 * subsets are tried, and of threads of an instance.
 */
const most = { traces: 1500, states: 4000, steps: 20_000, items: 7, threads: 3 };

type HappensBefore = 'standard' | 'value';
type Automata = Parameters<typeof programOf>[0];

interface Transitions {
  readonly threads: readonly {
    readonly transitions: readonly { readonly cost?: number; readonly nofence?: true }[];
  }[];
}

/**
 * Returns the program that the automata `about` of a certificate describe, with the costs of
 * fences, and with the transitions before which no fence may stand (`nofence`).
 */
function templatesOf(about: JsonObject): ReturnType<typeof programOf> {
  const open = programOf(about as unknown as Automata);
  const written = about as unknown as Transitions;
  const threads = open.templates.threads.map((thread, t) => ({
    ...thread,
    transitions: thread.transitions.map((one, i) => {
      const { cost, nofence } = written.threads[t]!.transitions[i]!;
      return { ...one, ...(cost !== undefined && { cost }), ...(nofence && { nofence }) };
    }),
  }));
  return { ...open, templates: { ...open.templates, threads } };
}

/** The answers computed so far, by the text of the question. */
const known = new Map<string, Truth>();

function once(question: readonly unknown[], answer: () => Truth): Truth {
  const key = JSON.stringify(question);
  if (!known.has(key)) {
    if (known.size > 20_000) known.clear();
    known.set(key, answer());
  }
  return known.get(key);
}

function isRobust(program: Program, happensBefore: HappensBefore): Truth {
  const { violation, complete } = enumerateTraces(program, {
    happensBefore,
    stopAtViolation: true,
    maxTracedStates: most.traces,
  });
  if (violation) return false;
  return complete ? true : undefined;
}

/**
 * Whether a program is robust. With any number of threads only small instances are checked, so the
 * result is never `true`.
 */
function isRobustOf(about: JsonObject, happensBefore: HappensBefore): Truth {
  return once([about, happensBefore], () => {
    const open = templatesOf(about);
    if (open.unbounded.length === 0) return isRobust(open.templates, happensBefore);
    return areInstancesRobust(open, happensBefore);
  });
}

function areInstancesRobust(
  open: ReturnType<typeof programOf>,
  happensBefore: HappensBefore,
): Truth {
  let choices: readonly (readonly number[])[] = [[]];
  for (const t of open.templates.threads.keys()) {
    const counts = open.unbounded.includes(t) ? [0, 1, 2, 3] : [1];
    choices = choices.flatMap((choice) => counts.map((count) => [...choice, count]));
  }
  const isBroken = choices
    .filter((choice) => choice.reduce((sum, count) => sum + count, 0) <= most.threads)
    .some((choice) => isRobust(instantiate(open, choice).program, happensBefore) === false);
  return isBroken ? false : undefined;
}

function repaired(program: Program, mode: RepairMode, items: readonly Repair[]): Program {
  const all = mode.startsWith('minimise') ? repairItems(program, { mode }, []) : [];
  const priced = all.length > 0 ? all.map(({ item }) => item) : items;
  const names = items.map((item) => JSON.stringify(item));
  const chosen = [...priced.keys()].filter((i) => names.includes(JSON.stringify(priced[i])));
  return repairedProgram(program, {
    mode,
    items: priced.map((item) => ({ ...item, cost: 1 })),
    chosen,
  });
}

/** Returns whether given repairs are sufficient. */
type IsEnough = (program: Program, mode: RepairMode, items: readonly Repair[]) => Truth;

function areCheapest(draft: JsonObject, mode: RepairMode, isEnough: IsEnough): Promise<Truth> {
  const open = templatesOf(draft.automata as JsonObject);
  const program = open.templates;
  const goal = goalOf(program, draft);
  const items = repairItems(program, { mode }, goal.properties);
  if (items.length > most.items) return Promise.resolve(undefined);
  const { happensBefore, properties, automata, kind } = draft;
  return isCheapest<Repair>(items, draft as unknown as Claimed, (chosen) =>
    Promise.resolve(
      once([kind, automata, happensBefore, properties, mode, chosen], () =>
        isEnough(program, mode, chosen),
      ),
    ),
  );
}

type Goal = Parameters<typeof meetsGoal>[2];

/** Returns the goal that a certificate names; an `exists` is to be reached by no final state. */
function goalOf({ properties }: Program, draft: JsonObject): Goal {
  const named = Array.isArray(draft.properties) ? draft.properties : [];
  const names = named.map((one) => (isObject(one) ? one.name : one));
  return {
    properties: properties
      .filter(({ name }) => names.includes(name))
      .map((one) =>
        one.kind === 'exists'
          ? {
              ...one,
              kind: 'finally' as const,
              condition: { kind: 'unary', operator: '!', operand: one.condition } as const,
            }
          : one,
      ),
    assertions:
      draft.assertions === true || named.some((one) => isObject(one) && one.kind === 'assertions'),
  };
}

/** Whether a goal is met; the judge knows no wrapping operators. */
function meets(program: Program, items: readonly Repair[], goal: Goal): Truth {
  try {
    return meetsGoal(program, items, goal, most.states);
  } catch (error) {
    if (error instanceof Error && /not made here|outside of its array/.test(error.message))
      return undefined;
    throw error;
  }
}

/** Whether the claim of a draft is true; programs of events have a separate judge. */
export async function truthOf(draft: JsonObject): Promise<Truth> {
  const happensBefore = draft.happensBefore as HappensBefore;
  const about = draft.automata as JsonObject;
  switch (draft.kind) {
    case 'robust':
    case 'all-instances':
      return isRobustOf(about, happensBefore);
    case 'states': {
      const program = templatesOf(about).templates;
      return once([about, draft.properties!, draft.assertions!], () =>
        meets(program, [], goalOf(program, draft)),
      );
    }
    case 'fences':
      return areCheapest(draft, draft.mode as RepairMode, (program, mode, items) =>
        isRobust(repaired(program, mode, items), happensBefore),
      );
    case 'property-fences':
      return areCheapest(draft, draft.mode as RepairMode, (program, _, items) =>
        meets(program, items, goalOf(program, draft)),
      );
    case 'race-fences':
      return areCheapest(draft, 'fence', (program, mode, items) => {
        const races = racesByDefinition(repaired(program, mode, items), most.steps);
        return races === undefined ? undefined : !races;
      });
    case 'all-instances-fences':
      return areCheapest(draft, draft.mode as RepairMode, (program, mode, items) => {
        const { unbounded } = templatesOf(about);
        const templates = repaired(program, mode, items);
        return areInstancesRobust({ templates, unbounded }, happensBefore);
      });
    case 'cover': {
      const covered = isCoverable(draft.net as JsonObject);
      return covered === undefined ? undefined : !covered;
    }
    case 'proof':
      return (await refuteProof(draft as unknown as Parameters<typeof refuteProof>[0])) ===
        undefined
        ? undefined
        : false;
    default:
      throw new Error(`nobody judges ${asText(draft.kind)}`);
  }
}
