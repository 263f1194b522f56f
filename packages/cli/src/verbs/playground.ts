import { InvalidArgumentError } from 'commander';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../exit-codes.js';
import { openInBrowser } from '../open-in-browser.js';
import { flag, parsedOr } from '../options/declare.js';
import { serveSite } from '../serve-site.js';
import { verb } from '../verb.js';

/** The folder of the site, beside the scripts of the bundle. */
const site = fileURLToPath(new URL('./site/', import.meta.url));

function portNamed(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('give a number from 0 to 65535.');
  return port;
}

const options = {
  port: parsedOr('--port <n>', 'the port; 0 takes any free port', portNamed, 8765),
  open: flag('--no-open', 'print the address of the page without opening a browser'),
};

/** The verb `playground`: serves the playground to this machine until Ctrl-C. */
export const playgroundVerb = verb({ name: 'playground', options }, async ({ port, open }) => {
  try {
    const server = await serveSite(site, port);
    const { port: taken } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${taken}/`;
    process.stdout.write(`The playground is at ${address}\nCtrl-C ends it.\n`);
    if (open === true) await openInBrowser(address);
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    server.closeAllConnections();
    server.close();
    return exitCodes.robust;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const why = code === 'EACCES' ? 'may not be used' : 'is taken';
    process.stderr.write(
      `fencewright: port ${port} ${why}; give another one: --port 0 takes any\n`,
    );
    return exitCodes.usage;
  }
});
