import { pick } from '../forgeries.js';
import { isObject, type Json, type JsonObject } from './json.js';
import type { Operation } from './operations.js';

/** The members of the envelope of a certificate, which all kinds have. */
export const envelope = ['format', 'version', 'kind', 'digest'];
/** The names of the members that have the program which a certificate is about. */
export const aboutMembers = ['automata', 'net'];

const kinds = [
  'proof',
  'robust',
  'states',
  'fences',
  'property-fences',
  'race-fences',
  'all-instances',
  'all-instances-fences',
  'event-fences',
  'cover',
  'constructor',
];

/** The members with the claim, for any kind of certificate, and their possible values. */
const claimed: Readonly<Record<string, readonly Json[]>> = {
  happensBefore: ['standard', 'value'],
  against: ['concurrency', 'tso', 'both'],
  postingFenced: [true, false],
  assertions: [true, false],
  mode: ['fence', 'xchg', 'any', 'minimise', 'minimise-locked'],
  conclusion: [
    { kind: 'robust', happensBefore: 'standard' },
    { kind: 'robust', happensBefore: 'value' },
    { kind: 'same-states' },
    { kind: 'abstraction' },
  ],
};

function aboutOf(draft: JsonObject): JsonObject | undefined {
  const about = draft.automata ?? draft.net;
  return isObject(about) ? about : undefined;
}

function namesOf(draft: JsonObject): readonly string[] {
  const { properties } = aboutOf(draft) ?? {};
  const all = Array.isArray(properties) ? properties : [];
  return all.flatMap((one) => (isObject(one) && typeof one.name === 'string' ? [one.name] : []));
}

/** Operations on the claim of a certificate. */
export const claimOperations: Readonly<Record<string, Operation>> = {
  'the claim is another': ({ draft, chance }) => {
    const name = pick(
      Object.keys(claimed).filter((one) => one in draft),
      chance,
    );
    if (name === undefined) return false;
    draft[name] = structuredClone(pick(claimed[name]!, chance)!);
    return true;
  },
  'more properties are claimed': ({ draft, chance }) => {
    const name = pick(namesOf(draft), chance);
    if (!Array.isArray(draft.properties) || name === undefined) return false;
    const isPlain = draft.properties.every((one) => typeof one === 'string');
    draft.properties.push(isPlain ? name : { kind: 'property', name });
    return true;
  },
  'the claim is that of another certificate': ({ draft, donor, chance }) => {
    const shared = Object.keys(draft).filter(
      (name) => name in donor && ![...envelope, ...aboutMembers].includes(name),
    );
    const name = pick(shared, chance);
    if (name === undefined) return false;
    draft[name] = structuredClone(donor[name]!);
    return true;
  },
  'the whole proof is that of another certificate': ({ draft, donor }) => {
    for (const name of Object.keys(draft))
      if (![...envelope, ...aboutMembers].includes(name)) Reflect.deleteProperty(draft, name);
    for (const [name, value] of Object.entries(donor))
      if (![...envelope, ...aboutMembers].includes(name)) draft[name] = structuredClone(value);
    return true;
  },
  'a choice is smaller, with what asks for it': ({ draft, chance }) => {
    const { chosen, items, clauses, cost } = draft;
    if (!Array.isArray(chosen) || !Array.isArray(items) || !Array.isArray(clauses)) return false;
    const [gone] = chosen.splice(chance(chosen.length), 1);
    const item = items[Number(gone)];
    if (gone === undefined || !isObject(item)) return false;
    draft.cost = Number(cost) - Number(item.cost);
    draft.clauses = clauses.filter(
      (one) => !(isObject(one) && Array.isArray(one.items) && one.items.includes(gone)),
    );
    return true;
  },
  'an item costs more or less, and so does the choice': ({ draft, chance }) => {
    const { chosen, items, cost } = draft;
    if (!Array.isArray(chosen) || !Array.isArray(items) || items.length === 0) return false;
    const at = chance(items.length);
    const item = items[at];
    if (!isObject(item) || typeof item.cost !== 'number') return false;
    const by = chance(2) === 0 ? 1 : -item.cost / 2;
    item.cost += by;
    draft.cost = Number(cost) + (chosen.includes(at) ? by : 0);
    return true;
  },
};

/** Members of programs whose removal makes the claim stronger or weaker. */
const scope = ['unbounded', 'boundless', 'domain', 'nofence', 'cost', 'copy', 'least', 'count'];

/** Operations on the program of a certificate. */
export const aboutOperations: Readonly<Record<string, Operation>> = {
  'the program is that of another certificate': ({ draft, donor }) => {
    const name = aboutMembers.find((one) => one in draft && one in donor);
    if (name === undefined) return false;
    draft[name] = structuredClone(donor[name]!);
    return true;
  },
  'assumptions are left out': ({ draft }) => {
    const about = aboutOf(draft);
    return about?.assumptions !== undefined && Reflect.deleteProperty(about, 'assumptions');
  },
  'an assumption is left out': ({ draft, chance }) => {
    const { assumptions } = aboutOf(draft) ?? {};
    if (!Array.isArray(assumptions) || assumptions.length === 0) return false;
    assumptions.splice(chance(assumptions.length), 1);
    return true;
  },
  'a part of the scope is left out': ({ draft, chance }) => {
    const found: [JsonObject, string][] = [];
    const visit = (value: Json): void => {
      if (Array.isArray(value)) value.forEach(visit);
      if (!isObject(value)) return;
      for (const name of scope) if (name in value) found.push([value, name]);
      Object.values(value).forEach(visit);
    };
    visit(aboutOf(draft) ?? {});
    const [owner, name] = pick(found, chance) ?? [];
    return owner !== undefined && Reflect.deleteProperty(owner, name!);
  },
};

/** Operations on the envelope; no result may be accepted as a certificate of the original kind. */
export const envelopeOperations: Readonly<Record<string, Operation>> = {
  'the kind is another': ({ draft, chance }) => {
    draft.kind = pick(kinds, chance)!;
    return true;
  },
  'the version is another': ({ draft, chance }) => {
    draft.version = [1, 2, '3', 3.5, null, [3]][chance(6)]!;
    return true;
  },
  'the format is another': ({ draft, chance }) => {
    draft.format = ['fencewright-automata', '', null, 'FENCEWRIGHT-CERTIFICATE'][chance(4)]!;
    return true;
  },
};
