import type { Result } from '@fencewright/core';
import { type FileOptions, type FileVerb, type Verb, verb } from './verb.js';

/**
 * Declares a verb that asks a question about each file. The code of the verb is loaded on demand.
 */
export function fileVerb<O extends FileOptions, K extends Result['kind']>(
  declaration: FileVerb<O, K>,
): Verb {
  const alone = verb(declaration, async (values, files) =>
    (await import('./run-files.js')).runFiles(declaration, files, values),
  );
  // Callers of `ofFiles` pass only values of the verb's own options.
  return { ...alone, ofFiles: declaration as unknown as FileVerb };
}
