// Bundles script and style of the page that `explain` writes into a module of TypeScript, so that
// no files are needed at run time: `node tools/build-page.mjs`. A test compares the committed
// module with the output of this script.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';

const reports = path.join(
  path.dirname(path.dirname(fileURLToPath(import.meta.url))),
  'packages/reports',
);

/** The path of the generated module. */
export const pageModule = path.join(reports, 'src/html/page-assets.ts');

async function bundle(file) {
  const { outputFiles } = await build({
    absWorkingDir: reports,
    entryPoints: [path.join('page', file)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['es2022', 'chrome109', 'firefox115', 'safari16'],
    charset: 'ascii',
  });
  return outputFiles[0].text.trim();
}

/** Returns the text of the module with the page's script and style. */
export async function buildPage() {
  const literal = (text) => JSON.stringify(text);
  return [
    '// Generated from packages/reports/page by tools/build-page.mjs.',
    '',
    '/** The script of the page, for a script element. */',
    `export const pageScript = ${literal(await bundle('page.ts'))};`,
    '',
    '/** The script of the menu of attacks, for a script element. */',
    `export const menuScript = ${literal(await bundle('menu.ts'))};`,
    '',
    '/** The style of the page. */',
    `export const pageStyle = ${literal(await bundle('page.css'))};`,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(pageModule, await buildPage());
