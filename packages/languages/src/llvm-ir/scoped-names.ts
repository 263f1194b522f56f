import { nodeIn, numberIn, stringIn } from './debug-nodes.js';
import type { Metadata } from './syntax.js';

/** The maximum number of nested scopes searched. */
const deepest = 100;

/** The name of a function, type or namespace within its scope; `undefined` if there is none. */
function ownName(text: string): string | undefined {
  const name = stringIn(text, 'name');
  return /!DI(?:Namespace|CompositeType|Subprogram)\(/.test(text) ? name : undefined;
}

/**
 * The name of the variable or function that a node describes, as written in the source, with its
 * namespaces and classes: `lock::owner`; `undefined` if the node has no name. The call operator of
 * a lambda is named after the surrounding function: `main::lambda`.
 */
export function scopedName(metadata: Metadata, node: string): string | undefined {
  return nameInScopes(metadata, node)?.name;
}

/** A name in C++ without template arguments: `Stack::push` of `Stack<Pair<int, int>>::push`. */
export function withoutTemplateArguments(name: string): string {
  let plain = name;
  for (let inner = plain; (inner = plain.replace(/<[^<>]*>/g, '')) !== plain;) plain = inner;
  return plain;
}

/**
 * The line, from 1, of the beginning of a lambda, for the node of the lambda's call operator;
 * `undefined` for all other nodes.
 */
export function lineOfLambda(metadata: Metadata, node: string): number | undefined {
  const isLambda = nameInScopes(metadata, node)?.isInLambda === true;
  return isLambda ? numberIn(metadata.get(node), 'line') : undefined;
}

/** A scoped name, and whether it is the name of the call operator of a lambda. */
interface ScopedName {
  readonly name: string;
  readonly isInLambda: boolean;
}

function nameInScopes(metadata: Metadata, node: string): ScopedName | undefined {
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
  return { name: parts.join('::'), isInLambda };
}

/**
 * The name of the variable that a node of debug information describes; `undefined` if the node has
 * no name.
 */
export function variableName(metadata: Metadata, variable: string): string | undefined {
  const text = metadata.get(variable);
  const isGlobal = text?.includes('!DIGlobalVariableExpression(') === true;
  return scopedName(metadata, (isGlobal ? nodeIn(text, 'var') : undefined) ?? variable);
}

/** The plain names at the start of a mangled name, outermost first, and the text that follows. */
interface LeadingNames {
  readonly names: readonly string[];
  readonly rest: string;
  readonly isNested: boolean;
}

/**
 * Returns the plain names at the start of a mangled name; `undefined` if there are none. Source:
 * Itanium C++ ABI, Sect. 5.1.
 */
function leadingNames(mangled: string): LeadingNames | undefined {
  const [start, nested, standard] = /^_Z(N[KVr]*)?(St(?=[0-9]))?/.exec(mangled) ?? [];
  if (start === undefined) return undefined;
  const names = standard === undefined ? [] : ['std'];
  const isNested = nested !== undefined;
  const most = isNested ? Infinity : names.length + 1;
  let rest = mangled.slice(start.length);
  for (let match; names.length < most && (match = /^L?([0-9]+)/.exec(rest));) {
    const end = match[0].length + Number(match[1]);
    if (end > rest.length) return undefined;
    const name = rest.slice(match[0].length, end);
    if (!name.startsWith('_GLOBAL__N')) names.push(name);
    rest = rest.slice(end);
  }
  return { names, rest, isNested };
}

/**
 * The scoped name of a mangled C++ variable or function. All but plain nested names stay unchanged.
 */
export function demangled(name: string): string {
  const found = leadingNames(name);
  if (!found) return name;
  const { names, rest, isNested } = found;
  // A function's parameter types may follow the name; template arguments begin with `I`.
  const isWhole = isNested ? rest.startsWith('E') : !rest.startsWith('I');
  return names.length > 0 && isWhole ? names.join('::') : name;
}

/**
 * The leading plain names of a function of the C++ library, such as `std::vector`, by mangled name;
 * `undefined` for other functions.
 */
export function standardName(mangled: string): string | undefined {
  const { names = [] } = leadingNames(mangled) ?? {};
  return names[0] === 'std' ? names.join('::') : undefined;
}
