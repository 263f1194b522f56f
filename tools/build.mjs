// Bundles the command line into packages/cli/dist: one entry, and one chunk for everything heavy that is imported when needed.
// Bundling is what makes the start quick: langium alone costs 350 ms unbundled and 60 ms bundled.
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cli = path.join(root, 'packages/cli');
const dist = path.join(cli, 'dist');
// Built beside and moved into place, so that a run of the tool never sees half a bundle.
const fresh = path.join(root, 'node_modules', `.fencewright-${process.pid}`);

try {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [path.join(cli, 'src/main.ts'), path.join(cli, 'src/worker.ts')],
    outdir: fresh,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    // 35 MB, found in node_modules when it is needed.
    external: ['z3-solver'],
    chunkNames: '[name]-[hash]',
    metafile: true,
    sourcemap: false,
    legalComments: 'linked',
    logLevel: 'warning',
    // langium's protocol library is CommonJS and calls `require` for modules of Node.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  await mkdir(fresh, { recursive: true });
  // HiGHS looks for its WebAssembly beside the chunk that loads it.
  const highs = path.join(root, 'node_modules/highs/build/highs.wasm');
  await copyFile(highs, path.join(fresh, 'highs.wasm'));
  const metafile = JSON.stringify(result.metafile).replaceAll(
    path.relative(root, fresh),
    'packages/cli/dist',
  );
  await writeFile(path.join(fresh, 'meta.json'), metafile);
  await rm(dist, { recursive: true, force: true });
  await rename(fresh, dist);
} finally {
  await rm(fresh, { recursive: true, force: true });
}
