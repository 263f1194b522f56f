// Writes the grammar that Langium generated as a string by itself, since its own module loads more of Langium than the parser needs.
import { readFile, writeFile } from 'node:fs/promises';
import { grammarJsonModule } from './grammar-json-module.mjs';

const folder = 'packages/core/src/frontends/native/generated';
const generated = await readFile(`${folder}/grammar.ts`, 'utf8');
await writeFile(`${folder}/grammar-json.ts`, grammarJsonModule(generated));
