import type { HappensBefore } from '@fencewright/model/trace/trace.js';

/** By notion of happens-before and verdict, the meaning of the verdict. */
export const verdictMeaning: Readonly<
  Record<HappensBefore, Readonly<Record<'robust' | 'not-robust', string>>>
> = {
  standard: {
    robust: 'TSO adds nothing to its sequentially consistent executions',
    'not-robust': 'TSO allows an execution that is not sequentially consistent',
  },
  value: {
    robust:
      'every TSO execution has a sequentially consistent one with the same reads and final memory',
    'not-robust': 'the values of an execution under TSO fit no sequential order',
  },
};

/** Returns ` under value happens-before`, to follow a verdict; empty for the standard notion. */
export function underHappensBefore(happensBefore: HappensBefore | undefined): string {
  return happensBefore === 'value' ? ' under value happens-before' : '';
}
