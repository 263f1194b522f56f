// Writes the manual page of the command line, into the folder named, if any.
import { mkdir, writeFile } from 'node:fs/promises';
import { commandTable } from '../packages/cli/src/command-table.js';
import { manPage } from '../packages/cli/src/man-page.js';
import { verbs } from '../packages/cli/src/verbs.js';
import { version } from '../packages/cli/src/version.js';

const [folder = 'packages/cli/man'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
await writeFile(`${folder}/fencewright.1`, manPage(await commandTable(verbs), version));
