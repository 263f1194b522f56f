import {
  type Body,
  type EventInstruction,
  isInvocation,
  isOfThreads,
} from '@fencewright/model/program/event-program.js';
import {
  findRecursion,
  inlineCalls,
  inlinedSize,
} from '@fencewright/model/program/inline-calls.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { LoweredBody, LoweredThread } from './lowered-thread.js';
import type { ProblemList } from './problem-list.js';
import { startOf } from './spans.js';

/** The maximum number of instructions of a thread after its procedures are inlined. */
const mostInstructions = 50_000;

/** Returns the events and procedures as parts of the program model. */
export function toBodies(bodies: readonly LoweredBody[]): readonly Body[] {
  return bodies.map(({ thread, role, parameters, span }) => ({
    ...thread,
    role,
    parameters,
    span,
  }));
}

/** The procedures of a program of threads, which are inlined at every call. */
export class Procedures {
  readonly #bodies: readonly Body[];
  readonly #isRecursive: boolean;

  /** Reports recursion. */
  constructor(bodies: readonly LoweredBody[], problems: ProblemList) {
    this.#bodies = toBodies(bodies);
    const cycles = findRecursion(this.#bodies);
    this.#isRecursive = cycles.length > 0;
    for (const cycle of cycles) {
      const names = cycle.map(({ caller }) => `'${this.#bodies[caller]!.name}'`);
      const [first = '', ...others] = names;
      const way = [...others, others.length > 0 ? first : 'itself'].join(', which calls ');
      problems.add(
        notSupported(
          cycle[0]!.transition.origin.span,
          `${first} calls ${way}: procedures of threads are inlined and cannot be recursive`,
          'write a loop; only programs of events have recursion',
        ),
      );
    }
  }

  /**
   * Returns the thread with every call replaced by the procedure's body; after errors some steps
   * may be missing.
   */
  inline(
    thread: Thread<EventInstruction>,
    span: Span,
    problems: ProblemList,
  ): Pick<LoweredThread, 'thread' | 'calling'> {
    if (!thread.transitions.some(({ instruction }) => isInvocation(instruction)))
      return { thread: withoutInvocations(thread) };
    if (this.#isRecursive) return { thread: withoutInvocations(thread) };
    if (inlinedSize(thread, this.#bodies) > mostInstructions) {
      problems.add(
        notSupported(
          startOf(span, 1),
          `the thread has more than ${mostInstructions} instructions after inlining its procedures`,
          'call the procedures less often: each call inlines a copy',
        ),
      );
      return { thread: withoutInvocations(thread) };
    }
    const { thread: inlined, ...origins } = inlineCalls(thread, this.#bodies);
    return { thread: inlined, calling: { ...origins, written: thread } };
  }
}

function withoutInvocations(thread: Thread<EventInstruction>): Thread {
  const transitions = thread.transitions.flatMap(({ instruction, ...rest }) =>
    isOfThreads(instruction) ? [{ ...rest, instruction }] : [],
  );
  return { ...thread, transitions };
}
