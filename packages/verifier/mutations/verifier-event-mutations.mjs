// Edits that make the verifier accept certificates about programs of events too easily; see
// tools/mutation-check.mjs.

const inEvents = (name) => `packages/verifier/src/events/${name}.ts`;
const kind = 'packages/verifier/src/kinds/event-fences.ts';

const machine = [
  {
    name: 'verifier of events: nobody waits at a chosen fence',
    file: inEvents('machine'),
    from: 'if (this.#fenced[body]!.has(location) && !this.isDrained(configuration, thread))',
    to: 'if (false)',
  },
  {
    name: 'verifier of events: fenced posting does not wait',
    file: inEvents('machine'),
    from: 'if (this.rules.postingFenced && !this.isDrained(configuration, thread)) return [];',
    to: '',
  },
  {
    name: 'verifier of events: a load sees the oldest store in the buffer',
    file: inEvents('machine'),
    from: 'buffer.findLastIndex(',
    to: 'buffer.findIndex(',
  },
  {
    name: 'verifier of events: an rmw passes stores that wait',
    file: inEvents('machine'),
    from: "if (instruction.kind === 'rmw' && buffer.length > 0) return [];",
    to: '',
  },
  {
    name: 'verifier of events: others act while somebody holds the lock',
    file: inEvents('machine'),
    from: 'return holder === undefined || holder === thread;',
    to: 'return true;',
  },
  {
    name: 'verifier of events: a task begins while another runs on its thread',
    file: inEvents('machine'),
    from: 'if (holder !== undefined || running.has(task.thread)) return undefined;',
    to: 'if (holder !== undefined) return undefined;',
  },
  {
    name: 'verifier of events: there are more instances than the program says',
    file: inEvents('machine'),
    from: 'before >= count',
    to: 'before > count',
  },
];

const watch = [
  {
    name: 'verifier of events: siblings run in the other order',
    file: inEvents('watch'),
    from: 'return a[level]! < b[level]!;',
    to: 'return a[level]! > b[level]!;',
  },
  {
    name: 'verifier of events: a load before a store does not conflict with the store',
    file: inEvents('watch'),
    from: '...(writes ? readers.values() : [])',
    to: '',
  },
  {
    name: 'verifier of events: a store comes before no load',
    file: inEvents('watch'),
    from: 'if (reads) this.#edge(stored.get(address), node);',
    to: '',
  },
  {
    name: 'verifier of events: who read from a buffer is forgotten',
    file: inEvents('watch'),
    from: 'for (const reader of readers)',
    to: 'for (const reader of readers.slice(readers.length))',
  },
  {
    name: 'verifier of events: the order of events is not closed',
    file: inEvents('watch'),
    from: 'const behind = [second, ...(order.get(second) ?? [])];',
    to: 'const behind = [second];',
  },
  {
    name: 'verifier of events: in the search, conflicts against DFS order are fine',
    file: inEvents('watch'),
    from: "if (!isBeforeInTree(other.path, task.path)) return 'violation';",
    to: '',
  },
  {
    name: 'verifier of events: loads come before no store',
    file: inEvents('watch'),
    from: 'for (const load of loaded.get(cell)?.values() ?? []) this.#edge(load, node);',
    to: '',
  },
  {
    name: 'verifier of events: loads from a buffer come before no store',
    file: inEvents('watch'),
    from: 'if (reader !== undefined) this.#loaded(effect.address, thread, reader);',
    to: '',
  },
  {
    name: 'verifier of events: the order of tasks on main is forgotten',
    file: inEvents('watch'),
    from: 'if (thread !== task.name) break;',
    to: '',
  },
  {
    name: 'verifier of events: in the search, a posting comes before nothing',
    file: inEvents('watch'),
    from: 'this.#edge(posting.get(task.name), node);',
    to: '',
  },
];

const blocks = [
  {
    name: 'verifier of events: in the search, each access of a lock block stands alone',
    file: inEvents('watch'),
    from: "const node = typeof block === 'number' ? block :",
    to: 'const node =',
  },
];

const search = [
  {
    name: 'verifier of events: all wait for a task that goes on for ever',
    file: inEvents('robust'),
    from: 'if (to <= location) return false;',
    to: '',
  },
  {
    name: 'verifier of events: where it was too much to look at, it is robust',
    file: inEvents('robust'),
    from: "if (typeof found === 'object') return { kind: 'unknown', reason: found.exhausted };",
    to: '',
  },
  {
    name: 'verifier of events: what becomes too large is robust',
    file: inEvents('robust'),
    from: 'if (isTooLarge)\n    return {',
    to: "if (isTooLarge) return { kind: 'robust', faults: false };\n  if (isTooLarge)\n    return {",
  },
  {
    name: 'verifier of events: a load is noticed by nobody',
    file: inEvents('robust'),
    from: 'new Set([...localKinds,',
    to: "new Set([...localKinds, 'load',",
  },
];

const claims = [
  {
    name: 'verifier of events: runs may leave stores in a buffer',
    file: kind,
    from: 'if (end.buffers.size > 0)',
    to: 'if (false)',
  },
  {
    name: 'verifier of events: runs need not violate anything',
    file: kind,
    from: '!violatesCriterion(',
    to: 'false && !violatesCriterion(',
  },
  {
    name: 'verifier of events: fences outside a clause may stop its run',
    file: kind,
    from: 'if (!survivesAt(moments, outside.flat()))',
    to: 'if (!survivesAt(moments, []) && outside)',
  },
  {
    name: 'verifier of events: fences that are not enough are',
    file: kind,
    from: "case 'not-robust':\n      return wrongly(`the program with the chosen fences is not ${inWords[against]}`);",
    to: "case 'not-robust':\n      return { proved: [says] };",
  },
  {
    name: 'verifier of events: two instances stand for any number',
    file: kind,
    from: 'return anyNumber\n',
    to: 'return anyNumber && says === inWords[against]\n',
  },
  {
    name: 'verifier of events: executions may end in faults',
    file: kind,
    from: "if (found.faults) return open('executions end in faults');",
    to: '',
  },
  {
    name: 'verifier of events: nobody can wait at the end of an invocation',
    file: inEvents('places'),
    from: "effect.kind === 'start' ||",
    to: "effect.kind === 'return' || effect.kind === 'start' ||",
  },
  {
    name: 'verifier of events: what a called procedure passes counts for its caller',
    file: inEvents('places'),
    from: 'fenced.has(placeName(topOf(running)))',
    to: 'fenced.has(placeName(running.frames[0]!))',
  },
  {
    name: 'verifier of events: what main left behind before a task began does not count',
    file: inEvents('places'),
    from: '(before.buffers.get(task.thread) ?? []).length === 0',
    to: '(before.buffers.get(task.thread) ?? []).every((store) => store.task !== task)',
  },
  {
    name: 'verifier of events: fences may stand where the text forbids them',
    file: inEvents('places'),
    from: 'forbidden.has(location) ? []',
    to: 'forbidden.has(-1) ? []',
  },
  {
    name: 'verifier of events: a run need not name the kind of its actions',
    file: inEvents('replay'),
    from: 'kindOf(instruction, machine.rules.sc) !== kind',
    to: 'false',
  },
  {
    name: 'verifier of events: an event can be called',
    file: inEvents('read-program'),
    from: 'if (bodies[body]!.role !== role)',
    to: 'if (false)',
  },
];

export const verifierEventMutations = [...machine, ...watch, ...blocks, ...search, ...claims].map(
  (one) => ({
    ...one,
    project: 'verifier',
    tests: ['event-fences.test.ts', 'event-machine.test.ts', 'forged-event-fences.test.ts'],
  }),
);
