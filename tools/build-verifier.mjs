import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Writes the verifier to a folder, whole in one file as a command and as a library: it has no
 * dependencies.
 */
export async function bundleVerifier(outdir) {
  const verifier = path.join(root, 'packages/verifier');
  await build({
    absWorkingDir: root,
    entryPoints: {
      'fencewright-verify': path.join(verifier, 'src/main.ts'),
      index: path.join(verifier, 'src/index.ts'),
    },
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}
