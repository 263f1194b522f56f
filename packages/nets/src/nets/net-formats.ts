import type { FileFormat } from '@fencewright/ground/source/file-format.js';
import type { NetResult, NoteBytes } from './formats/read-mist.js';
import type { TtsQuestion } from './formats/read-tts.js';

/** A format for reading nets. Its reader is loaded on demand. */
export interface NetFormat extends FileFormat {
  /** Present if texts in the format may lack a target, which the question then supplies. */
  readonly takesQuestion?: true;
  readonly read: (text: string, question: TtsQuestion, note?: NoteBytes) => Promise<NetResult>;
}

const registry = [
  {
    id: 'mist',
    extensions: ['.spec'],
    read: async (text, _, note) => (await import('./formats/read-mist.js')).readMist(text, note),
  },
  {
    id: 'tts',
    extensions: ['.tts'],
    takesQuestion: true,
    read: async (text, question, note) =>
      (await import('./formats/read-tts.js')).readTts(text, question, note),
  },
] as const satisfies readonly NetFormat[];

/** The id of a format for reading nets. */
export type NetInputFormat = (typeof registry)[number]['id'];

/** All formats for reading nets. */
export const netFormats: readonly (NetFormat & { readonly id: NetInputFormat })[] = registry;
