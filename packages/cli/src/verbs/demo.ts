import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { demoProgram } from '../demo-program.js';
import { exitCodes } from '../exit-codes.js';
import { openInBrowser } from '../open-in-browser.js';
import { colourOptions } from '../options/common.js';
import { defaultsOf, flag } from '../options/declare.js';
import { verb } from '../verb.js';

const options = {
  ...colourOptions,
  open: flag('--no-open', 'print the address of the page without opening a browser'),
};

const wayOn = `
Now yours: \`fencewright init FILE.fw\` writes a program to begin with, \`fencewright FILE\` says what
store buffers do to it (C and C++ as well), \`fencewright fence FILE\` repairs it.
`;

/** The verb `demo`: shows the error in the shortest faulty program, as text and as a page. */
export const demoVerb = verb({ name: 'demo', options }, async ({ open, ...colours }) => {
  const { explainVerb } = await import('./explain.js');
  const folder = await mkdtemp(path.join(tmpdir(), 'fencewright-demo-'));
  const file = path.join(folder, 'store-buffering.fw');
  const html = path.join(folder, 'store-buffering.html');
  await writeFile(file, demoProgram);
  process.stdout.write(`${demoProgram}\n`);
  await explainVerb.run({ ...defaultsOf(explainVerb.options), ...colours, html }, [file]);
  const isShown = open === true && (await openInBrowser(pathToFileURL(html).href));
  process.stdout.write((isShown ? 'Your browser shows the page.\n' : '') + wayOn);
  return exitCodes.robust;
});
