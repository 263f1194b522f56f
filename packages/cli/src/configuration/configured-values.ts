import path from 'node:path';
import { diagnosticsText } from '@fencewright/core';
import { addedBy } from '../options/fail-on.js';
import { readSource } from '../read-source.js';
import { terminalPalette } from '../palette.js';
import { readConfiguration } from './check-configuration.js';
import type { Configuration } from './schema.js';

/** What a configuration says, by the names of the options that say the same; or what is wrong. */
export type Configured =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly text: string };

function valuesOf(
  { limits = {}, formats, c = {}, failOn }: Configuration,
  folder: string,
): Readonly<Record<string, unknown>> {
  const { include, define, std } = c;
  const values = {
    ...limits,
    formats,
    include: include?.map((each) => path.resolve(folder, each)),
    define,
    std,
    failOn: failOn && addedBy(failOn),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Reads the configuration in a file. */
export async function configuredValues(file: string, isColoured: boolean): Promise<Configured> {
  const shown = path.relative('', file);
  const source = await readSource(file);
  const read =
    source.kind === 'text' ? readConfiguration(source.text) : { diagnostics: [source.diagnostic] };
  if ('configuration' in read)
    return { kind: 'values', values: valuesOf(read.configuration, path.dirname(file)) };
  const text = source.kind === 'text' ? source.text : undefined;
  const palette = terminalPalette(isColoured);
  return { kind: 'refused', text: diagnosticsText(shown, text, read.diagnostics, palette) };
}
