/**
 * Returns the parts of the name of a C++ function by the Itanium ABI, from the outermost scope to
 * the function, such as `['Queue', 'push']` for `_ZN5Queue4pushEi`; a constructor has the name of
 * the class, and a destructor the same name behind `~`. Returns `undefined` for names of templates,
 * operators and the standard library.
 */
function partsOfMangled(name: string): readonly string[] | undefined {
  const start = /^_Z(N[rVKRO]*)?/.exec(name);
  if (!start) return undefined;
  const isNested = start[1] !== undefined;
  const parts: string[] = [];
  for (let rest = name.slice(start[0].length); ;) {
    const special = /^[CD]\d/.exec(rest);
    const last = parts.at(-1);
    if (special && last !== undefined) {
      parts.push(rest.startsWith('D') ? `~${last}` : last);
      rest = rest.slice(special[0].length);
      continue;
    }
    const digits = /^\d+/.exec(rest)?.[0];
    if (digits === undefined) return isNested === rest.startsWith('E') ? parts : undefined;
    const end = digits.length + Number(digits);
    parts.push(rest.slice(digits.length, end));
    rest = rest.slice(end);
    if (!isNested) return rest.startsWith('I') ? undefined : parts;
  }
}

/**
 * Returns patterns that find the definition of a function in the text of a source file, the
 * likeliest pattern first; none for names of templates and operators. `name` is the function's name
 * in LLVM IR.
 */
export function definitionsOf(name: string): readonly RegExp[] {
  if (!/^\w+$/.test(name)) return [];
  const isMangled = name.startsWith('_Z');
  const parts = isMangled ? (partsOfMangled(name) ?? []) : [name];
  const last = parts.at(-1);
  if (last === undefined) return [];
  const body = String.raw`\s*\([^;{}]*\)${isMangled ? '[^;{}]*' : String.raw`\s*`}\{`;
  const scope = parts.at(-2);
  const plain = new RegExp(String.raw`(?<!~|\w)${last}${body}`);
  if (scope === undefined) return [plain];
  const scoped = new RegExp(String.raw`\b${scope}\s*::\s*${last}${body}`);
  // A function whose scope is a namespace may be defined without the scope.
  return scope === last || last.startsWith('~') ? [scoped] : [scoped, plain];
}
