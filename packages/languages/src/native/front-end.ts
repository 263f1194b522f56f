import type { FrontEnd } from '@fencewright/model/program/front-end.js';
import type { ThreadModel } from '@fencewright/model/program/model.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { Program } from '@fencewright/model/program/program.js';

async function print(about: Program | ThreadModel): Promise<PrintResult> {
  const { printNative } = await import('./print-native.js');
  return { text: printNative(about), diagnostics: [] };
}

/** The tool's own language. */
export const native = {
  id: 'native',
  extensions: ['.fw'],
  title: 'the native language',
  hasCopies: true,
  keepsOrders: true,
  parse: async (text, copies) => (await import('./parse-native.js')).parseNative(text, copies),
  print,
  printModel: print,
  printEvents: async (program) => (await import('./print-events.js')).printEvents(program),
  editEvents: async (text, copies) => (await import('./edit-native.js')).editNative(text, copies),
  edit: async (text, program, copies) =>
    (await import('./edit-native.js')).editNative(text, copies, program),
} as const satisfies FrontEnd;
