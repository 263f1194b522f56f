/**
 * What stands in a shell's word as it is. Letters of all scripts, but nothing that a terminal obeys
 * or hides.
 */
const plain = /^[\p{L}\p{M}\p{N}_@%+=:,./-]+$/u;

/**
 * Controls, format characters (bidi overrides, zero-width ones), separators of lines, lone
 * surrogates, private use, unassigned.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;
/** Whether a terminal would obey the character, or hide it. */
export function isUnprintable(character: string): boolean {
  return unprintable.test(character);
}

const escaped = /[\\']|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

function escape(character: string): string {
  if (character === '\\' || character === "'") return `\\${character}`;
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
}

/**
 * A name from outside, of a file or a program, as all output has it: as it is where it is plain,
 * otherwise quoted as a word of a shell. So it is one line, does nothing to a terminal, hides
 * nothing, and can be pasted behind a command: `a b` is `'a b'`, and a name with controls or bidi
 * marks becomes `$'a\x1bb'`, as `ls` of GNU writes it.
 */
export function quoteName(name: string): string {
  if (unprintable.test(name)) return `$'${name.replace(escaped, escape)}'`;
  return plain.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}

/** A file as an argument of a command line to paste: `-x` would be taken for an option. */
export function quoteArgument(file: string): string {
  return quoteName(file.startsWith('-') && file !== '-' ? `./${file}` : file);
}

/** A text for a comment between slash and star: nothing in it ends the comment, or the line. */
export function commentText(text: string): string {
  return printableLine(text).replaceAll('*/', '* /').replaceAll('/*', '/ *');
}

/** A text as one line: what a terminal obeys or hides becomes its escape. Quotes nothing. */
export function printableLine(text: string): string {
  return text.replace(escaped, (character) =>
    character === '\\' || character === "'" ? character : escape(character),
  );
}
