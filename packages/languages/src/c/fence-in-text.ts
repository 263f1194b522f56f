import type { TextRange } from '@fencewright/ground/source/tokens.js';
import { callAt, type ScannedC, tokenAt } from './find-call.js';

const fences = new Set([
  ...['atomic_thread_fence', '__atomic_thread_fence', '__c11_atomic_thread_fence'],
  ...['__sync_synchronize', 'smp_mb', 'mb'],
]);

/**
 * The names of functions and macros of the text that are fences, in addition to the fences of
 * libraries.
 */
type Names = ReadonlySet<string>;

/**
 * Returns the range of the call or assembly at an offset that does nothing but fence; `undefined`
 * if there is none. `own` are the names of further fences.
 */
export function fenceAt(c: ScannedC, offset: number, own: Names): TextRange | undefined {
  const call = callAt(c, offset);
  const isOwn = call && own.has(call.name) && !call.isMember && call.operands.length === 0;
  if (call && (fences.has(call.name) || isOwn)) return call.range;
  const { text, tokens, partner } = c;
  let at = tokenAt(c, offset);
  if (!/^(?:asm|__asm|__asm__)$/.test(tokens[at]?.text ?? '')) return undefined;
  while (tokens[at]?.kind === 'word') at += 1;
  const close = partner.get(at);
  if (close === undefined) return undefined;
  const range = { start: offset, end: tokens[close]!.end };
  const body = text.slice(tokens[at]!.start, range.end).replaceAll(/\s/g, '');
  return /^\("(?:mfence)[;\\nt]*"(?:::(?::"memory"(?:,"cc")?)?)?\)$/.test(body) ? range : undefined;
}
