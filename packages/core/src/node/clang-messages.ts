/** A message of clang about a file, as worded by clang. */
export interface ClangMessage {
  readonly severity: 'error' | 'warning' | 'note';
  /**
   * The position in the file; lines and columns from 0, columns in bytes of UTF-8. Absent if the
   * message is about no position.
   */
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
  readonly message: string;
}

const placed = /^(.+):(\d+):(\d+): (fatal error|error|warning|note): (.*)$/;
const unplaced = /^(?:\S*clang\S*|<[^>]*>): (error|warning|note): (.*)$/;

/**
 * Replaces control characters in a text, so that names and messages cannot act as terminal
 * commands.
 */
function harmless(text: string): string {
  return text.replaceAll(/[\0-\x1f\x7f-\x9f]/g, '\ufffd');
}

function severityOf(word: string): ClangMessage['severity'] {
  return word === 'warning' || word === 'note' ? word : 'error';
}

/** Reads the messages from clang's stderr; skips lines such as `2 errors generated.` */
export function readClangMessages(stderr: string): readonly ClangMessage[] {
  return stderr.split('\n').flatMap((line): ClangMessage[] => {
    const [, file, row, column, word, message] = placed.exec(line) ?? [];
    if (file !== undefined)
      return [
        {
          severity: severityOf(word!),
          place: { file: harmless(file), line: Number(row) - 1, column: Number(column) - 1 },
          message: harmless(message!),
        },
      ];
    const [, kind, text] = unplaced.exec(line) ?? [];
    return kind === undefined ? [] : [{ severity: severityOf(kind), message: harmless(text!) }];
  });
}
