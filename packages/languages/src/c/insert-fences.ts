import {
  insertion,
  lineAt,
  lineBreakOf,
  type TextEdit,
} from '@fencewright/ground/source/text-edit.js';
import type { TextRange } from '@fencewright/ground/source/tokens.js';
import type { BareBody, FencePoint } from './fence-point.js';

/** A point, and the expression for a fence at the point, without a semicolon. */
interface PlacedFence {
  readonly point: FencePoint;
  readonly fence: string;
}

/** An inserted text; `point` is present if this insertion contains the fence for the point. */
interface FenceEdit extends TextEdit {
  readonly point?: FencePoint;
}

/** An insertion of text, with a rank among insertions at the same offset. */
interface Ranked {
  readonly edit: FenceEdit;
  /**
   * The rank of the insertion among insertions at one offset: ends of bodies precede starts; of two
   * ends, the inner one precedes the outer.
   */
  readonly rank: readonly number[];
}

/** The placement of fences: on separate lines, or within the lines of the text. */
export type FenceLayout = 'lines' | 'inline';

/**
 * Returns the edits that put fences into a text; no text is removed. Bodies without braces get
 * braces. With `inline`, no line is added.
 */
export function insertFencesInC(
  text: string,
  fences: readonly PlacedFence[],
  layout: FenceLayout,
): readonly FenceEdit[] {
  const writer = new FenceWriter(text, layout);
  const bodies = new Map<number, BareBody>();
  for (const { point } of fences)
    if ('body' in point && point.body) bodies.set(point.body.start, point.body);
  const ranked = [
    ...fences.flatMap(({ point, fence }) =>
      writer.fence(point, fence).map(({ edit, rank }, index) => {
        return { edit: index === 0 ? { ...edit, point } : edit, rank };
      }),
    ),
    ...[...bodies.values()].flatMap((body) => writer.braces(body)),
  ];
  return ranked
    .toSorted((a, b) => a.edit.start - b.edit.start || compare(a.rank, b.rank))
    .map(({ edit }) => edit);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? 0 : a[at]! - (b[at] ?? 0);
}

const ending = 0;
const starting = 1;

class FenceWriter {
  readonly #text: string;
  readonly #layout: FenceLayout;
  readonly #break: string;

  constructor(text: string, layout: FenceLayout) {
    this.#text = text;
    this.#layout = layout;
    this.#break = lineBreakOf(text);
  }

  /** Returns the insertions for a fence at a point; the first one contains the fence. */
  fence(point: FencePoint, fence: string): readonly Ranked[] {
    switch (point.kind) {
      case 'before': {
        const { statement, isEmpty, body } = point;
        const at = statement.start;
        // The existing semicolon suffices.
        if (isEmpty && body) return [this.#at(at, [starting, 1], fence)];
        const isOwnLine = this.#layout === 'lines' && this.#startsLine(at);
        const gap = isOwnLine ? this.#breakIn(point) + this.#indent(at) : ' ';
        return [this.#at(at, [starting, 1], `${fence};${gap}`)];
      }
      case 'after': {
        const { body } = point;
        const at = this.#endOf(body);
        const gap = this.#endsLine(body) ? this.#break + this.#indentWithin(body) : ' ';
        return [this.#at(at, [ending, -body.start, 0], `${gap}${fence};`)];
      }
      case 'end':
        return [this.#end(point, fence)];
      case 'operand': {
        const { start, end } = point.operand;
        return [
          this.#at(start, [starting, 2, -end], `(${fence}, `),
          this.#at(end, [ending, -start, 2], ')'),
        ];
      }
    }
  }

  braces(body: BareBody): readonly Ranked[] {
    const isOnLines = this.#isOnLines(body);
    const open = isOnLines
      ? this.#at(body.headEnd, [starting, 0], ' {')
      : this.#at(body.start, [starting, 0], `${this.#gapBefore(body.start)}{ `);
    const gap = this.#endsLine(body) ? this.#break + this.#indent(body.head.start) : ' ';
    return [open, this.#at(this.#endOf(body), [ending, -body.start, 1], `${gap}}`)];
  }

  #at(offset: number, rank: readonly number[], text: string): Ranked {
    return { edit: insertion(offset, text), rank };
  }

  #end(point: Extract<FencePoint, { kind: 'end' }>, fence: string): Ranked {
    const { at, last } = point;
    if (this.#layout === 'lines' && this.#startsLine(at)) {
      const own = this.#indent(at);
      const inner = last !== undefined && this.#startsLine(last) ? this.#indent(last) : `${own}  `;
      const { start } = lineAt(this.#text, at);
      return this.#at(start, [starting, 1], `${inner}${fence};${this.#breakIn(point)}`);
    }
    return this.#at(at, [ending, 0], `${this.#gapBefore(at)}${fence}; `);
  }

  /** Returns the line break after a fence at a point. */
  #breakIn({ isInMacro }: FencePoint): string {
    return isInMacro ? ` \\${this.#break}` : this.#break;
  }

  /** Whether only blanks precede the offset on its line. */
  #startsLine(offset: number): boolean {
    return /^[ \t]*$/.test(this.#text.slice(lineAt(this.#text, offset).start, offset));
  }

  #indent(offset: number): string {
    const { start, end } = lineAt(this.#text, offset);
    return /^[ \t]*/.exec(this.#text.slice(start, end))![0];
  }

  /** Returns the indentation for a statement in a body. */
  #indentWithin({ start, head }: BareBody): string {
    return this.#startsLine(start) ? this.#indent(start) : `${this.#indent(head.start)}  `;
  }

  /** Returns a blank, or nothing if the offset already follows a blank. */
  #gapBefore(offset: number): string {
    return /\s/.test(this.#text[offset - 1] ?? '') ? '' : ' ';
  }

  #isOnLines({ start }: TextRange): boolean {
    return this.#layout === 'lines' && this.#startsLine(start);
  }

  /** Whether the closing brace of a body is put on a separate line. */
  #endsLine({ start, end }: TextRange): boolean {
    if (this.#layout === 'inline') return false;
    const line = lineAt(this.#text, end);
    const isLong = this.#startsLine(start) || start < line.start;
    const rest = this.#text.slice(end, line.end);
    return (
      isLong &&
      /^[ \t]*(?:\/\*(?:(?!\*\/).)*\*\/[ \t]*)*(?:\/\/.*)?$/.test(rest) &&
      !rest.endsWith('\\')
    );
  }

  /**
   * Returns the offset for insertions after a body: after comments on its last line, if nothing
   * else follows the body there.
   */
  #endOf(body: TextRange): number {
    return this.#endsLine(body) ? lineAt(this.#text, body.end).end : body.end;
  }
}
