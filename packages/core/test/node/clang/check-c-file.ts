// A program of its own: compiles the C file named by its argument, and answers `check`. The test
// counts the work of the whole process.
import path from 'node:path';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { decide } from '../../../src/api/decide.js';
import { compileC } from '../../../src/node/compile-c.js';
import { findClang } from '../../../src/node/find-clang.js';

const file = process.argv[2]!;
const tool = path.resolve(import.meta.dirname, '../../../../languages');
const shipped = path.join(tool, 'c');
const wasmRunner = path.join(shipped, 'run-wasm-clang.mjs');
const folder = path.dirname(file);
const { signal } = new AbortController();
const clang = await findClang({ folder, signal, tool, wasmRunner });
if (clang.kind !== 'native' && clang.kind !== 'wasm') throw new Error(clang.kind);
const compiled = await compileC(clang, [{ file }], { folder, shipped });
if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
const { model } = parseLlvmIr(compiled.modules, {});
if (!model) throw new Error('no model');
const answer = await decide(model, { kind: 'check' }, {});
if (answer.kind !== 'check') throw new Error(answer.kind);
process.stdout.write(answer.result!.verdict.kind);
