import { readFileSync } from 'node:fs';
import { version } from './version.js';

let name: string | undefined;

/**
 * Returns the version and the build, such as `0.1.0+1a2b3c4d`: answers are stored and handed on
 * under this name, since a checkout has many builds of one version.
 */
export function buildName(): string {
  return (name ??= `${version}+${readFileSync(new URL('../dist/build', import.meta.url), 'utf8')}`);
}
