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
  const assembly = assemblyAt(c, offset);
  if (!assembly) return undefined;
  const { range, open } = assembly;
  const body = c.text.slice(open, range.end).replaceAll(/\s/g, '');
  return /^\("(?:mfence)[;\\nt]*"(?:::(?::"memory"(?:,"cc")?)?)?\)$/.test(body) ? range : undefined;
}

/**
 * Returns the assembly that starts at an offset, and the offset of its parenthesis; `undefined` if
 * there is none.
 */
export function assemblyAt(
  c: ScannedC,
  offset: number,
): { readonly range: TextRange; readonly open: number } | undefined {
  const { tokens, partner } = c;
  let at = tokenAt(c, offset);
  if (!/^(?:asm|__asm|__asm__)$/.test(tokens[at]?.text ?? '')) return undefined;
  while (tokens[at]?.kind === 'word') at += 1;
  const close = partner.get(at);
  if (close === undefined) return undefined;
  return { range: { start: offset, end: tokens[close]!.end }, open: tokens[at]!.start };
}
