import {
  type TextEdit,
  insertion,
  lineAt,
  lineBreakOf,
  replacement,
} from '@fencewright/ground/source/text-edit.js';
import type { KeywordStatement, StatementSyntax } from './syntax-statements.js';
import { blanksBefore } from './repair-native-instruction.js';
import { type Gap, isListed } from './text-flow.js';

/** A statement, and the gaps beside it that get a fence, each with the text of the fence. */
interface FencedStatement {
  readonly statement: StatementSyntax;
  readonly fences: Map<Gap['kind'], string>;
}

/**
 * Returns the edits that put fences into the gaps beside statements: on a separate line if the
 * statement starts its line (for a gap after the statement: ends its line), otherwise beside the
 * statement. A statement on its own, such as the body of a loop, gets braces. `fenceIn` returns the
 * text of a gap's fence.
 */
export function insertFenceStatements(
  text: string,
  gaps: readonly Gap[],
  fenceIn: (gap: Gap) => string = () => 'fence',
): readonly TextEdit[] {
  const fenced = new Map<StatementSyntax, FencedStatement>();
  for (const gap of gaps) {
    const { statement, kind } = gap;
    const known = fenced.get(statement) ?? { statement, fences: new Map<Gap['kind'], string>() };
    fenced.set(statement, known);
    known.fences.set(kind, fenceIn(gap));
  }
  // If statements end at one place, the inner statement has to be closed first, and all ends
  // precede the start of the next statement.
  const innerFirst = [...fenced.values()].toSorted((a, b) => b.statement.start - a.statement.start);
  return [
    ...innerFirst.flatMap((one) => editsBehind(text, one)),
    ...innerFirst.flatMap((one) => editsBefore(text, one)),
  ];
}

function editsBehind(text: string, { statement, fences }: FencedStatement): readonly TextEdit[] {
  const { end } = statement;
  const fence = fences.get('after');
  if (needsBraces(statement)) return [insertion(end, fence === undefined ? ' }' : ` ${fence}; }`)];
  return fence === undefined ? [] : [fenceAfter(text, statement, fence)];
}

function editsBefore(text: string, { statement, fences }: FencedStatement): readonly TextEdit[] {
  const { start } = statement;
  const [inside, before] = [fences.get('inside'), fences.get('before')];
  if (inside !== undefined) return [fenceInside(text, statement, inside)];
  if (statement.kind === 'EmptyStatement') return [insertion(start, [...fences.values()][0]!)];
  if (needsBraces(statement))
    return [insertion(start, before === undefined ? '{ ' : `{ ${before}; `)];
  return before === undefined ? [] : [fenceBefore(text, start, before)];
}

function needsBraces(statement: StatementSyntax): boolean {
  const { kind } = statement;
  return kind !== 'EmptyStatement' && kind !== 'Block' && !isListed(statement);
}

/**
 * Returns the blanks between the start of the line and `offset`; `undefined` if other text precedes
 * `offset` on the line.
 */
function indentation(text: string, offset: number): string | undefined {
  const { start } = lineAt(text, offset);
  return blanksBefore(text, offset) === start ? text.slice(start, offset) : undefined;
}

function fenceBefore(text: string, start: number, fence: string): TextEdit {
  const indent = indentation(text, start);
  return indent === undefined
    ? insertion(start, `${fence}; `)
    : insertion(start - indent.length, `${indent}${fence};${lineBreakOf(text)}`);
}

/** Matches text of only blanks and comments, up to the end of the line. */
const onlyComments = /^(?:[ \t]|\/\*(?:(?!\*\/)[^\n\r])*\*\/)*(?:\/\/[^\n\r]*)?$/;

function fenceAfter(text: string, statement: StatementSyntax, fence: string): TextEdit {
  const { start, end } = statement;
  const line = lineAt(text, end);
  const indent = indentation(text, start);
  return indent === undefined || !onlyComments.test(text.slice(end, line.end))
    ? insertion(end, ` ${fence};`)
    : insertion(line.end, `${lineBreakOf(text)}${indent}${fence};`);
}

/**
 * Returns the edit that puts a fence into an empty block, before the closing brace: on a separate
 * line if the brace is on one.
 */
function fenceInside(text: string, block: StatementSyntax, fence: string): TextEdit {
  const { start, end } = block;
  const brace = end - 1;
  const indent = indentation(text, brace);
  if (indent === undefined || lineAt(text, start).start === lineAt(text, brace).start) {
    const blanks = blanksBefore(text, brace);
    return insertion(blanks, blanks === brace ? ` ${fence}; ` : ` ${fence};`);
  }
  const inner = text.slice(start + 1, brace).trimEnd();
  const last = start + 1 + inner.length;
  const above = lineAt(text, last);
  const comment =
    inner === '' ? undefined : /^[ \t]*/.exec(text.slice(above.start, above.end))?.[0];
  const own = comment !== undefined && above.start > start ? comment : `${indent}  `;
  return insertion(brace - indent.length, `${own}${fence};${lineBreakOf(text)}`);
}

/**
 * Returns the edits that remove a fence, together with its line if nothing else is on the line.
 * Where the syntax needs a statement, `skip` replaces the fence.
 */
export function removeFenceStatement(text: string, fence: KeywordStatement): readonly TextEdit[] {
  const around = fence.parent;
  const whole = around?.kind === 'AnnotatedStatement' ? around : fence;
  if (!isListed(whole)) {
    const { start, order } = fence;
    const end = order ? order.end + 1 : start + fence.keyword.length;
    return [replacement(start, end, 'skip')];
  }
  const { start, end } = whole;
  const line = lineAt(text, end);
  const rest = text.slice(end, line.end);
  const indent = indentation(text, start);
  if (indent !== undefined && rest.trim() === '')
    return [replacement(start - indent.length, line.next, '')];
  if (rest.trim() === '') return [replacement(blanksBefore(text, start), end, '')];
  const blanks = rest.length - rest.trimStart().length;
  return [replacement(start, end, ''), replacement(end, end + blanks, '')];
}
