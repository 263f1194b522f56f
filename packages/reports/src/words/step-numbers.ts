import { at } from '@fencewright/ground/base/at.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import { toldSteps } from './told-steps.js';

/**
 * Returns, by index of an action of a computation, the number of the action's step among the steps
 * told by reports, from 1 without gaps. An untold action has the number of the thread's next told
 * step or, without a next step, of the last one.
 */
export function stepNumbers(program: Program, computation: Computation): readonly number[] {
  const told = toldSteps(program, computation);
  const numbers = new Map(told.map(({ index }, i) => [index, i + 1]));
  const next = new Map<number, number>();
  const ahead = computation.map((): number | undefined => undefined);
  for (let i = computation.length - 1; i >= 0; i--) {
    const { thread } = at(computation, i);
    const own = numbers.get(i);
    if (own !== undefined) next.set(thread, own);
    ahead[i] = next.get(thread);
  }
  const last = new Map<number, number>();
  return computation.map(({ thread }, i) => {
    const number = ahead[i] ?? last.get(thread) ?? Math.max(1, told.length);
    last.set(thread, number);
    return number;
  });
}
