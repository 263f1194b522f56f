/** Identifies a format: its name in options, and the extensions of its files. */
export interface FileFormat {
  readonly id: string;
  /** In lower case, with the dot; the usual extension first. */
  readonly extensions: readonly string[];
}

/** The format whose files have the given extension, in lower or upper case. */
export function formatByExtension<F extends FileFormat>(
  formats: readonly F[],
  extension: string,
): F | undefined {
  return formats.find(({ extensions }) => extensions.includes(extension.toLowerCase()));
}

/** `.fw (native), .txt or .trencher (trencher)`: how names end. */
export function extensionsInWords(formats: readonly FileFormat[]): string {
  return formats.map(({ id, extensions }) => `${extensions.join(' or ')} (${id})`).join(', ');
}
