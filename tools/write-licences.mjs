// Writes THIRD-PARTY-LICENSES.txt for the contents of the command line built last. `--check` only
// tells whether the file is up to date.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dependenciesOf, licencesOf } from './bundled-packages.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const file = path.join(root, 'THIRD-PARTY-LICENSES.txt');
const cli = path.join(root, 'packages/cli');

const bundled = JSON.parse(await readFile(path.join(cli, 'dist/bundled-packages.json'), 'utf8'));
const text = await licencesOf([
  ...bundled.map((folder) => path.join(root, folder)),
  ...(await dependenciesOf(cli)).values(),
]);
if (!process.argv.includes('--check')) await writeFile(file, text);
else if ((await readFile(file, 'utf8')) !== text) {
  process.stderr.write(
    'THIRD-PARTY-LICENSES.txt is old: npm run build && node tools/write-licences.mjs\n',
  );
  process.exitCode = 1;
}
