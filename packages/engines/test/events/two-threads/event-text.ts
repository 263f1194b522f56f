import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { eventModel } from '@fencewright/model/program/model.js';

/** Returns the event program of a text, which includes the `program` line. */
export function wholeText(text: string): EventProgram {
  const { model, diagnostics } = parseNative(text);
  const program = eventModel(model)?.program;
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

/** Returns the event program of a text without its `program` line. */
export function eventText(text: string): EventProgram {
  return wholeText(`program Two\nvar seen, seen2, mark, data, asked, done\n${text}`);
}
