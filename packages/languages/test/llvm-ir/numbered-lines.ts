/** A text, with the statement of each line, from 0. */
export interface NumberedText {
  readonly text: string;
  readonly statements: ReadonlyMap<number, number>;
}

/** The lines of a text under construction, with the statements that they print. */
export class NumberedLines {
  readonly lines: string[] = [];
  readonly statements = new Map<number, number>();

  add(line: string, statement?: number): void {
    if (statement !== undefined) this.statements.set(this.lines.length, statement);
    this.lines.push(line);
  }

  get printed(): NumberedText {
    return { text: `${this.lines.join('\n')}\n`, statements: this.statements };
  }
}
