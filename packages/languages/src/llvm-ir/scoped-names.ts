import { nodeIn, stringIn, type Metadata } from './debug-nodes.js';

/** How many nested scopes are looked through. */
const deepest = 100;

/** What a function, type or namespace is called in its scope; `undefined` for what has no name. */
function ownName(text: string): string | undefined {
  const name = stringIn(text, 'name');
  return /!DI(?:Namespace|CompositeType|Subprogram)\(/.test(text) ? name : undefined;
}

/**
 * The name of a variable or function as one would write it in the source, `lock::owner`, with the
 * namespaces and classes that it is in. What calls a lambda is called after the function that has
 * the lambda: `main::lambda`.
 */
export function scopedName(metadata: Metadata, node: string): string | undefined {
  const text = metadata.get(node);
  const name = stringIn(text, 'name');
  if (text === undefined || name === undefined) return undefined;
  const parts = [name];
  // A definition outside of its class leads to the declaration inside.
  const declared = nodeIn(text, 'declaration');
  let scope = nodeIn(declared === undefined ? text : metadata.get(declared), 'scope');
  let isInLambda = false;
  for (let depth = 0; scope !== undefined && depth < deepest; depth++) {
    const outer = metadata.get(scope) ?? '';
    const isFunction = outer.includes('!DISubprogram(');
    const isClass = outer.includes('!DICompositeType(');
    const outerName = ownName(outer);
    if (isClass && outerName === undefined && parts[0] === 'operator()') {
      parts[0] = 'lambda';
      isInLambda = true;
    } else if (outerName !== undefined && (!isFunction || isInLambda)) parts.unshift(outerName);
    // A variable of a function has no name outside of it.
    if (isFunction && !isInLambda) break;
    scope = nodeIn(outer, 'scope');
  }
  return parts.join('::');
}

/** The name of the variable that a node describes, `variable` as in `MemoryObject`. */
export function variableName(metadata: Metadata, variable: string): string | undefined {
  const text = metadata.get(variable);
  const isGlobal = text?.includes('!DIGlobalVariableExpression(') === true;
  return scopedName(metadata, (isGlobal ? nodeIn(text, 'var') : undefined) ?? variable);
}

/**
 * The name of a variable or function that C++ has made one word of, with the scopes that it is in;
 * what is no plain nested name stays as it is. Source: Itanium C++ ABI, Sect. 5.1.
 */
export function demangled(name: string): string {
  const isNested = name.startsWith('_ZN');
  let rest = name.replace(isNested ? /^_ZN[KVr]*/ : /^_Z/, '');
  if (rest === name) return name;
  const parts: string[] = [];
  for (let match; (match = /^L?([0-9]+)/.exec(rest)) && (isNested || parts.length === 0);) {
    const end = match[0].length + Number(match[1]);
    if (end > rest.length) return name;
    const part = rest.slice(match[0].length, end);
    if (!part.startsWith('_GLOBAL__N')) parts.push(part);
    rest = rest.slice(end);
  }
  // Behind the name of a function are the types of its parameters, behind a template `I` and more.
  const isWhole = isNested ? rest.startsWith('E') : !rest.startsWith('I');
  return parts.length > 0 && isWhole ? parts.join('::') : name;
}
