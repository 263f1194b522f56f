import { readFileSync } from 'node:fs';
import { version } from './version.js';

let name: string | undefined;

/**
 * Returns the version and the build, since a checkout has many builds of one version: the name
 * under which answers are kept or handed on. `0.1.0+1a2b3c4d`.
 */
export function buildName(): string {
  return (name ??= `${version}+${readFileSync(new URL('../dist/build', import.meta.url), 'utf8')}`);
}
