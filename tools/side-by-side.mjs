// Runs scripts of package.json at the same time. Prints the output of each when it has ended; fails
// if one fails. Usage: node tools/side-by-side.mjs SCRIPT ...
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cwd = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Runs a script; returns whether the script succeeds. */
function run(script) {
  const started = spawn('npm', ['run', script], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (chunk) => printed.push(chunk));
  return new Promise((resolve) => {
    started.on('error', (error) => printed.push(`${error.message}\n`));
    started.on('close', (code) => {
      process.stdout.write(Buffer.concat(printed.map((chunk) => Buffer.from(chunk))));
      resolve(code === 0);
    });
  });
}

const ended = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = ended.every((isGood) => isGood) ? 0 : 1;
