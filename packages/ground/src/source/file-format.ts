/** What tells a format: the word for it in options, and what the names of its files end in. */
export interface FileFormat {
  readonly id: string;
  /** In small letters, each with its dot; the usual one first. */
  readonly extensions: readonly string[];
}

/** The format whose files end so, in small letters or capitals. */
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
