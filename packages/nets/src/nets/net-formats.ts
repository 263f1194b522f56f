import type { FileFormat } from '@fencewright/ground/source/file-format.js';
import type { NetResult, NoteBytes } from './formats/read-mist.js';
import type { TtsQuestion } from './formats/read-tts.js';

/** A format that nets are read from. Its reader is loaded when it is asked for. */
export interface NetFormat extends FileFormat {
  /** Its texts need not say what is to be covered. */
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

/** The word for a format that nets are read from. */
export type NetInputFormat = (typeof registry)[number]['id'];

/** Every format that nets are read from. */
export const netFormats: readonly (NetFormat & { readonly id: NetInputFormat })[] = registry;
