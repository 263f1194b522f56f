import path from 'node:path';
import { diagnosticsText } from '@fencewright/core';
import { addedBy } from '../options/fail-on.js';
import { readSource } from '../read-source.js';
import { terminalPalette } from '../palette.js';
import { readConfiguration } from './check-configuration.js';
import type { ConfigurationFile, ConfiguredProgram, ProgramSettings } from './schema.js';

function programIn(
  { file, include, link, ...others }: ProgramSettings,
  folder: string,
): Pick<ConfiguredProgram, 'file' | 'values'> {
  const at = (each: string): string => path.resolve(folder, each);
  return {
    file: at(file),
    values: {
      ...others,
      ...(include && { include: include.map(at) }),
      // Messages show these names.
      ...(link && { link: link.map((each) => path.relative('', at(each))) }),
    },
  };
}

/** The settings in a configuration file, or the errors in the file. */
type Configured =
  | {
      readonly kind: 'settings';
      /**
       * The settings, by the name of the option with the same effect: the value, and the setting as
       * text.
       */
      readonly settings: Readonly<
        Record<string, { readonly value: unknown; readonly text: string }>
      >;
    }
  | { readonly kind: 'refused'; readonly text: string };

/**
 * Returns the settings of a configuration by the names of options; paths are relative to `folder`.
 */
function settingsIn(
  { limits = {}, formats, c = {}, programs, failOn, model }: ConfigurationFile,
  folder: string,
): Extract<Configured, { kind: 'settings' }>['settings'] {
  const include = c.include?.map((each) => path.resolve(folder, each));
  const settings = [
    ...Object.entries(limits).map(([key, value]) => ({
      group: 'limits.',
      key,
      value,
      given: value,
    })),
    ...Object.entries(c).map(([key, given]) => ({
      ...{ group: 'c.', key, given },
      value: key === 'include' ? include : given,
    })),
    { group: '', key: 'formats', value: formats, given: formats },
    {
      ...{ group: '', key: 'programs', given: programs },
      value: programs?.map((given, i): ConfiguredProgram => ({
        ...programIn(given, folder),
        ...{ place: `programs[${i}]`, given },
      })),
    },
    { group: '', key: 'failOn', value: failOn && addedBy(failOn), given: failOn },
    { group: '', key: 'model', value: model, given: model },
  ];
  return Object.fromEntries(
    settings
      .filter(({ value }) => value !== undefined)
      .map(({ group, key, value, given }) => [
        key,
        { value, text: `${group}${key} = ${JSON.stringify(given)}` },
      ]),
  );
}

/** Reads a configuration file. With `isColoured`, the messages about errors have colours. */
export async function readConfigured(file: string, isColoured: boolean): Promise<Configured> {
  const shown = path.relative('', file);
  const source = await readSource(file);
  const read =
    source.kind === 'text' ? readConfiguration(source.text) : { diagnostics: [source.diagnostic] };
  if ('configuration' in read)
    return { kind: 'settings', settings: settingsIn(read.configuration, path.dirname(file)) };
  const text = source.kind === 'text' ? source.text : undefined;
  const palette = terminalPalette(isColoured);
  return { kind: 'refused', text: diagnosticsText(shown, text, read.diagnostics, palette) };
}
