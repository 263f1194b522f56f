import { spawn } from 'node:child_process';
import { helperEnvironment } from '@fencewright/core/node';

/** Returns the command that opens an address in a browser; `undefined` if there is no screen. */
function openerOf(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): readonly [string, ...string[]] | undefined {
  switch (platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      return ['explorer.exe'];
    default: {
      const { DISPLAY = '', WAYLAND_DISPLAY = '' } = environment;
      return DISPLAY + WAYLAND_DISPLAY === '' ? undefined : ['xdg-open'];
    }
  }
}

/**
 * Opens an address in the user's browser, without waiting. Returns whether a browser command was
 * started; without a screen, none is.
 */
export async function openInBrowser(address: string): Promise<boolean> {
  const opener = openerOf(process.platform, process.env);
  if (!opener) return false;
  const [command, ...options] = opener;
  return new Promise((resolve) => {
    const env = helperEnvironment();
    const child = spawn(command, [...options, address], { detached: true, stdio: 'ignore', env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
