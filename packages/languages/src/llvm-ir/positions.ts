import { nodeIn, numberIn, stringIn } from './debug-nodes.js';
import { lineOfLambda, scopedName } from './scoped-names.js';
import { spanAt, type Source, type Span } from '@fencewright/ground/source/span.js';
import type { IrInstruction, IrModule, Metadata } from './syntax.js';

/** The maximum number of nested scopes searched for a file. */
const deepest = 1000;

/** A place in C, one column wide, and the surrounding function. */
export interface Located {
  readonly span: Span;
  readonly function?: string;
  /** The line, from 1, at which the surrounding lambda begins; absent outside of lambdas. */
  readonly lambdaLine?: number;
}

/**
 * The places in C of an instruction: its own, then the calls through which the compiler inlined the
 * code, from the inside out. Empty if the IR has no places. `textOf` returns the text of a file,
 * given the name that the compiler was given.
 */
export function locatedInC(
  { metadata }: Pick<IrModule, 'metadata'>,
  { debug }: Pick<IrInstruction, 'debug'>,
  textOf: (name: string) => string = () => '',
): readonly Located[] {
  const found: Located[] = [];
  let node = debug;
  for (let depth = 0; node !== undefined && depth < deepest; depth++) {
    const location = metadata.get(node);
    const line = numberIn(location, 'line');
    const scope = nodeIn(location, 'scope');
    const name = foundInScopes(metadata, scope, fileIn);
    // Line 0 marks code that the compiler generated.
    if (line !== undefined && line > 0 && name !== undefined) {
      const source: Source = { name, text: textOf(name) };
      const column = Math.max(0, (numberIn(location, 'column') ?? 1) - 1);
      const inside = foundInScopes(metadata, scope, functionIn);
      found.push({
        span: spanAt(line - 1, column, 1, source),
        ...inside,
      });
    }
    node = nodeIn(location, 'inlinedAt');
  }
  return found;
}

/**
 * The declaration in C of a global variable, given by its node of debug information; `undefined` if
 * the IR has no line for the variable. The IR has no columns for variables, so the name is searched
 * in the line.
 */
export function variableInC(
  { metadata }: Pick<IrModule, 'metadata'>,
  variable: string,
  textOf: (name: string) => string = () => '',
): Span | undefined {
  const described = nodeIn(metadata.get(variable), 'var') ?? variable;
  const text = metadata.get(described);
  const line = numberIn(text, 'line');
  const file = foundInScopes(metadata, described, fileIn);
  if (line === undefined || line < 1 || file === undefined) return undefined;
  const source: Source = { name: file, text: textOf(file) };
  const name = stringIn(text, 'name') ?? '';
  const words = source.text.split('\n')[line - 1]?.matchAll(/\w+/g) ?? [];
  const column = [...words].find(([word]) => word === name)?.index ?? 0;
  return spanAt(line - 1, column, 1, source);
}

/**
 * The result of `read` on a scope, or else on the nearest surrounding scope with a result;
 * `undefined` if no scope has one.
 */
function foundInScopes<T>(
  metadata: Metadata,
  scope: string | undefined,
  read: (metadata: Metadata, node: string) => T | undefined,
): T | undefined {
  let current = scope;
  for (let depth = 0; current !== undefined && depth < deepest; depth++) {
    const found = read(metadata, current);
    if (found !== undefined) return found;
    current = nodeIn(metadata.get(current), 'scope');
  }
  return undefined;
}

function fileIn(metadata: Metadata, node: string): string | undefined {
  const file = nodeIn(metadata.get(node), 'file');
  return file === undefined ? undefined : stringIn(metadata.get(file), 'filename');
}

function functionIn(
  metadata: Metadata,
  node: string,
): Pick<Located, 'function' | 'lambdaLine'> | undefined {
  const isFunction = metadata.get(node)?.includes('!DISubprogram(') === true;
  const name = isFunction ? scopedName(metadata, node) : undefined;
  if (name === undefined) return undefined;
  const lambdaLine = lineOfLambda(metadata, node);
  return { function: name, ...(lambdaLine !== undefined && { lambdaLine }) };
}
