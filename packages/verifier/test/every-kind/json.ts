/** JSON as read from a file, to be changed in place. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

/** A part of a certificate, with the path that leads to it. */
export interface Spot {
  readonly parent: Json[] | JsonObject;
  readonly key: string;
  readonly value: Json;
  /**
   * The path to the part: the names of the members that lead to the part, with `[]` for each entry
   * of a list. Parts with equal paths have equal meaning.
   */
  readonly form: string;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a text unchanged, and any other value as JSON. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** Returns a copy of a value that can be written as JSON. */
export function jsonOf(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

/** Replaces a part of a value. */
export function put({ parent, key }: Spot, value: Json): void {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else parent[key] = value;
}

/** Returns all parts of a value; if members are named, only the parts of those members. */
export function spotsIn(root: JsonObject, members = Object.keys(root)): readonly Spot[] {
  const spots: Spot[] = [];
  const visit = (parent: Json[] | JsonObject, key: string, value: Json, form: string): void => {
    spots.push({ parent, key, value, form });
    if (Array.isArray(value))
      value.forEach((entry, i) => visit(value, String(i), entry, `${form}[]`));
    else if (isObject(value))
      for (const [name, member] of Object.entries(value))
        visit(value, name, member, `${form}.${name}`);
  };
  for (const name of members)
    if (root[name] !== undefined) visit(root, name, root[name], `.${name}`);
  return spots;
}
