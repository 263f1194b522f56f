import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Writes the queues to a folder, in one file; the packages used by the queues are installed
 * separately.
 */
export async function bundleFleet(outdir) {
  const fleet = path.join(root, 'packages/fleet');
  await build({
    absWorkingDir: root,
    entryPoints: { index: path.join(fleet, 'src/index.ts') },
    outdir,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}
