// Edits that break the search for attacks on event programs, and the translation of tasks to
// threads; see tools/mutation-check.mjs. Each edit makes a verdict wrong or a witness invalid.

const instruction = 'packages/model/src/program/instruction.ts';
const machine = 'packages/model/src/semantics/machine.ts';
const effect = 'packages/engines/src/automata/access-effect.ts';
const attacker = 'packages/engines/src/automata/attacker-automaton.ts';
const product = 'packages/ground/src/product/product-search.ts';
const lastPhase = 'packages/engines/src/search/last-phase.ts';
const starts = 'packages/engines/src/search/open-starts.ts';
const lower = 'packages/engines/src/events/threads/lower.ts';
const body = 'packages/engines/src/events/threads/write-body.ts';
const lift = 'packages/engines/src/events/threads/lift-run.ts';
const verdict = 'packages/engines/src/events/threads/check-event-tso.ts';

const tests = ['packages/engines/test/events/threads/pitfalls.test.ts'];

export const eventTsoMutations = [
  {
    name: 'events: posting empties the buffer',
    file: instruction,
    from: 'return drains(instruction) && !isHandOver(instruction);',
    to: 'return drains(instruction);',
    tests,
  },
  {
    name: 'events: posting waits for the empty buffer in the machine',
    file: machine,
    from: 'if (handOver === undefined && at(state.buffers, thread).length > 0) return [];',
    to: 'if (at(state.buffers, thread).length > 0) return [];',
    tests,
  },
  {
    name: 'events: an attack ends with a load only',
    file: instruction,
    from: "instruction.kind === 'load' || (instruction.kind === 'rmw' && instruction.handOver === 'post')",
    to: "instruction.kind === 'load'",
    tests,
  },
  {
    name: 'events: an attack may end with the begin of a task',
    file: instruction,
    from: "instruction.kind === 'rmw' && instruction.handOver === 'post'",
    to: 'isHandOver(instruction)',
    tests,
  },
  {
    name: 'events: a posted task does not begin behind its posting',
    file: attacker,
    from: 'mark: this.#levels.after(mark.none, access, true),',
    to: 'mark: mark.none,',
    tests,
  },
  {
    name: 'events: the posting that ends an attack posts nothing',
    file: lastPhase,
    from: 'const held = c === from.loadCell ? from.loadHeld : source.value(state, c);',
    to: 'const held = source.value(state, c);',
    tests,
  },
  {
    name: "events: the attacker's first posting posts nothing",
    file: product,
    from: 'cell === change?.cell ? change.value : source.value(state, cell),',
    to: 'source.value(state, cell),',
    tests,
  },
  {
    name: "events: the attacker's postings post nothing",
    file: attacker,
    from: 'return written === undefined || cell === undefined ? value : this.#cells.id(cell, written);',
    to: 'return value;',
    tests,
  },
  {
    name: 'events: the attacker goes to no mailbox',
    file: attacker,
    from: 'return isHandOver(instruction) ? undefined : [];',
    to: 'return [];',
    tests,
  },
  {
    name: 'events: a first access to a mailbox may end any attack',
    file: starts,
    from: 'isEnd && this.#open.isOpen(store, load) ?',
    to: 'this.#open.isOpen(store, load) ?',
    tests,
  },
  {
    name: 'events: threads are awake before their task is posted',
    file: effect,
    from: 'if (written === undefined) return undefined;',
    to: '',
    tests,
  },
  {
    name: "events: main's buffer is empty between its tasks",
    file: lower,
    from: "writer.write(end, to, { kind: 'skip' }, { kind: 'return', task });",
    to: "writer.write(end, to, { kind: 'fence' }, { kind: 'return', task });",
    tests,
  },
  {
    name: 'events: a blocked task leaves the main thread',
    file: body,
    from: 'if (outgoing[location]?.length === 0) exit(place);',
    to: 'exit(place);',
    tests,
  },
  {
    name: 'events: main tasks run on threads of their own',
    file: lower,
    from: "thread: to === 'main' ? 0 : this.#addThread(`task${task}`),",
    to: 'thread: this.#addThread(`task${task}`),',
    tests,
  },
  {
    name: 'events: tasks share their registers',
    file: lower,
    from: 'place = writer.clear(place, given.length, at(this.#program.bodies, body).registers.length);',
    to: '',
    tests,
  },
  {
    name: 'events: fenced posting has no fence',
    file: body,
    from: "target.isFenced ? writer.then(from, { kind: 'fence' }) : from",
    to: 'from',
    tests,
  },
  {
    name: 'events: a posting in a loop posts one task',
    file: body,
    from: '{ ...frame, isRepeated: frame.isRepeated || isOnCycle(transition) },\n          instruction,\n          id,',
    to: 'frame,\n          instruction,\n          id,',
    tests,
  },
  {
    name: 'events: what any number of instances do is robust if two are',
    file: lower,
    from: "if (count === 'any') this.#leftOut.push(",
    to: 'if (count === 0) this.#leftOut.push(',
    tests,
  },
  {
    name: 'events: bounds that were hit are not told',
    file: verdict,
    from: 'const hit = [...lowered.leftOut, ...cuts.map(({ bound }) => bound)];',
    to: 'const hit = [...lowered.leftOut];',
    tests,
  },
  {
    name: 'events: bounds that no run gets to count',
    file: verdict,
    from: '!look?.isComplete || look.runs(thread, transition)',
    to: 'thread >= 0 || transition >= 0 || look',
    tests,
  },
  {
    name: 'events: a search that ended early is a proof',
    file: verdict,
    from: "if (incomplete) return { kind: 'search', reason: incomplete };",
    to: 'if (incomplete === undefined && look === undefined) return unknown({ kind: "faults", sites: [] });',
    tests,
  },
  {
    name: 'events: executions that fault do not matter',
    file: verdict,
    from: 'if (decision.faults.length > 0)',
    to: 'if (decision.faults.length < 0)',
    tests,
  },
  {
    name: 'events: what is called posts nothing',
    file: verdict,
    from: "if (instruction.kind === 'post' || instruction.kind === 'call') reached",
    to: "if (instruction.kind === 'post') reached",
    tests,
  },
  {
    name: 'events: what main tasks post does not count',
    file: verdict,
    from: "if (instruction.kind === 'post' || instruction.kind === 'call') reached",
    to: "if (instruction.kind === 'call') reached",
    tests,
  },
  {
    name: 'events: arguments are lost on the way into the run',
    file: lift,
    from: 'action.written ?? 0);',
    to: '0);',
    tests,
  },
  {
    name: 'events: what is infeasible in one instance is so in all',
    file: 'packages/engines/src/events/threads/event-attacks.ts',
    from: "['feasible', 'unknown', 'infeasible', 'by-cfg']",
    to: "['infeasible', 'unknown', 'feasible', 'by-cfg']",
    tests: ['packages/engines/test/events/threads/event-attacks.test.ts'],
  },
  {
    name: 'events: attacks behind a bound are infeasible',
    file: 'packages/engines/src/events/threads/event-attacks.ts',
    from: "isPartial && exact !== 'feasible'",
    to: "isPartial && exact === 'unknown'",
    tests: ['packages/engines/test/events/threads/event-attacks.test.ts'],
  },
];
