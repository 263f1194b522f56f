import { type Diagnostic, notSupported } from '@fencewright/ground/source/diagnostic.js';
import { quoteSource } from '@fencewright/ground/source/quote-name.js';
import type { CallPlace } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { assignmentAt, type EditedC, pointerTo } from './edit-store.js';
import { isBehindComma } from './comma-before.js';
import { fenceSpelling, noBarriers } from './fence-spelling.js';
import { type ScannedC, tokenAt } from './find-call.js';
import { wantsNoFences } from './find-fence-points.js';

/** A macro that a text defines, with the line of the definition, from 1. */
interface DefinedMacro {
  readonly name: string;
  readonly line: number;
  /** Whether the text of the macro is an expression, and not statements. */
  readonly isExpression: boolean;
}

/** Returns the macro of a name that a text defines; `undefined` if the text defines none. */
function definedAs({ text, tokens }: ScannedC, name: string): DefinedMacro | undefined {
  const found = tokens.find(
    ({ kind, text: line }) =>
      kind === 'directive' && /^#\s*define\s+([\w$]+)/.exec(line)?.[1] === name,
  );
  if (!found) return undefined;
  const line = text.slice(0, found.start).split(/\r\n|\n|\r/).length;
  return { name, line, isExpression: !/[;{}]/.test(found.text) };
}

/**
 * Returns the outermost macro that the text uses at an offset, or around the offset; `undefined` if
 * there is none.
 */
function macroAt(c: ScannedC, offset: number): DefinedMacro | undefined {
  const at = tokenAt(c, offset);
  const heads = [...c.partner].flatMap(([open, close]) =>
    open < at && at < close ? [open - 1] : [],
  );
  for (const index of [...heads.toSorted((a, b) => a - b), at]) {
    const word = c.tokens[index];
    const macro = word?.kind === 'word' ? definedAs(c, word.text) : undefined;
    if (macro) return macro;
  }
  return undefined;
}

/** Returns the spelling of a fence that may stand between commas. */
function fenceOperand({ text, isPlus }: EditedC): string {
  return fenceSpelling(text, isPlus, 'seq_cst', noBarriers, 'expression');
}

/**
 * Returns the reason why the text permits no change of the instruction at a place, or no fence
 * before the instruction. `offset` is the offset of the place, `undefined` in another file. `calls`
 * are the calls that contain the instruction, innermost first.
 */
export function whyNoPlace(
  c: EditedC,
  kind: 'fence' | 'xchg' | 'remove',
  span: Span | undefined,
  offset: number | undefined,
  calls: readonly CallPlace[] = [],
): Diagnostic {
  const what = kind === 'fence' ? 'the fence' : 'the change';
  if (span?.source) {
    const { source, start } = span;
    const called = calls.find((call) => call.span && !call.span.source)?.span;
    const by = called ? `, called at line ${called.start.line + 1}` : '';
    const message = `${what} belongs in ${quoteSource(source.name)}, line ${start.line + 1}${by}`;
    const isUnit = /\.(?:c|cc|cpp|cxx|c\+\+)$/i.test(source.name);
    const edit =
      kind === 'fence'
        ? `write ${fenceSpelling(source.text, c.isPlus)}; before the statement there`
        : 'edit the other file by hand';
    const hint = isUnit
      ? `only the named file is edited: name ${quoteSource(source.name)}, and link the other file`
      : `only the named file is edited: ${edit}, for all who include it`;
    return notSupported(span, message, hint);
  }
  const macro = offset === undefined ? undefined : macroAt(c, offset);
  if (macro) {
    const message = `${what} belongs in macro '${macro.name}', line ${macro.line}`;
    const edit =
      kind === 'fence'
        ? `write ${macro.isExpression ? `${fenceOperand(c)},` : `${fenceSpelling(c.text, c.isPlus)};`} into the macro`
        : 'edit the macro by hand';
    return notSupported(span, message, `${edit}, or turn the macro into a function`);
  }
  if (kind === 'fence' && wantsNoFences(c.text)) {
    const hint = 'put the fence at the end of the function that is called before this place';
    return notSupported(span, 'this file says that it wants no fences', hint);
  }
  if (kind === 'fence') {
    const message = 'no statement begins where the fence belongs';
    const hint =
      offset !== undefined && isBehindComma(c, offset)
        ? `write ${fenceOperand(c)}, behind the comma before this place`
        : 'split this statement into two';
    return notSupported(span, message, hint);
  }
  const message = 'this store has no memory order that could be changed';
  const assignment = offset === undefined ? undefined : assignmentAt(c, offset);
  const { target, value } = assignment ?? { target: 'x', value: 'v' };
  const hint = `write a store with a memory order: __atomic_store_n(${pointerTo(target)}, ${value}, __ATOMIC_SEQ_CST)`;
  return notSupported(span, message, hint);
}
