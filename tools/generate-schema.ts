// Writes the JSON schema of the results, which is published with the command line.
import { mkdir, writeFile } from 'node:fs/promises';
import { jsonSchema } from '../packages/core/src/reports/json/json-schema.js';

const folder = 'packages/cli/schema';
await mkdir(folder, { recursive: true });
await writeFile(`${folder}/result.schema.json`, `${JSON.stringify(jsonSchema(), null, 2)}\n`);
