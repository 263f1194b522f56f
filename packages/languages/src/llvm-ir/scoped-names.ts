import { nodeIn, stringIn, type Metadata } from './debug-nodes.js';

/** The largest number of nested scopes searched. */
const deepest = 100;

/** The name of a function, type or namespace within its scope; `undefined` if there is none. */
function ownName(text: string): string | undefined {
  const name = stringIn(text, 'name');
  return /!DI(?:Namespace|CompositeType|Subprogram)\(/.test(text) ? name : undefined;
}

/**
 * The name of a variable or function as written in the source, with its namespaces and classes:
 * `lock::owner`. The call operator of a lambda is named after the surrounding function:
 * `main::lambda`.
 */
export function scopedName(metadata: Metadata, node: string): string | undefined {
  const text = metadata.get(node);
  const name = stringIn(text, 'name');
  if (text === undefined || name === undefined) return undefined;
  const parts = [name];
  // A definition outside of its class refers to the declaration inside the class.
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
    // A local variable of a function has no scoped name.
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
 * The scoped name of a mangled C++ variable or function. All but plain nested names stay unchanged.
 * Source: Itanium C++ ABI, Sect. 5.1.
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
  // A function's parameter types may follow the name; template arguments begin with `I`.
  const isWhole = isNested ? rest.startsWith('E') : !rest.startsWith('I');
  return parts.length > 0 && isWhole ? parts.join('::') : name;
}
