import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type {
  WhyNotCompared,
  WhyProperty,
  WhyUnproved,
} from '@fencewright/model/verdict/prove-result.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/** Returns the reason for a missing proof, in words to follow a colon. */
export function whyUnproved({ templates }: Templates, why: WhyUnproved): string {
  switch (why.kind) {
    case 'cancelled':
      return 'the run was interrupted';
    case 'time':
      return 'the time ran out';
    case 'work':
      return 'the limit on work was reached';
    case 'abstractions':
      return 'a havoc excludes a value that the replaced load could read';
    case 'premises':
      return 'the solver does not say whether the premises of the proof can be satisfied';
    case 'stores':
      return `${countOf(why.open, 'store')} ${why.open === 1 ? 'has' : 'have'} no argument`;
    case 'computed-addresses':
      return 'addresses are computed, and arrays without bounds have no addresses';
    case 'wide-values':
      return 'the program has numbers of 64 bits, which proofs have no arithmetic for';
    case 'heavy-fences':
      return 'the program has heavy fences, which proofs do not know';
    case 'model-limit':
      return 'an execution may go on beyond the model, for example in an empty pool';
    case 'ambiguous-lock':
    case 'many-paths':
    case 'loop-in-block':
      return `'${at(templates.threads, why.thread).name}' ${threadProblems[why.kind]}`;
    default:
      return unreachable(why);
  }
}

const threadProblems = {
  'ambiguous-lock': 'reaches a location both with the bus lock and without',
  'many-paths': 'has too many paths between accesses',
  'loop-in-block': 'has a loop inside a lock block',
} as const;

/** Returns the facts known about a property, to follow the verdict. */
export function whyProperty(verdict: 'holds' | 'unknown', why: WhyProperty): string {
  switch (why.kind) {
    case 'under-sc': {
      const has = `the ${why.of} has it under SC`;
      return verdict === 'holds'
        ? `${has}, and so has every state that TSO reaches with empty store buffers while nobody has the bus lock`
        : `${has}, but TSO may reach more states`;
    }
    case 'not-inductive':
      return 'the invariant is not inductive with the other invariants';
    case 'no-such-name':
      return 'the program has no invariant and no property of this name';
    case 'claims-existence':
      return "a proof is about all states: ask 'reach' whether such a state exists";
    case 'about-executions':
      return "a proof is about all states: ask 'reach' whether threads can always go on";
    case 'ends-of-copies':
      return 'for any number of copies, a proof cannot express that all copies have ended: give numbers of copies, or write an invariant about the threads that have passed a label';
    case 'not-about-memory':
      return "the property is about a memory cell without a name, or about store buffers, which are empty in all states that a proof covers: ask 'reach'";
    default:
      return unreachable(why);
  }
}

/** Returns why states were not compared, to follow a colon. */
export function whyNotCompared(why: WhyNotCompared): string {
  switch (why.kind) {
    case 'many-states':
      return `more than ${countOf(why.maxStates, 'state')}, or the search was interrupted`;
    case 'faults':
      return `executions of the ${why.of} end in faults`;
    case 'condition':
      return 'a condition of the abstraction cannot be evaluated';
    case 'endless-values':
      return 'a condition allows infinitely many values; the values tried reach no more states';
    default:
      return unreachable(why);
  }
}
