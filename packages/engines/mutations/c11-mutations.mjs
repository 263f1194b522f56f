// Edits that break the check against C11: the rules of the monitor, its normal form, the search for
// load buffering, data races; see tools/mutation-check.mjs. Each would make an answer wrong.

const access = 'packages/engines/src/c11/monitor-access.ts';
const steps = 'packages/engines/src/c11/monitor-steps.ts';
const form = 'packages/engines/src/c11/normal-form.ts';
const futures = 'packages/engines/src/c11/futures.ts';
const races = 'packages/engines/src/c11/monitor-races.ts';
const postponed = 'packages/engines/src/c11/postponed-load.ts';
const unknown = 'packages/engines/src/c11/settle-unknown.ts';
const waits = 'packages/engines/src/c11/c11-steps.ts';
const classes = 'packages/engines/src/c11/value-classes.ts';
const consistency = 'packages/model/src/c11/consistency.ts';
const agreement = ['packages/engines/test/c11/agreement.test.ts'];
const directed = ['packages/engines/test/c11/check-c11.test.ts'];
const both = [...directed, ...agreement];

export const c11Mutations = [
  {
    name: 'C11: a load tells nothing of the last store',
    file: access,
    from: 'state[knows + thread]! |= state[storeKnows + cell]! | bit;',
    to: 'state[knows + thread]! |= bit;',
    tests: both,
  },
  {
    name: 'C11: a store knows nothing of the readers before',
    file: access,
    from: 'state[knows + thread]! | state[storeKnows + cell]! | state[readersKnow + cell]! | bit;',
    to: 'state[knows + thread]! | state[storeKnows + cell]! | bit;',
    tests: both,
  },
  {
    name: 'C11: a relaxed load acquires',
    file: access,
    from: 'if (isAcquiring(order)) meet(state, layout, current[part]!, message[part]!);',
    to: 'meet(state, layout, current[part]!, message[part]!);',
    tests: both,
  },
  {
    name: 'C11: nothing waits for a fence that acquires',
    file: access,
    from: 'meet(state, layout, acquired[part]!, message[part]!);',
    to: '',
    tests: both,
  },
  {
    name: 'C11: a relaxed store releases',
    file: access,
    from: 'isAtomic && isReleasing(order) ? current',
    to: 'isAtomic ? current',
    tests: both,
  },
  {
    name: 'C11: a release fence releases nothing',
    file: access,
    from: 'state.copyWithin(released[part]!, current[part]!, current[part]! + view);',
    to: '',
    tests: both,
  },
  {
    name: 'C11: an acquire fence acquires nothing',
    file: access,
    from: 'parts.forEach((_, part) => meet(state, layout, current[part]!, acquired[part]!));',
    to: '',
    tests: both,
  },
  {
    name: 'C11: a read-modify-write ends a release sequence',
    file: access,
    from: 'if (more) for',
    to: 'if (more && cells < 0) for',
    tests: both,
  },
  {
    name: 'C11: an update may be put behind a store that an update has read',
    file: access,
    from: "if (kind === 'write') state[view + cells + cell]! |= old;",
    to: 'state[view + cells + cell]! |= old;',
    tests: both,
  },
  {
    name: 'C11: seq_cst accesses are not ordered behind stores',
    file: access,
    from: 'meetInto(own, state, behindStores[cell]!);',
    to: '',
    tests: both,
  },
  {
    name: 'C11: seq_cst stores are not ordered behind loads',
    file: access,
    from: 'if (isWrite) meetInto(own, state, behindReads[cell]!);',
    to: '',
    tests: both,
  },
  {
    name: 'C11: seq_cst accesses put nothing behind their store',
    file: access,
    from: 'if (own) for (let i = 0; i < own.length; i++) state[behind + i]! &= own[i]!;',
    to: '',
    tests: both,
  },
  {
    name: 'C11: seq_cst accesses are not ordered in their thread',
    file: access,
    from: 'meetInto(own, state, current[accessPart]!);',
    to: '',
    tests: both,
  },
  {
    name: 'C11: seq_cst accesses order nothing for the seq_cst accesses behind them',
    file: access,
    from: 'set &= state[current[accessPart]! + place]!;',
    to: 'set &= -1;',
    tests: both,
  },
  {
    name: 'C11: seq_cst fences order nothing',
    file: access,
    from: 'if (fencePart >= 0) set &= state[current[fencePart]! + place]!;',
    to: '',
    tests: both,
  },
  {
    name: 'C11: seq_cst fences put nothing behind the stores that follow',
    file: access,
    from: 'if (fencePart >= 0) meet(state, layout, behind, current[fencePart]!);',
    to: '',
    tests: both,
  },
  {
    name: 'C11: stores before a seq_cst fence are not ordered behind it',
    file: access,
    from: 'meet(state, layout, views[ecoPart]!, behindStores[cell]!);',
    to: '',
    tests: both,
  },
  {
    name: 'C11: stores are always put last',
    file: steps,
    from: "else if (step.kind === 'store') take('write', order);",
    to: "else if (step.kind === 'store') take('write', order, () => false);",
    tests: both,
  },
  {
    name: 'C11: a cas that fails never takes an old store',
    file: steps,
    from: "take('read', failureOrder, may('read'));",
    to: '',
    tests: both,
  },
  {
    name: 'C11: a wait takes any old store',
    file: steps,
    from: "if (step.kind === 'load') take('read', order, may('read'));",
    to: "if (step.kind === 'load') take('read', order);",
    tests: both,
  },
  {
    name: 'C11: a wait takes no old store',
    file: steps,
    from: "if (step.kind === 'load') take('read', order, may('read'));",
    to: "if (step.kind === 'load' && !step.exits) take('read', order);",
    tests: both,
  },
  {
    name: 'C11: loops that wait are not recognised',
    file: waits,
    from: "if (kind === 'load') return { ...step, exits };",
    to: "if (kind === 'load') return step;",
    tests: directed,
  },
  {
    name: 'C11: a loop around a cas waits, however it ends',
    file: waits,
    from: 'return isWait ? { ...step, exits } : step;',
    to: 'return { ...step, exits };',
    tests: directed,
  },
  {
    name: 'C11: values that a wait tells apart share a class',
    file: classes,
    from: 'if (!exits) return undefined;',
    to: 'return undefined;',
    tests: both,
  },
  {
    name: 'C11: threads forget what a fence could acquire',
    file: futures,
    from: 'acquiresByFence: isAcquiring(step.order),',
    to: 'acquiresByFence: false,',
    tests: both,
  },
  {
    name: 'C11: threads that store no more hand nothing on by seq_cst fences',
    file: form,
    from: 'for (const views of [current, layout.acquired[thread]!])\n      for (let cell',
    to: 'for (const part of layout.parts.keys()) for (const views of [[current[part]!]])\n      for (let cell',
    tests: both,
  },
  {
    name: 'C11 load buffering: nothing is postponed',
    file: postponed,
    from: 'if (mayPostpone && !isStore && !stops && !acquires && this.#isContested(cell))',
    to: 'if (cell < 0)',
    tests: both,
  },
  {
    name: 'C11 load buffering: loads that acquire are postponed',
    file: postponed,
    from: '!stops && !acquires && this',
    to: '!stops && this',
    tests: both,
  },
  {
    name: 'C11 load buffering: stores that release do not wait for the load',
    file: postponed,
    from: "(step.kind !== 'load' && releases);",
    to: "(step.kind === 'fence' && releases);",
    tests: both,
  },
  {
    name: 'C11 load buffering: stores that depend on the load do not wait for it',
    file: postponed,
    from: 'dependsOnUnknown(step, place.unknown) ||',
    to: '',
    tests: both,
  },
  {
    name: 'C11 load buffering: a thread stops before the store in front of a condition on the load',
    file: postponed,
    from: 'for (const place of places.length > 0 ? places : [undefined])',
    to: 'for (const place of places)',
    tests: directed,
  },
  {
    name: 'C11 load buffering: conditions on the load do not wait for it',
    file: unknown,
    from: 'if (!isUnknown && value(registers, 0) !== 0)',
    to: 'if (value(registers, 0) !== 0)',
    tests: directed,
  },
  {
    name: 'C11 races: a release fence hands nothing on',
    file: races,
    from: 'if (releases) state.copyWithin(races.released[thread]!, current, current + races.length);',
    to: '',
    tests: both,
  },
  {
    name: 'C11 races: an update does not count what it acquires itself',
    file: races,
    from: 'if (isAcquiring(order)) meet(state, length, races.current[thread]!, message);',
    to: '',
    tests: agreement,
  },
  {
    name: 'C11 races: a wait that goes on reads nothing',
    file: steps,
    from: 'if (other !== undefined) onRace({ event, other });',
    to: '',
    tests: directed,
  },
  {
    name: 'C11 races: loads race with loads',
    file: races,
    from: "(kind === 'read' ? 0 : bitOf(layout, 'load', other))",
    to: "bitOf(layout, 'load', other)",
    tests: agreement,
  },
  {
    name: 'C11: later stores of the same thread continue a release sequence',
    file: consistency,
    from: "rf\n      .then(on(({ kind }) => kind === 'update'))",
    to: "rf.union(po)\n      .then(on(({ kind }) => kind === 'update' || kind === 'write'))",
    tests: directed,
  },
  {
    name: 'C11 sections: a section stores nothing',
    file: 'packages/engines/src/c11/atomic-block.ts',
    from: 'found.push({ registers, to, ...(written !== undefined && { written }) });',
    to: 'found.push({ registers, to });',
    tests: ['packages/engines/test/c11/sections.test.ts'],
  },
  {
    name: 'C11 sections: a section that fails has the order of its success',
    file: steps,
    from: "effect.kind === 'read' && step.kind === 'rmw' ? failing : order",
    to: 'order',
    tests: ['packages/engines/test/c11/sections.test.ts', ...directed],
  },
];
