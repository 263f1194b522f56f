import type { ThreadFlowLocation } from 'sarif';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import { threadName } from '../words/action-words.js';
import { accessedValue } from '../words/pointer-values.js';

type Issue = Extract<Action, { kind: 'issue' }>;
type FlowState = NonNullable<ThreadFlowLocation['state']>;

/**
 * Returns the contents of the store buffers after each step of a computation, oldest store first.
 * Only threads that buffer at least one store are included. Source: SARIF 2.1.0, Sect. 3.38.9.
 */
export function bufferStates(program: Program, computation: Computation): readonly FlowState[] {
  const buffers = new Map<ThreadId, readonly Issue[]>();
  for (const { kind, thread } of computation) if (kind === 'issue') buffers.set(thread, []);
  return computation.map((action): FlowState => {
    const waiting = buffers.get(action.thread) ?? [];
    if (action.kind === 'issue') buffers.set(action.thread, [...waiting, action]);
    if (action.kind === 'store') buffers.set(action.thread, waiting.slice(1));
    const texts = [...buffers].map(([thread, stores]) => {
      const text = stores
        .map((one) => `${formatAddress(program, one.address)} = ${accessedValue(program, one)}`)
        .join(', ');
      const key = `store buffer of ${threadName(program, thread)}`;
      return [key, { text: text === '' ? 'empty' : text }] as const;
    });
    return Object.fromEntries(texts);
  });
}
