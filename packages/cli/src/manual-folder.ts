import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the folder with the pages `docs/NAME.md` and the programs `examples/NAME` that messages,
 * help and README name: the folder of the installed package, or the checkout.
 */
export function manualFolder(): string {
  const home = fileURLToPath(new URL('..', import.meta.url));
  return existsSync(path.join(home, 'docs')) ? home : path.resolve(home, '../..');
}

/** Matches names of pages of the manual. */
const pages = /(?<![\w./-])docs\/[a-z0-9-]+\.md/g;

/**
 * Returns a message with full paths in place of the named pages of the manual; a page in the
 * working folder keeps its name.
 */
export function withPathsOfPages(message: string): string {
  return message.replaceAll(pages, (page) =>
    existsSync(page) ? page : path.join(manualFolder(), page),
  );
}

/**
 * Returns the path of a program that the manual names, such as `examples/peterson.fw`, if the
 * program is not in the working folder but in the folder of the manual. Otherwise `undefined`.
 */
export function exampleOfManual(file: string): string | undefined {
  const there = path.join(manualFolder(), file);
  return /^(?:examples|corpus)[/\\]/.test(file) && existsSync(there) ? there : undefined;
}
