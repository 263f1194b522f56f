import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';

/** Returns the result of parsing if no compiler can be started: an error. */
export function needsClang(): ParseResult {
  const hint = "give the LLVM IR that 'clang -O0 -S -emit-llvm' writes for the file";
  return {
    diagnostics: [notSupported(undefined, 'C needs clang, which cannot be run here', hint)],
  };
}
