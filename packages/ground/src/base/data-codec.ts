import { InternalError } from './unreachable.js';

/**
 * A part of a value in the JSON form: a primitive; an array with the index of a table entry; or an
 * array with the name of a value that JSON cannot express.
 */
type JsonPart = string | number | boolean | null | readonly [number] | readonly [string, string?];

/**
 * An entry of the table in the JSON form: a list, an object, the keys and values of a map in turn,
 * the members of a set, or an array of floating-point numbers.
 */
type TableEntry =
  | { readonly a: readonly JsonPart[] }
  | { readonly o: Readonly<Record<string, JsonPart>> }
  | { readonly m: readonly JsonPart[] }
  | { readonly s: readonly JsonPart[] }
  | { readonly f: readonly JsonPart[] };

/**
 * Plain data in a JSON form: the whole value, then a table that contains each compound part once.
 */
export type EncodedData = readonly [JsonPart, ...TableEntry[]];

const strangeNumbers: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
]);

function primitive(value: unknown): JsonPart | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number': {
      if (Number.isFinite(value) && !Object.is(value, -0)) return value;
      return [Object.is(value, -0) ? '-0' : String(value)];
    }
    case 'undefined':
      return ['undefined'];
    case 'bigint':
      return ['bigint', String(value)];
    default:
      return value === null ? null : undefined;
  }
}

/**
 * Encodes plain data for JSON: lists, objects, maps, sets, `Float64Array` and primitives, of any
 * depth; shared parts are encoded once. Throws for other data: functions, objects of classes.
 */
export function encodeData(data: unknown): EncodedData {
  const indices = new Map<object, number>();
  const queue: object[] = [];
  const partOf = (value: unknown): JsonPart => {
    const simple = primitive(value);
    if (simple !== undefined) return simple;
    if (typeof value !== 'object' || value === null)
      throw new InternalError(`${typeof value} is no plain data`);
    const known = indices.get(value) ?? queue.push(value) - 1;
    indices.set(value, known);
    return [known];
  };
  const nodeOf = (value: object): TableEntry => {
    if (Array.isArray(value)) return { a: Array.from(value, partOf) };
    if (value instanceof Map) return { m: [...value].flat().map(partOf) };
    if (value instanceof Float64Array) return { f: Array.from(value, partOf) };
    if (value instanceof Set) return { s: [...value].map(partOf) };
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null)
      throw new InternalError(`an object of a class is no plain data: ${value.constructor.name}`);
    return {
      o: Object.fromEntries(Object.entries(value).map(([key, part]) => [key, partOf(part)])),
    };
  };
  const whole = partOf(data);
  const nodes: TableEntry[] = [];
  for (let next = 0; next < queue.length; next++) nodes.push(nodeOf(queue[next]!));
  return [whole, ...nodes];
}

function emptyOf(node: TableEntry): object {
  if ('a' in node) return [];
  if ('m' in node) return new Map();
  if ('f' in node) return new Float64Array(node.f.length);
  return 's' in node ? new Set() : {};
}

/** Decodes the result of `encodeData`. Throws for any other input. */
export function decodeData(encoded: EncodedData): unknown {
  const [whole, ...nodes] = encoded;
  const made = nodes.map(emptyOf);
  const valueOf = (part: JsonPart): unknown => {
    if (!Array.isArray(part)) return part;
    const [name, text] = part as readonly [number | string, string?];
    if (typeof name === 'number') {
      const value = made[name];
      if (!value) throw new InternalError(`there is no value ${name} in the encoded data`);
      return value;
    }
    if (name === 'undefined') return undefined;
    if (name === 'bigint' && text !== undefined) return BigInt(text);
    const strange = strangeNumbers.get(name);
    if (strange === undefined) throw new InternalError(`encoded data have no ${name}`);
    return strange;
  };
  nodes.forEach((node, i) => {
    const value = made[i]!;
    if ('a' in node) for (const part of node.a) (value as unknown[]).push(valueOf(part));
    else if ('f' in node) (value as Float64Array).set(node.f.map(valueOf) as number[]);
    else if ('s' in node) for (const part of node.s) (value as Set<unknown>).add(valueOf(part));
    else if ('m' in node)
      for (let k = 0; k < node.m.length; k += 2)
        (value as Map<unknown, unknown>).set(valueOf(node.m[k]!), valueOf(node.m[k + 1]!));
    else
      for (const [key, part] of Object.entries(node.o))
        // Even `__proto__` is an ordinary name.
        Object.defineProperty(value, key, {
          value: valueOf(part),
          configurable: true,
          enumerable: true,
          writable: true,
        });
  });
  return valueOf(whole);
}
