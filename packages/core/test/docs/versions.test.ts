import { expect, test } from 'vitest';
import { decide } from '../../src/api/decide.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { encodeResult } from '../../src/api/result-codec.js';
import { coverText } from '@fencewright/nets/nets/cover-text.js';
import { jsonFormatVersion } from '@fencewright/reports/json/json-format-version.js';
import { readRepositoryFile } from '../corpus/load-corpus.js';

const page = readRepositoryFile('docs/versions.md');

interface Versioned {
  readonly format: string;
  readonly version: number;
}

async function automataOf(file: string): Promise<Versioned> {
  const { model } = await parseText('native', readRepositoryFile(file));
  const result = await decide(model!, { kind: 'convert', to: 'automata' });
  if (result.kind !== 'convert') throw new Error('automata cannot be written');
  return JSON.parse(result.printed.text!) as Versioned;
}

test('the page has the versions of what is written', async () => {
  const { model } = await parseText('native', 'program P\nvar x\nthread t { x = 1; }\n');
  const net = "vars a\n\nrules\n\na >= 1 -> a' = a - 1;\n\ninit\na = 1\n\ntarget\na >= 2\n";
  const covered = await coverText('mist', net, { certify: true });
  const certificate = covered.kind === 'cover' ? covered.certificate! : undefined!;
  const documents: readonly Versioned[] = [
    await automataOf('examples/peterson.fw'),
    await automataOf('examples/events/clicks.fw'),
    encodeResult(await decide(model!, { kind: 'check' })),
    certificate,
    (certificate as unknown as { readonly net: Versioned }).net,
  ];
  for (const { format, version } of documents)
    expect(page).toMatch(new RegExp(`^\\| .*\`${format}\`, \`version\`: ${version} \\|`, 'm'));
  expect(page).toContain(`\`formatVersion\`: ${jsonFormatVersion} |`);
});
