// Writes the JSON schemas published with the command line: the schema of the results, and the
// schema of the configuration.
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
