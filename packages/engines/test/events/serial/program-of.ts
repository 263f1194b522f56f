import { expect } from 'vitest';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { eventModel } from '@fencewright/model/program/model.js';

/** Returns the event program of a text in the native language. */
export function programOf(text: string): EventProgram {
  const { model, diagnostics } = parseNative(`program p\n${text}`);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors).toEqual([]);
  return eventModel(model)!.program;
}
