// Compiles the search kernel from AssemblyScript into a module of TypeScript, so that no file is
// needed at run time: `node tools/build-kernel.mjs`. A test compares the committed module with the
// output of this script.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import asc from 'assemblyscript/asc';

const product = path.join(
  path.dirname(path.dirname(fileURLToPath(import.meta.url))),
  'packages/ground/src/product',
);

/** The path of the generated module. */
export const kernelModule = path.join(product, 'kernel-binary.ts');

/** Returns the text of the module with the search kernel, compiled to WebAssembly, in base64. */
export async function buildKernel() {
  const source = await readFile(path.join(product, 'kernel.as'), 'utf8');
  let binary = new Uint8Array();
  const { error, stderr } = await asc.main(
    // prettier-ignore
    ['kernel.ts', '--outFile', 'kernel.wasm', '--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--noAssert',
     '--runtime', 'stub', '--importMemory', '--noExportMemory'],
    {
      readFile: (name) => (name === 'kernel.ts' ? source : null),
      writeFile: (_name, contents) => (binary = contents),
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  const lines =
    Buffer.from(binary)
      .toString('base64')
      .match(/.{1,92}/g) ?? [];
  const text = lines.map((line) => `  '${line}'`).join(' +\n');
  return `// Generated from kernel.as by tools/build-kernel.mjs.\n\n/** The search kernel as a WebAssembly binary in base64: ${binary.length} bytes. */\nexport const kernelBinary =\n${text};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(kernelModule, await buildKernel());
