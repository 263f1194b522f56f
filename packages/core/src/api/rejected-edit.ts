import { rejectedEdit } from '@fencewright/ground/source/c-diagnostics.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { type Source, type Span, spanAt } from '@fencewright/ground/source/span.js';

/**
 * Returns the span of the first line of `after` that differs from the same line of `before`,
 * without leading and trailing blanks.
 */
function firstChange(before: string, after: Source): Span {
  const old = before.split('\n');
  const lines = after.text.split('\n');
  const line = Math.max(
    0,
    lines.findIndex((each, index) => each !== old[index]),
  );
  const shown = (lines[line] ?? '').trim();
  return spanAt(line, (lines[line] ?? '').indexOf(shown), shown.length, after);
}

/**
 * Returns the messages about an edit of this program that the compiler rejects: where the edit is,
 * then what the compiler says about `edited`. Hints of the compiler's messages are left out, since
 * they are about texts that a user wrote.
 */
export function rejectedByCompiler(
  text: string,
  edited: string,
  complaints: readonly Diagnostic[],
): readonly Diagnostic[] {
  const source = { name: 'the text with the fences', text: edited };
  const errors = complaints.filter(({ severity }) => severity === 'error');
  return [
    rejectedEdit(firstChange(text, source)),
    ...errors.map(({ hint: _, span, ...rest }): Diagnostic => {
      return { ...rest, ...(span && { span: span.source ? span : { ...span, source } }) };
    }),
  ];
}
