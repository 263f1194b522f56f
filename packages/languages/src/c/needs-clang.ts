import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';

/** The answer if no compiler can be started. */
export function needsClang(): ParseResult {
  const hint = "give the LLVM IR that 'clang -O0 -S -emit-llvm' makes of it";
  return {
    diagnostics: [notSupported(undefined, 'C needs clang, which cannot be run here', hint)],
  };
}
