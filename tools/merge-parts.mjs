// Merges parts of a split bundle. esbuild makes a part for each set of entry points that share
// code: a hundred files for what a page loads first. On a slow machine the requests take longer
// than the code.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/** The name of the file with the merged parts. */
const mergedName = 'part-first.js';

const outside = ['node:*', 'z3-solver'];

/** Bundles one file of a split bundle again, with its imports resolved by a plugin. */
async function bundleAgain(options, setup) {
  const { outputFiles } = await build({
    ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', write: false },
    ...{ charset: 'ascii', legalComments: 'none', logLevel: 'warning', external: outside },
    plugins: [{ name: 'merged parts', setup }],
    ...options,
  });
  return outputFiles[0].text;
}

/** Describes each file by its name: its exports, its entry point, the files that load with it. */
function describeFiles({ outputs }) {
  const described = Object.entries(outputs).map(([file, { entryPoint, exports, imports }]) => {
    const loads = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
    const names = loads.map((one) => path.basename(one.path));
    return [path.basename(file), { entryPoint, exports, loads: names }];
  });
  return new Map(described);
}

/** Adds to `known` a file and all files that load with it. */
function addLoaded(files, name, known) {
  if (known.has(name)) return;
  known.add(name);
  for (const next of files.get(name).loads) addLoaded(files, next, known);
}

/**
 * Merges the parts that load with the entry `first`, and the parts of the modules `early`, which
 * `first` always loads later. The other files in `folder` then import the merged file. `metafile`
 * is esbuild's description of the bundle.
 */
export async function mergeParts(folder, metafile, first, early) {
  const files = describeFiles(metafile);
  const known = new Set();
  addLoaded(files, first, known);
  for (const source of early) {
    const found = [...files].find(([, { entryPoint }]) => entryPoint === source);
    if (!found) throw new Error(`no part begins with ${source}`);
    addLoaded(files, found[0], known);
  }
  const merged = [...known].filter((name) => name !== first);
  const isPart = { filter: /^\.\/[^/]+\.js$/ };
  const partOf = (asked) => {
    const name = path.basename(asked);
    return merged.includes(name) ? name : undefined;
  };
  // Each export of a part has a name of its own in the merged file.
  const mergedAs = (part, name) => `p${merged.indexOf(part)}_${name}`;

  const contents = merged.map((part) => {
    const names = files.get(part).exports.map((name) => `${name} as ${mergedAs(part, name)}`);
    return `import './${part}'; export { ${names.join(', ')} } from './${part}';`;
  });
  const whole = await bundleAgain(
    { stdin: { contents: contents.join('\n'), resolveDir: folder } },
    ({ onResolve }) =>
      onResolve(isPart, ({ path: asked }) =>
        partOf(asked) === undefined ? { path: asked, external: true } : undefined,
      ),
  );
  const others = [...files.keys()].filter((name) => !merged.includes(name));
  const texts = await Promise.all(
    others.map((other) =>
      bundleAgain({ entryPoints: [path.join(folder, other)] }, ({ onResolve, onLoad }) => {
        onResolve(isPart, ({ path: asked }) => {
          const part = partOf(asked);
          return part === undefined
            ? { path: asked, external: true }
            : { path: part, namespace: 'merged' };
        });
        onLoad({ filter: /./, namespace: 'merged' }, ({ path: part }) => {
          const names = files.get(part).exports.map((name) => `${mergedAs(part, name)} as ${name}`);
          return { contents: `export { ${names.join(', ')} } from '../${mergedName}';` };
        });
        onResolve({ filter: /^\.\.\//, namespace: 'merged' }, () => ({
          ...{ path: `./${mergedName}`, external: true },
        }));
      }),
    ),
  );
  await Promise.all(merged.map((name) => rm(path.join(folder, name))));
  await writeFile(path.join(folder, mergedName), whole);
  await Promise.all(others.map((name, i) => writeFile(path.join(folder, name), texts[i])));
}
