import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const binary = fileURLToPath(new URL('../bin/fencewright.js', import.meta.url));

/** A running server of the playground. */
export interface Served {
  /** The address of the playground, with a slash at the end. */
  readonly address: string;
  /** Interrupts the server as Ctrl-C does; returns the exit code. */
  readonly end: () => Promise<number | null>;
}

/** Serves the playground at a free port. */
export async function servePlayground(): Promise<Served> {
  const child = spawn(process.execPath, [binary, 'playground', '--no-open', '--port', '0']);
  const closed = once(child, 'close') as Promise<[number | null]>;
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    said += text;
    if (said.includes('\n')) break;
  }
  const [address] = /http:\S+\//.exec(said) ?? [];
  if (address === undefined) throw new Error(`no address: ${said}`);
  const end = async (): Promise<number | null> => {
    child.kill('SIGINT');
    const [code] = await closed;
    return code;
  };
  return { address, end };
}
