import { decide, type EventModel } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { certificateDigest } from '../src/canonical-json.js';
import type { EventDraft } from './event-forgeries.js';

export type EventProgram = EventModel['program'];

export function parseEvents(text: string): EventProgram {
  const { model, diagnostics } = parseNative(`program P\n${text}`);
  if (model?.kind !== 'events') throw new Error(JSON.stringify(diagnostics));
  return model.program;
}

/** Returns the certificate written by `fence`, if fences are found. */
export async function certifyEvents(
  program: EventProgram,
  against: 'concurrency' | 'tso' | 'both' = 'both',
  posting: 'plain' | 'fenced' = 'plain',
): Promise<EventDraft | undefined> {
  const model = { kind: 'events', program } as EventModel;
  const question = { kind: 'fence', certify: true, events: { against, posting } } as const;
  const answer = await decide(model, question, { maxStates: 20_000 });
  if (answer.kind !== 'event-fence') throw new Error(answer.kind);
  return answer.certificate && (JSON.parse(JSON.stringify(answer.certificate)) as EventDraft);
}

/** Returns the certificate after an in-place change, with a matching digest. */
export function changed(certificate: EventDraft, change: (draft: EventDraft) => void): EventDraft {
  const draft = structuredClone(certificate);
  change(draft);
  return { ...draft, digest: certificateDigest(draft) };
}
