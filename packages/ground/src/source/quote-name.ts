/**
 * Names that need no quoting in a shell: letters of all scripts, digits and some signs, but nothing
 * that terminals interpret or hide.
 */
const plain = /^[\p{L}\p{M}\p{N}_@%+=:,./-]+$/u;

/**
 * Characters that a terminal interprets or hides: controls, format characters (bidi overrides,
 * zero-width characters), line separators, lone surrogates, private use, unassigned.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;
/** Whether a terminal would interpret or hide the character. */
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
 * Formats a name from outside, of a file or a program, for all output: unchanged if plain,
 * otherwise quoted as a shell word. The result is one line, has no effect on a terminal, hides
 * nothing, and can be pasted into a command: `a b` becomes `'a b'`, and a name with controls or
 * bidi marks becomes `$'a\x1bb'`, as in GNU `ls`.
 */
export function quoteName(name: string): string {
  if (unprintable.test(name)) return `$'${name.replace(escaped, escape)}'`;
  return plain.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the name of a file without the `./` that compilers put before names of headers. */
export function withoutDot(name: string): string {
  return name.replace(/^(?:\.\/+)+(?=[^/@-])/, '');
}

/** Formats the name of a file that a program includes or links, like `quoteName`, without `./`. */
export function quoteSource(name: string): string {
  return quoteName(withoutDot(name));
}

/**
 * Formats the name of a file as an argument for pasting into a command line: a name such as `-x` is
 * changed so that it is not taken for an option.
 */
export function quoteArgument(file: string): string {
  return quoteName(file.startsWith('-') && file !== '-' ? `./${file}` : file);
}

/**
 * Changes a text for a comment between slash and star, so that it ends neither the comment nor the
 * line.
 */
export function commentText(text: string): string {
  return printableLine(text).replaceAll('*/', '* /').replaceAll('/*', '/ *');
}

/**
 * Changes a text to one line: characters that terminals interpret or hide are escaped. Adds no
 * quotes.
 */
export function printableLine(text: string): string {
  return text.replace(escaped, (character) =>
    character === '\\' || character === "'" ? character : escape(character),
  );
}
