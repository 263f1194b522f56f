import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { calledAt, findTransition, threadName } from '../words/action-words.js';
import type { Block, MarkedSpan } from '../words/document.js';
import { accessedValue } from '../words/pointer-values.js';

/** The two actions of a witness that form the attack: `load` overtakes `store`. */
interface AttackActions {
  readonly store: Extract<Action, { kind: 'issue' }>;
  readonly load: Extract<Action, { kind: 'load' }>;
}

/**
 * Returns the issue of the attack's store, and the load executed while the store is buffered; of
 * several such pairs, the last. `undefined` if there is none.
 */
export function attackActions(
  { attack: shown, computation }: Witness,
  attack = shown,
): AttackActions | undefined {
  const buffer: (AttackActions['store'] | undefined)[] = [];
  let found: AttackActions | undefined;
  for (const action of computation) {
    if (action.thread !== attack.thread) continue;
    if (action.kind === 'issue') buffer.push(action);
    else if (action.kind === 'store') buffer.shift();
    else if (action.kind === 'load' && action.transition === attack.load && !action.early) {
      const store = buffer.find((issue) => issue?.transition === attack.store);
      if (store) found = { store, load: action };
    }
  }
  return found;
}

function delayInWords(program: Program, witness: Witness, attack: Attack): string {
  const thread = threadName(program, attack.thread);
  const actions = attackActions(witness, attack);
  if (!actions) return `${thread} delays a store past a load`;
  const store = formatAddress(program, actions.store.address);
  const load = formatAddress(program, actions.load.address);
  return `${thread} delays its store of ${store} past its load of ${load}`;
}

/**
 * Returns the attack as a sentence: `t1 delays its store of x past its load of y.` If several
 * threads delay stores, the sentence names all delaying threads.
 */
export function attackSentence(program: Program, witness: Witness): string {
  const { attack, others = [] } = witness;
  const delays = [attack, ...others].map((one) => delayInWords(program, witness, one));
  if (delays.length === 1) return `${delays[0]}.`;
  return `${delays.join(', and ')}. No single thread's delay does this: a heavy fence reaches the threads one by one.`;
}

/**
 * Returns the source lines of an attack's store and load, with remarks on the delay; empty if the
 * program has no text.
 */
export function attackExcerpt(program: Program, source: string, witness: Witness): Block {
  const { attack } = witness;
  const thread = threadName(program, attack.thread);
  const actions = attackActions(witness);
  const what = actions && formatAddress(program, actions.store.address);
  const storeRemark =
    `this store${actions ? `, ${what} = ${accessedValue(program, actions.store)},` : ''}` +
    ` waits in ${thread}'s store buffer`;
  const loadRemark = actions
    ? `meanwhile this load reads ${formatAddress(program, actions.load.address)} from memory: ${accessedValue(program, actions.load)}`
    : 'meanwhile this load reads memory';
  const marks: MarkedSpan[] = [];
  const add = (transition: number, remark: string, tone: MarkedSpan['tone']): void => {
    const span = findTransition(program, attack.thread, transition)?.transition.origin.span;
    const called = calledAt(program, attack.thread, transition);
    if (span) marks.push({ span, remark: remark + called, tone });
  };
  add(attack.store, storeRemark, 'doubtful');
  add(attack.load, loadRemark, 'bad');
  return { kind: 'excerpt', source, marks };
}
