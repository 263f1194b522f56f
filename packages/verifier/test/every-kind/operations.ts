import type { Chance } from '../forgeries.js';
import { pick } from '../forgeries.js';
import { asText, isObject, type Json, type JsonObject, put, type Spot, spotsIn } from './json.js';

/** The certificate draft that an operation changes, and random choices. */
export interface Material {
  readonly draft: JsonObject;
  /** The members of the draft that operations may change. */
  readonly members: readonly string[];
  /** Another certificate, of another program or of another kind, from which parts are taken. */
  readonly donor: JsonObject;
  readonly chance: Chance;
}

/** Changes the draft in place; returns `false` if nothing can be changed. */
export type Operation = (material: Material) => boolean;

const isList = ({ value }: Spot): boolean => Array.isArray(value);
const isNumber = ({ value }: Spot): boolean => typeof value === 'number';
const isText = ({ value }: Spot): boolean => typeof value === 'string';

/**
 * Returns a random part of a certificate. All forms of parts are equally likely: most parts are
 * entries of long lists, but the few other parts decide the meaning of the lists.
 */
export function spotOf(spots: readonly Spot[], chance: Chance): Spot | undefined {
  const forms = [...new Set(spots.map(({ form }) => form))];
  const form = pick(forms, chance);
  return pick(
    spots.filter((spot) => spot.form === form),
    chance,
  );
}

function at(
  test: (spot: Spot) => boolean,
  change: (spot: Spot, material: Material, all: readonly Spot[]) => boolean,
): Operation {
  return (material) => {
    const all = spotsIn(material.draft, [...material.members]);
    const spot = spotOf(all.filter(test), material.chance);
    return spot !== undefined && change(spot, material, all);
  };
}

/**
 * Returns the operation that applies a change to a nonempty list. `spot` is the position of the
 * list in the certificate, and `all` has the positions of all values that operations may change.
 */
const inList = (
  change: (list: Json[], material: Material, all: readonly Spot[], spot: Spot) => boolean,
): Operation =>
  at(
    ({ value }) => Array.isArray(value) && value.length > 0,
    (spot, material, all) => change(spot.value as Json[], material, all, spot),
  );

/** Returns a different part of equal form, in this certificate or in the donor. */
function another(
  { form, value }: Spot,
  { donor, chance }: Material,
  all: readonly Spot[],
): Spot | undefined {
  const others = [...all, ...spotsIn(donor)].filter(
    (one) => one.form === form && JSON.stringify(one.value) !== JSON.stringify(value),
  );
  return pick(others, chance);
}

const set = (spot: Spot, value: Json): boolean => {
  put(spot, structuredClone(value));
  return true;
};

/** Numbers that tend to be read wrongly. */
const strange = [-1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e300, 0.5, -0, 4_294_967_295];

const lists: Readonly<Record<string, Operation>> = {
  'an entry stands twice': inList((list, { chance }) => {
    list.splice(chance(list.length + 1), 0, structuredClone(list[chance(list.length)]!));
    return true;
  }),
  'an entry is left out': inList((list, { chance }) => {
    list.splice(chance(list.length), 1);
    return true;
  }),
  'two entries change places': inList((list, { chance }) => {
    const [a, b] = [chance(list.length), chance(list.length)];
    [list[a], list[b]] = [list[b]!, list[a]!];
    return a !== b;
  }),
  'an entry goes to another list': inList((list, material, all, spot) => {
    const other = pick(
      all.filter((one) => one.form === spot.form && isList(one) && one.value !== list),
      material.chance,
    );
    if (!other) return false;
    const target = other.value as Json[];
    const [entry] = list.splice(material.chance(list.length), 1);
    target.splice(material.chance(target.length + 1), 0, entry!);
    return true;
  }),
  'an entry stands in another list as well': inList((list, material, all, spot) => {
    const other = pick(
      all.filter((one) => one.form === spot.form && isList(one) && one.value !== list),
      material.chance,
    );
    if (!other) return false;
    (other.value as Json[]).push(structuredClone(list[material.chance(list.length)]!));
    return true;
  }),
  'a list is empty': inList((list) => list.splice(0).length > 0),
  'a list is cut in half': inList((list) => list.splice(Math.floor(list.length / 2)).length > 0),
  'a list is turned around': inList((list) => list.length > 1 && list.reverse().length > 0),
  'an entry stands beside itself, changed': inList((list, { chance }) => {
    const entry = structuredClone(list[chance(list.length)]!);
    const inside = isObject(entry) || Array.isArray(entry) ? spotsIn({ entry }, ['entry']) : [];
    const number = pick(inside.filter(isNumber), chance);
    if (number) put(number, (number.value as number) + 1 - 2 * chance(2));
    list.push(typeof entry === 'number' ? entry + 1 - 2 * chance(2) : entry);
    return true;
  }),
};

/**
 * Returns the lower and upper bound of the range at a spot; `undefined` if the spot has no range.
 */
function rangeAt(spot: Spot): { low: number; high: number } | undefined {
  if (!isObject(spot.value)) return undefined;
  const { low, high } = spot.value;
  return typeof low === 'number' && typeof high === 'number' ? { low, high } : undefined;
}

const isRange = (spot: Spot): boolean =>
  rangeAt(spot) !== undefined ||
  (Array.isArray(spot.value) &&
    spot.value.length > 0 &&
    spot.value.every((each) => typeof each === 'number'));

const numbers: Readonly<Record<string, Operation>> = {
  'a number is one more or less': at(isNumber, (spot, { chance }) =>
    set(spot, (spot.value as number) + 1 - 2 * chance(2)),
  ),
  'a number is another of its sort': at(isNumber, (spot, material, all) => {
    const other = another(spot, material, all);
    return other !== undefined && set(spot, other.value);
  }),
  'a number is nothing': at(
    (spot) => isNumber(spot) && spot.value !== 0,
    (spot) => set(spot, 0),
  ),
  'a range is wider': at(isRange, (spot) => {
    const range = rangeAt(spot);
    if (range)
      Object.assign(spot.value as JsonObject, { low: range.low - 1, high: range.high + 1 });
    else {
      const list = spot.value as number[];
      list.push(Math.max(...list) + 1);
      list.unshift(Math.min(...list) - 1);
    }
    return true;
  }),
  'a range is narrower': at(isRange, (spot, { chance }) => {
    const range = rangeAt(spot);
    const lower = chance(2) === 0;
    if (range)
      Object.assign(
        spot.value as JsonObject,
        lower ? { low: range.low + 1 } : { high: range.high - 1 },
      );
    else {
      const list = spot.value as number[];
      list.splice(list.indexOf((lower ? Math.min : Math.max)(...list)), 1);
    }
    return true;
  }),
};

const texts: Readonly<Record<string, Operation>> = {
  'two texts change places': at(isText, (spot, { chance }, all) => {
    const others = all.filter((one) => isText(one) && one.form === spot.form);
    const other = pick(others, chance)!;
    if (other.value === spot.value) return false;
    const mine = spot.value;
    put(spot, other.value);
    put(other, mine);
    return true;
  }),
  'a text is another of its sort': at(isText, (spot, material, all) => {
    const other = another(spot, material, all);
    return other !== undefined && set(spot, other.value);
  }),
  'a flag is turned': at(
    ({ value }) => typeof value === 'boolean',
    (spot) => set(spot, !(spot.value as boolean)),
  ),
};

const parts: Readonly<Record<string, Operation>> = {
  'a member of another one is added': at(
    ({ value }) => isObject(value),
    (spot, material, all) => {
      const own = spot.value as JsonObject;
      const other = another(
        spot,
        material,
        all.filter(({ value }) => isObject(value)),
      );
      const missing = Object.entries((other?.value ?? {}) as JsonObject).filter(
        ([name]) => !(name in own),
      );
      const [name, value] = pick(missing, material.chance) ?? [];
      if (name === undefined) return false;
      own[name] = structuredClone(value!);
      return true;
    },
  ),
  'a part is that of another place': at(
    ({ value }) => typeof value === 'object' && value !== null,
    (spot, material, all) => {
      const other = another(spot, material, all);
      return other !== undefined && set(spot, other.value);
    },
  ),
};

const nonNumbers: Readonly<Record<string, Operation>> = {
  'a number is out of range': at(isNumber, (spot, { chance }) =>
    set(spot, strange[chance(strange.length)]!),
  ),
  'a number is a word for any': at(isNumber, (spot, { chance }) =>
    set(spot, ['any', 'many', asText(spot.value)][chance(3)]!),
  ),
  'a text is no text of its sort': at(isText, (spot, { chance }) =>
    set(spot, ['', '__proto__', 'constructor', `${asText(spot.value)} `, '\u0000'][chance(5)]!),
  ),
};

const nonParts: Readonly<Record<string, Operation>> = {
  'a member is left out': at(
    ({ value }) => isObject(value) && Object.keys(value).length > 0,
    ({ value }, { chance }) =>
      Reflect.deleteProperty(value as JsonObject, pick(Object.keys(value as JsonObject), chance)!),
  ),
  'a member is added that nothing has': at(
    ({ value }) => isObject(value),
    ({ value }, { chance }) => {
      Object.defineProperty(value, ['toString', '__proto__', 'more', 'hidden'][chance(4)]!, {
        value: [true, {}, 1][chance(3)],
        enumerable: true,
        configurable: true,
        writable: true,
      });
      return true;
    },
  ),
  'a part has no form': at(
    () => true,
    (spot, { chance }) =>
      set(spot, [null, [], {}, '', [[]], { kind: 'constant', value: 1 }, [null], 7][chance(8)]!),
  ),
};

/**
 * Operations on the parts of a certificate, for any kind of certificate, that mostly keep the form
 * valid.
 */
export const partOperations: Readonly<Record<string, Operation>> = {
  ...lists,
  ...numbers,
  ...texts,
  ...parts,
};

/**
 * Operations after which a certificate mostly has no valid form: tests of robustness against
 * rubbish.
 */
export const rubbish: Readonly<Record<string, Operation>> = {
  ...nonNumbers,
  ...nonParts,
};
