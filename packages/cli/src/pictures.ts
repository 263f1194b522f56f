/** Returns the error in the options that name files for pictures; `undefined` if there is none. */
export function pictureComplaint(
  {
    html,
    svg,
    dot,
    json,
  }: {
    readonly html?: string | undefined;
    readonly svg?: string | undefined;
    readonly dot?: string | undefined;
    readonly json?: true | undefined;
  },
  files: readonly string[],
): string | undefined {
  const outputs = [html, svg, dot].filter((file) => file !== undefined);
  if (outputs.length > 0 && files.length > 1)
    return '--report needs a single file for html, svg and dot';
  const piped = outputs.filter((file) => file === '-').length;
  if (piped > 1) return 'standard output has room for one picture';
  if (piped > 0 && json) return '--json and a picture cannot share standard output';
  return undefined;
}
