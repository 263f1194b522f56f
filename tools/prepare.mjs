// Builds the command for npm, and prints nothing on standard output. pre-commit installs a hook by
// `npm install -g git+file://...`, and npm then prepares the clone as a global package, without the
// packages that the build needs: they are installed first.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

function hasPackages() {
  try {
    createRequire(import.meta.url).resolve('esbuild');
    return true;
  } catch {
    return false;
  }
}

if (!hasPackages()) {
  const { npm_config_global: _, ...env } = process.env;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    env,
    shell: process.platform === 'win32',
    stdio: ['ignore', 2, 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}
await import('./build.mjs');
