import { type Command, Option } from 'commander';
import type { PictureSettings } from './settings.js';

/** The options of `explain` that name files. */
export type PictureOptions = PictureSettings;

/** The options that have an explanation drawn. */
export function addPictureOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--html <file>',
        'where to write a page that shows the execution step by step, to open in a browser; - is stdout',
      ),
    )
    .addOption(
      new Option('--svg <file>', 'where to write the happens-before graph as SVG; - is stdout'),
    )
    .addOption(new Option('--dot <file>', 'where to write that graph for Graphviz; - is stdout'));
}

/** What the options ask for, if anything. */
export function pictureSettingsOf({ html, svg, dot }: PictureOptions): PictureSettings | undefined {
  if (html === undefined && svg === undefined && dot === undefined) return undefined;
  return {
    ...(html !== undefined && { html }),
    ...(svg !== undefined && { svg }),
    ...(dot !== undefined && { dot }),
  };
}

/** What is wrong with the options together. */
export function pictureComplaint(
  files: readonly string[],
  options: PictureOptions & { readonly json?: boolean },
): string | undefined {
  const { html, svg, dot } = options;
  const outputs = [html, svg, dot].filter((file) => file !== undefined);
  if (outputs.length > 0 && files.length > 1) return '--html, --svg and --dot need a single file';
  const piped = outputs.filter((file) => file === '-').length;
  if (piped > 1) return 'standard output has room for one picture';
  if (piped > 0 && options.json) return '--json and a picture cannot share standard output';
  return undefined;
}
