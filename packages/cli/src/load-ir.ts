import type { Limits } from '@fencewright/core';
import { parseLlvmIr } from '@fencewright/core/c';
import type { LoadedC } from './clang-messages.js';
import { lowering, loadC } from './load-c.js';
import type { CReadWishes } from './run-settings.js';

/** Whether a message says that no clang can be used. */
const isWithoutClang = ({ code }: { readonly code: string }): boolean => code === 'FW5003';

/**
 * Reads a program in LLVM IR. The models of library functions are written in C: a clang compiles
 * them if the program cannot be read without them, or if other files are linked.
 */
export async function loadIr(
  file: string,
  text: string,
  wishes: CReadWishes,
  limits: Pick<Limits, 'timeout' | 'maxMemory' | 'signal'>,
): Promise<LoadedC> {
  const alone = wishes.link ? undefined : parseLlvmIr([{ file: '', text }], lowering(wishes));
  if (alone?.model) return { kind: 'read', ...alone };
  const loaded = await loadC(file, text, { ...wishes, isIr: true }, limits);
  const isRefused = loaded.kind === 'read' && loaded.diagnostics.some(isWithoutClang);
  return isRefused && alone
    ? { kind: 'read', diagnostics: [...alone.diagnostics, ...loaded.diagnostics] }
    : loaded;
}
