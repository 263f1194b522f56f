import { spawn } from 'node:child_process';
import { helperEnvironment } from '@fencewright/core/node';

/** The command that shows an address to who sits before this machine, if there is somebody. */
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
 * Has the browser of the user show an address, and does not wait for it. Gives whether something
 * was started that does so: not without a screen.
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
