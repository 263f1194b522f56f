/**
 * Thrown if a value read from a file has the wrong form. The message names the place and the
 * expected form.
 */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/**
 * Checks a value and returns a copy of type `T`; `path` is the value's position in the file. Throws
 * `ShapeError`.
 */
export type Reader<T> = (value: unknown, path: string) => T;

/** The type of the values that a reader (`Reader`) returns. */
export type Read<R> = R extends Reader<infer T> ? T : never;

/** Throws a `ShapeError` that says that `wanted` is expected at `path`. */
export function wrong(path: string, wanted: string): never {
  throw new ShapeError(`${path || 'the value'}: expected ${wanted}`);
}

type Fields = Readonly<Record<string, Reader<unknown>>>;
type Values<F extends Fields> = { readonly [K in keyof F]: Read<F[K]> };

/** Returns the members of an object; throws `ShapeError` if `value` is no object. */
export function members(value: unknown, path: string): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong(path, 'an object');
  return new Map(Object.entries(value));
}

/**
 * Makes a reader of objects that have exactly the members in `required`, and maybe members in
 * `optional`.
 */
export function record<F extends Fields>(required: F): Reader<Values<F>>;
export function record<F extends Fields, O extends Fields>(
  required: F,
  optional: O,
): Reader<Values<F> & Partial<Values<O>>>;
export function record(required: Fields, optional: Fields = {}): Reader<object> {
  const readers = new Map(Object.entries({ ...required, ...optional }));
  return (value, path) => {
    const found = members(value, path);
    for (const name of found.keys())
      if (!readers.has(name)) wrong(path, `no member '${name.slice(0, 40)}'`);
    for (const name of Object.keys(required))
      if (!found.has(name)) wrong(path, `a member '${name}'`);
    const read = [...found].map(([name, member]) => [
      name,
      readers.get(name)?.(member, `${path}.${name}`),
    ]);
    return Object.fromEntries(read) as object;
  };
}

/** The type of objects in which the member `kind` names the reader of the further members. */
export type Tagged<R extends Fields> = {
  readonly [K in keyof R & string]: { readonly kind: K } & Read<R[K]>;
}[keyof R & string];

/** Returns a reader of objects in which the member `kind` determines the further members. */
export function tagged<T extends { readonly kind: string }>(kinds: {
  readonly [K in T['kind']]: Reader<Omit<Extract<T, { readonly kind: K }>, 'kind'>>;
}): Reader<T> {
  const readers = new Map<unknown, Reader<object>>(Object.entries(kinds));
  return (value, path) => {
    const { kind, ...rest } = Object.fromEntries(members(value, path));
    const reader = readers.get(kind);
    if (!reader) return wrong(`${path}.kind`, `one of ${[...readers.keys()].join(', ')}`);
    return { kind, ...reader(rest, path) } as unknown as T;
  };
}

/** Returns a reader of arrays, given the reader of the elements. */
export function list<T>(element: Reader<T>): Reader<readonly T[]> {
  return (value, path) =>
    Array.isArray(value)
      ? value.map((entry, i) => element(entry, `${path}[${i}]`))
      : wrong(path, 'an array');
}

/** Returns a reader of arrays of fixed length, given one reader for each element. */
export function tuple<T extends readonly unknown[]>(
  ...readers: { readonly [K in keyof T]: Reader<T[K]> }
): Reader<T> {
  return (value, path) =>
    Array.isArray(value) && value.length === readers.length
      ? (readers.map((reader, i) => reader(value[i], `${path}[${i}]`)) as unknown as T)
      : wrong(path, `an array of ${readers.length}`);
}

/**
 * Makes a reader of arrays without repeated elements; `nameOf` returns equal names for equal
 * elements.
 */
export function distinct<T>(
  element: Reader<T>,
  nameOf: (entry: T) => unknown = (entry) => entry,
): Reader<readonly T[]> {
  const all = list(element);
  return (value, path) => {
    const names = new Set<unknown>();
    const read = all(value, path);
    for (const [i, entry] of read.entries()) {
      const name = nameOf(entry);
      if (names.has(name)) wrong(`${path}[${i}]`, 'an entry that is not a duplicate');
      names.add(name);
    }
    return read;
  };
}

/** Returns a reader that tries `first`, and then `second` if `first` throws a `ShapeError`. */
export function either<A, B>(first: Reader<A>, second: Reader<B>): Reader<A | B> {
  return (value, path) => {
    try {
      return first(value, path);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return second(value, path);
    }
  };
}

/** Returns a reader of `null`, and of the values that another reader accepts. */
export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return (value, path) => (value === null ? null : reader(value, path));
}

/** Returns a reader that accepts only the given values. */
export function literal<const T extends string | number | boolean>(
  ...values: readonly T[]
): Reader<T> {
  return (value, path) =>
    values.find((known) => known === value) ?? wrong(path, `one of ${values.join(', ')}`);
}

export const text: Reader<string> = (value, path) =>
  typeof value === 'string' ? value : wrong(path, 'a text');

/** Reads an integer of 32 bits; -0 becomes 0. */
export const int32: Reader<number> = (value, path) =>
  typeof value === 'number' && (value | 0) === value ? value + 0 : wrong(path, 'a 32-bit integer');

/** Returns a reader of indices into a table of `length` entries, from 0. */
export function index(length: number): Reader<number> {
  return (value, path) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < length
      ? value + 0
      : wrong(path, `an index below ${length}`);
}

/** Reads an index into a table whose length is checked later. */
export const anyIndex: Reader<number> = index(2 ** 31);

/**
 * Reads an integer of at least 0 without rounding: written as a number up to 2^53, or as decimal
 * digits in a text.
 */
export const natural: Reader<bigint> = (value, path) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && /^(0|[1-9]\d{0,4999})$/.test(value)) return BigInt(value);
  return wrong(path, 'an integer from 0 on');
};

/** Reads a positive number; `decimal.ts` adds such numbers exactly. */
export const positive: Reader<number> = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0
    ? value
    : wrong(path, 'a positive number');

/** Reads any value, for a more specific reader later. */
export const anything: Reader<unknown> = (value) => value;
