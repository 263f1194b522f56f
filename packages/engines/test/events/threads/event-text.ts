import { eventModel } from '@fencewright/model/program/model.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';

/** Returns the event program of a text without its `program` line. */
export function eventText(text: string): EventProgram {
  const cells = 'var x, y, z, w, a, go';
  const { model, diagnostics } = parseNative(`program Test\n${cells}\n${text}`);
  const program = eventModel(model)?.program;
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}
