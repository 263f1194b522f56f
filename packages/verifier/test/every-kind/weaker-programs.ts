import { pick } from '../forgeries.js';
import { asText, isObject, type Json, type JsonObject } from './json.js';
import type { Operation } from './operations.js';

/**
 * Changes an instruction of a program; `undefined` if the change does not apply to the instruction.
 */
type Change = (instruction: JsonObject) => JsonObject | undefined;

function instructionsOf(draft: JsonObject): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const visit = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    if (isObject(value.instruction)) found.push(value);
    Object.values(value).forEach(visit);
  };
  visit(draft.automata ?? null);
  return found;
}

const skip: JsonObject = { kind: 'skip' };

function change(of: Change): Operation {
  return ({ draft, chance }) => {
    const possible = instructionsOf(draft).flatMap((owner) => {
      const after = of(owner.instruction as JsonObject);
      return after ? [[owner, after] as const] : [];
    });
    const [owner, after] = pick(possible, chance) ?? [];
    if (!owner) return false;
    owner.instruction = structuredClone(after!);
    return true;
  };
}

/**
 * Operations that change the program of a certificate, so that statements shown of the original are
 * mostly false of the result. The draft stays a certificate about a possible program.
 */
export const weakerPrograms: Readonly<Record<string, Operation>> = {
  'a fence is gone from the program': change(({ kind }) => (kind === 'fence' ? skip : undefined)),
  'a locked instruction is gone': change(({ kind }) => (kind === 'rmw' ? skip : undefined)),
  'an exchange is a store': change(({ kind, address, operation }) =>
    kind === 'rmw' && isObject(operation) && operation.kind === 'xchg'
      ? { kind: 'store', address: address!, value: operation.value! }
      : undefined,
  ),
  'a condition is gone': change(({ kind }) => (kind === 'assume' ? skip : undefined)),
  'a store is gone': change(({ kind }) => (kind === 'store' ? skip : undefined)),
  'an access meets another cell': ({ draft, chance }) => {
    const cells = instructionsOf(draft).flatMap(({ instruction }) => {
      const { address } = instruction as JsonObject;
      return address !== undefined ? [address] : [];
    });
    const owner = pick(
      instructionsOf(draft).filter((one) => 'address' in (one.instruction as JsonObject)),
      chance,
    );
    const cell = pick(cells, chance);
    if (!owner || cell === undefined) return false;
    (owner.instruction as JsonObject).address = structuredClone(cell);
    return true;
  },
  'a value is another': ({ draft, chance }) => {
    const constants: JsonObject[] = [];
    const visit = (value: Json): void => {
      if (Array.isArray(value)) value.forEach(visit);
      if (!isObject(value)) return;
      if (value.kind === 'constant' && typeof value.value === 'number') constants.push(value);
      Object.values(value).forEach(visit);
    };
    instructionsOf(draft).forEach(visit);
    const one = pick(constants, chance);
    if (!one) return false;
    one.value = (Number(one.value) + 1) % 3;
    return true;
  },
  'a net gives more, or takes less': ({ draft, chance }) => {
    const { rules, places } = isObject(draft.net) ? draft.net : {};
    if (!Array.isArray(rules) || !Array.isArray(places)) return false;
    const rule = pick(rules, chance);
    const place = asText(pick(places, chance));
    if (!isObject(rule) || !isObject(rule.give) || !isObject(rule.take)) return false;
    if (chance(2) === 0) rule.give[place] = Number(rule.give[place] ?? 0) + 1;
    else Reflect.deleteProperty(rule.take, place);
    return true;
  },
};
