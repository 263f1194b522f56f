import { spanAt, type Source, type Span } from '../../source/span.js';
import type { IrInstruction, IrModule } from './syntax.js';

/** How many nested scopes are looked through for a file. */
const deepest = 1000;

/**
 * The place in C of an instruction, one column wide; absent where the IR does not tell it. `textOf`
 * gives the text of a file of that name, as the compiler was told it.
 */
export function positionInC(
  { metadata }: Pick<IrModule, 'metadata'>,
  { debug }: Pick<IrInstruction, 'debug'>,
  textOf: (name: string) => string = () => '',
): Span | undefined {
  const location = debug === undefined ? undefined : metadata.get(debug);
  const line = numberIn(location, 'line');
  // Line 0 is what the compiler made up.
  if (line === undefined || line === 0) return undefined;
  const name = fileOf(metadata, nodeIn(location, 'scope'));
  if (name === undefined) return undefined;
  const source: Source = { name, text: textOf(name) };
  return spanAt(line - 1, Math.max(0, (numberIn(location, 'column') ?? 1) - 1), 1, source);
}

/** The name of the file in which a scope is. */
function fileOf(metadata: IrModule['metadata'], scope: string | undefined): string | undefined {
  let current = scope;
  for (let depth = 0; current !== undefined && depth < deepest; depth++) {
    const text = metadata.get(current);
    const file = nodeIn(text, 'file');
    const named = file === undefined ? undefined : metadata.get(file);
    const name = named === undefined ? undefined : /\bfilename: "([^"]*)"/.exec(named)?.[1];
    if (name !== undefined) return name;
    current = nodeIn(text, 'scope');
  }
  return undefined;
}

function numberIn(text: string | undefined, field: string): number | undefined {
  const found =
    text === undefined ? undefined : new RegExp(`\\b${field}: ([0-9]+)`).exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

function nodeIn(text: string | undefined, field: string): string | undefined {
  return text === undefined ? undefined : new RegExp(`\\b${field}: (![0-9]+(?:@[0-9]+)?)`).exec(text)?.[1];
}

/** What the function is called, in C, in whose body an instruction stands. */
export function functionNameInC(
  { metadata }: Pick<IrModule, 'metadata'>,
  { debug }: Pick<IrInstruction, 'debug'>,
): string | undefined {
  const location = debug === undefined ? undefined : metadata.get(debug);
  let current = nodeIn(location, 'scope');
  for (let depth = 0; current !== undefined && depth < deepest; depth++) {
    const text = metadata.get(current);
    if (text?.includes('!DISubprogram(')) return /\bname: "([^"]*)"/.exec(text)?.[1];
    current = nodeIn(text, 'scope');
  }
  return undefined;
}
