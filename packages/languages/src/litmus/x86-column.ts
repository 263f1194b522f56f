import { assemblerTokens } from './litmus-reading.js';
import { duplicateName, unknownName } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { attempt } from '@fencewright/ground/source/reading.js';
import { Tokens } from '@fencewright/ground/source/tokens.js';
import type { ThreadColumn } from './x86-grid.js';
import { readInstruction, type X86Instruction } from './x86-instruction.js';
import type { X86OperandContext } from './x86-operand.js';

/** One instruction of a thread, with the labels before it. */
export interface X86Line {
  readonly labels: readonly { readonly name: string; readonly span: Span }[];
  readonly instruction: X86Instruction;
  readonly span: Span;
}

/** The code of a thread; jump targets are line numbers, with `lines.length` as the end. */
export interface X86Code {
  readonly lines: readonly X86Line[];
  readonly lineOfLabel: ReadonlyMap<string, number>;
  /** The place in the text after the last instruction of the thread. */
  readonly end: Span;
}

/**
 * Reads the cells of a thread's column, and returns the code. Each bad cell is a separate error.
 */
export function readColumn(
  context: X86OperandContext,
  text: string,
  column: ThreadColumn,
): X86Code {
  const { reading } = context;
  const lines: X86Line[] = [];
  const lineOfLabel = new Map<string, number>();
  const labelSpans = new Map<string, Span>();
  for (const cell of column.cells) {
    const tokens = new Tokens(text, cell, reading.index, assemblerTokens);
    const labels: X86Line['labels'][number][] = [];
    while (tokens.peek(1).text === ':' && tokens.peek().kind === 'name') {
      const { text: name, span } = tokens.next();
      tokens.next();
      const first = labelSpans.get(name);
      if (first) reading.errors.error(() => duplicateName(span, 'label', name, first));
      labelSpans.set(name, span);
      lineOfLabel.set(name, lines.length);
      labels.push({ name, span });
    }
    if (tokens.isAtEnd && labels.length === 0) continue;
    const start = tokens.peek();
    const instruction = tokens.isAtEnd
      ? ({ kind: 'nothing' } as const)
      : attempt(reading, () => readInstruction(context, tokens));
    const span =
      labels.length > 0 && tokens.isAtEnd && !instruction ? start.span : tokens.spanFrom(start);
    lines.push({ labels, instruction: instruction ?? { kind: 'nothing' }, span });
  }
  for (const { instruction } of lines)
    if (instruction.kind === 'jump' && !lineOfLabel.has(instruction.target.text)) {
      const { text: name, span } = instruction.target;
      reading.errors.error(() => unknownName(span, 'label', name, lineOfLabel.keys()));
    }
  return { lines, lineOfLabel, end: lines.at(-1)?.span ?? column.span };
}
