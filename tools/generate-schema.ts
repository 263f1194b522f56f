// Writes the JSON schemas that are published with the command line: of the results, and of its
// configuration.
import { mkdir, writeFile } from 'node:fs/promises';
import { configurationSchema } from '../packages/cli/src/configuration/schema.js';
import { jsonSchema } from '@fencewright/reports/json/json-schema.js';

const folder = 'packages/cli/schema';
await mkdir(folder, { recursive: true });
for (const [name, schema] of [
  ['result', jsonSchema()],
  ['configuration', configurationSchema()],
] as const)
  await writeFile(`${folder}/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`);
