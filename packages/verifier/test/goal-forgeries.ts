import { type Chance, type Draft, forgeries, type Forgery } from './forgeries.js';

/**
 * Returns the forgeries that apply to all certificates of a cheapest repair, without the forgeries
 * named.
 */
function except(...names: readonly string[]): Readonly<Record<string, Forgery>> {
  return Object.fromEntries(Object.entries(forgeries).filter(([name]) => !names.includes(name)));
}

/** A certificate of fences for properties. */
export interface GoalDraft extends Draft {
  properties: { kind: string; name?: string }[];
  clauses: (Draft['clauses'][number] & { nowhere?: number[] })[];
}

const goals = (draft: Draft): GoalDraft['properties'] => (draft as GoalDraft).properties;

function pick<T>(list: readonly T[], chance: Chance): T | undefined {
  return list.length === 0 ? undefined : list[chance(list.length)];
}

function nameOfProperty({ automata }: Draft, chance: Chance): string | undefined {
  return pick(automata.properties as { name: string }[], chance)?.name;
}

/** Whether a location is an end: no transition leaves the location. */
function isEnd({ automata }: Draft, { thread, location }: Draft['items'][number]['item']): boolean {
  return automata.threads[thread]!.transitions.every(({ from }) => from !== location);
}

export const goalForgeries: Readonly<Record<string, Forgery>> = {
  ...except('name the other notion of happens-before'),
  'name another property': (draft, chance) => {
    const [name, goal] = [nameOfProperty(draft, chance), pick(goals(draft), chance)];
    if (name === undefined || goal?.name === undefined) return false;
    goal.name = name;
    return true;
  },
  'name one more property': (draft, chance) => {
    const name = nameOfProperty(draft, chance);
    return name !== undefined && goals(draft).push({ kind: 'property', name }) > 0;
  },
  'name no properties': (draft) => goals(draft).splice(0).length > 0,
  'name assertions as well': (draft) => goals(draft).push({ kind: 'assertions' }) > 0,
  'name assertions instead': (draft) =>
    goals(draft).splice(0, goals(draft).length, { kind: 'assertions' }).length > 0,
  'change a condition': (draft) => {
    for (const property of draft.automata.properties as { condition: object }[])
      property.condition = { kind: 'constant', value: 0 };
    return true;
  },
  'say that a thread stands behind a fence': (draft, chance) => {
    const clause = pick((draft as GoalDraft).clauses, chance);
    if (!clause) return false;
    clause.nowhere = [chance(draft.automata.threads.length)];
    return true;
  },
  'leave out the last stores of a computation': (draft, chance) => {
    const clause = pick(draft.clauses, chance);
    if (clause?.computation.at(-1)?.kind !== 'store') return false;
    while (clause.computation.at(-1)?.kind === 'store') clause.computation.pop();
    return true;
  },
  'let a clause name fences at ends only': (draft, chance) => {
    const clause = pick(draft.clauses, chance);
    if (!clause) return false;
    clause.items = clause.items.filter((index) => {
      const { item } = draft.items[index]!;
      return item.kind === 'fence' && isEnd(draft, item);
    });
    return true;
  },
  'let a clause name no fences at ends': (draft, chance) => {
    const clause = pick(draft.clauses, chance);
    if (!clause) return false;
    const before = clause.items.length;
    clause.items = clause.items.filter((index) => !isEnd(draft, draft.items[index]!.item));
    return clause.items.length < before;
  },
  'say that nothing is needed': (draft) => {
    draft.chosen = [];
    draft.cost = 0;
    draft.clauses = [];
    return true;
  },
};

interface Race {
  earlierStore: number;
  load: number;
  other: number;
}

/**
 * Returns the forgery that applies a change to the race of a clause; `computation` is the
 * computation of the same clause.
 */
const inRace =
  (
    change: (
      race: Race,
      computation: Draft['clauses'][number]['computation'],
      chance: Chance,
    ) => boolean,
  ): Forgery =>
  (draft, chance) => {
    const clause = pick(draft.clauses as (Draft['clauses'][number] & { race: Race })[], chance);
    return clause !== undefined && change(clause.race, clause.computation, chance);
  };

const move = (member: keyof Race): Forgery =>
  inRace((race, { length }, chance) => {
    race[member] = chance(length);
    return true;
  });

export const raceForgeries: Readonly<Record<string, Forgery>> = {
  ...except('name the other notion of happens-before', 'name another mode'),
  'let another store be the earlier one': move('earlierStore'),
  'let another load race': move('load'),
  'let another access race with the load': move('other'),
  'take the load for the earlier store': inRace((race) => {
    race.earlierStore = race.load;
    return true;
  }),
  'end the computation with the load': inRace((race, computation) => {
    computation.length = race.load + 1;
    race.other = race.load;
    return true;
  }),
  'go on behind the load with its own thread': inRace((race, computation) => {
    const load = computation[race.load]!;
    computation.splice(race.load + 1, 0, { ...load });
    race.other += 1;
    return true;
  }),
  'let the stores of a computation wait': inRace((race, computation) => {
    const at = computation.findIndex(({ kind }) => kind === 'store');
    if (at < 0 || at >= race.load) return false;
    const [store] = computation.splice(at, 1);
    computation.push(store!);
    race.load -= 1;
    race.other = computation.length - 1;
    return true;
  }),
  'leave out a step before the load, and count anew': inRace((race, computation, chance) => {
    const at = chance(race.load);
    computation.splice(at, 1);
    race.load -= 1;
    race.other -= 1;
    if (at < race.earlierStore) race.earlierStore -= 1;
    return true;
  }),
  'give a clause the race of another': (draft, chance) => {
    const clauses = draft.clauses as (Draft['clauses'][number] & { race: Race })[];
    const [a, b] = [pick(clauses, chance), pick(clauses, chance)];
    if (!a || !b || a === b) return false;
    [a.race, a.computation] = [b.race, b.computation];
    return true;
  },
  'say that nothing is needed': (draft) => {
    draft.chosen = [];
    draft.cost = 0;
    draft.clauses = [];
    return true;
  },
};
