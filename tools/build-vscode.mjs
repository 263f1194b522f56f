// Packs the extension for VS Code into packages/vscode/dist/fencewright.vsix: its client, colours
// made from the table of words, and the command line with the server as `build.mjs` leaves it.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';
import { zipSync } from 'fflate';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const extension = path.join(root, 'packages/vscode');
const dist = path.join(extension, 'dist');

async function bundle(entry, format, more) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path.join(extension, 'src', entry)],
    bundle: true,
    write: false,
    minify: true,
    format,
    platform: 'node',
    target: 'node18',
    conditions: ['source'],
    logLevel: 'warning',
    ...more,
  });
  return outputFiles[0].text;
}

async function grammarText() {
  const code = await bundle('grammar.ts', 'esm');
  const module = await import(
    `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  );
  return `${JSON.stringify(module.textMateGrammar(), null, 2)}\n`;
}

/** Returns the files of a folder, by path inside the folder. */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file).replaceAll(path.sep, '/'), await readFile(file)];
    }),
  );
}

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Returns the manifest that VS Code reads before unpacking. */
function vsixManifest({ name, displayName, description, version, publisher, categories, engines }) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Categories>${categories.join(',')}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}" />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

const types = { json: 'application/json', vsixmanifest: 'text/xml', md: 'text/markdown' };
const contentTypes = (names) => {
  const extensions = new Set(names.map((name) => path.extname(name).slice(1)).filter(Boolean));
  const defaults = [...extensions].map(
    (one) =>
      `<Default Extension=".${one}" ContentType="${types[one] ?? 'application/octet-stream'}"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults.join('')}</Types>
`;
};

/** The files about the build that the package leaves out. */
const notServed = ['meta.json', 'bundled-packages.json'];

/** Returns the files of the extension's package, by name. */
async function contents() {
  const {
    devDependencies: _,
    private: __,
    ...manifest
  } = JSON.parse(await readFile(path.join(extension, 'package.json'), 'utf8'));
  const server = path.join(root, 'packages/cli');
  const served = [
    ...(await filesIn(path.join(server, 'bin'))).map(([name, data]) => [`bin/${name}`, data]),
    ...(await filesIn(path.join(server, 'dist')))
      .filter(([name]) => !notServed.includes(name) && !name.startsWith('site/'))
      .map(([name, data]) => [`dist/${name}`, data]),
    ['package.json', await readFile(path.join(server, 'package.json'))],
  ];
  const text = (content) => Buffer.from(content);
  const files = [
    ['extension.vsixmanifest', text(vsixManifest(manifest))],
    ['extension/package.json', text(`${JSON.stringify(manifest, null, 2)}\n`)],
    ['extension/README.md', await readFile(path.join(extension, 'README.md'))],
    ['extension/LICENSE', await readFile(path.join(root, 'LICENSE'))],
    [
      'extension/THIRD-PARTY-LICENSES.txt',
      await readFile(path.join(root, 'THIRD-PARTY-LICENSES.txt')),
    ],
    [
      'extension/language-configuration.json',
      await readFile(path.join(extension, 'language-configuration.json')),
    ],
    [
      'extension/configuration.schema.json',
      await readFile(path.join(server, 'schema/configuration.schema.json')),
    ],
    [
      'extension/dist/extension.cjs',
      text(await bundle('extension.ts', 'cjs', { external: ['vscode'] })),
    ],
    ['extension/dist/fencewright.tmLanguage.json', text(await grammarText())],
    ...served.map(([name, data]) => [`extension/server/${name}`, data]),
  ];
  return [['[Content_Types].xml', text(contentTypes(files.map(([name]) => name)))], ...files];
}

await mkdir(dist, { recursive: true });
const file = path.join(dist, 'fencewright.vsix');
// Equal files make equal packages.
const mtime = new Date(2000, 0, 1);
const packed = Object.fromEntries(
  (await contents()).map(([name, data]) => [name, [new Uint8Array(data), { mtime }]]),
);
await writeFile(file, zipSync(packed, { level: 9 }));
process.stdout.write(`${path.relative(root, file)}\n`);
