/** Identifies a format: its name in options, and the extensions of its files. */
export interface FileFormat {
  readonly id: string;
  /**
   * The extensions of the format's files, in lower case, with the dot; the usual extension first.
   */
  readonly extensions: readonly string[];
}

/**
 * Finds the format whose files have the given extension, in lower or upper case; `undefined` if
 * there is none.
 */
export function formatByExtension<F extends FileFormat>(
  formats: readonly F[],
  extension: string,
): F | undefined {
  return formats.find(({ extensions }) => extensions.includes(extension.toLowerCase()));
}

/** Lists formats with their extensions in words: `.fw (native), .txt or .trencher (trencher)`. */
export function extensionsInWords(formats: readonly FileFormat[]): string {
  return formats.map(({ id, extensions }) => `${extensions.join(' or ')} (${id})`).join(', ');
}
