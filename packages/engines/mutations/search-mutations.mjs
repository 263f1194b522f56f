// Edits that break the engine `search`; see tools/mutation-check.mjs.

const levels = 'packages/engines/src/automata/access-levels.ts';
const path = 'packages/engines/src/automata/path-automaton.ts';
const attacker = 'packages/engines/src/automata/attacker-automaton.ts';
const attackerSearch = 'packages/engines/src/search/attacker-search.ts';
const lastPhase = 'packages/engines/src/search/last-phase.ts';
const attackRound = 'packages/engines/src/search/attack-round.ts';
const sequential = 'packages/engines/src/automata/sequential-automaton.ts';
const busLock = 'packages/engines/src/automata/bus-lock.ts';
const ownership = 'packages/engines/src/automata/cell-ownership.ts';
const starts = 'packages/engines/src/automata/attack-starts.ts';
const session = 'packages/engines/src/search/search-session.ts';
const fewThreads = 'packages/engines/src/search/few-threads.ts';
const shortest = 'packages/engines/src/search/shortest-witness.ts';
const valueTests = [
  'packages/engines/test/robustness/value-pitfalls.test.ts',
  'packages/engines/test/search/verdicts.test.ts',
  'packages/engines/test/search/value-agreement.test.ts',
];

const directedSearch = 'packages/engines/src/directed/directed-search.ts';
const writeSchedule = 'packages/engines/src/directed/write-schedule.ts';
const directedTests = ['packages/engines/test/directed/directed-turns.test.ts'];
const fewTests = ['packages/engines/test/search/few-threads.test.ts'];
/** What few of the random programs show. */
const manyRuns = 600;

const guessTests = [
  'packages/engines/test/robustness/value-guesses.test.ts',
  'packages/engines/test/robustness/value-letter.test.ts',
];

export const searchMutations = [
  {
    name: 'search, guesses: a read abstraction meets the target as a plain load',
    file: levels,
    from: 'if (access.admits) return !access.admits.includes(value);',
    to: '',
    tests: guessTests,
  },
  {
    name: 'search, guesses: a store that satisfies the condition joins',
    file: levels,
    from: '!mark.spared.includes(access.written);',
    to: 'access.written !== access.held;',
    tests: guessTests,
  },
  {
    name: 'search, guesses: a second load on the path changes nothing',
    file: levels,
    from: 'spared.filter((value) => admits.includes(value))',
    to: 'spared.filter((value) => admits.length > 0 || value < 0)',
    tests: guessTests,
  },
  {
    name: 'search, guesses: the last load is tried with one choice',
    file: attacker,
    from: 'if (!byMark.has(itsMark)) byMark',
    to: 'if (byMark.size === 0) byMark',
    tests: guessTests,
  },
  {
    name: 'search, guesses: a load that can be seen is one of a read abstraction',
    file: 'packages/model/src/analysis/guesses.ts',
    from: 'return isUnseen && thread.registers[held]?.hidden === true;',
    to: 'return isUnseen;',
    tests: guessTests,
  },
  {
    name: 'search, guesses: conditions that may fault are listed',
    file: 'packages/model/src/analysis/guesses.ts',
    from: 'return isSafe || ',
    to: 'return true || isSafe || ',
    tests: guessTests,
  },
  {
    name: 'search: the bound on the length of witnesses is too high',
    file: shortest,
    from: 'const helper = 1;',
    to: 'const helper = 4;',
  },
  {
    name: 'search: a store is done with one of its attacks left',
    file: 'packages/engines/src/search/open-attacks.ts',
    from: 'if (left > 0) return;',
    to: 'if (left > 1) return;',
  },
  {
    name: 'search: an attacker is done with its first store',
    file: 'packages/engines/src/search/open-attacks.ts',
    from: 'return this.#remaining.size === 0;',
    to: 'return this.#remaining.size >= 0;',
  },
  {
    name: 'search: only the first store of a thread can begin an attack',
    file: 'packages/engines/src/search/open-attacks.ts',
    from: 'for (const store of storesOf(thread, blocked))',
    to: 'for (const store of storesOf(thread, blocked).slice(0, 1))',
  },
  {
    name: 'search: a load joins after a load',
    file: levels,
    from: '(itsMark === mark.load && written !== undefined)',
    to: 'itsMark === mark.load',
  },
  {
    name: 'search: a store joins only after a store',
    file: levels,
    from: 'itsMark === mark.store || (itsMark === mark.load && written !== undefined)',
    to: 'itsMark === mark.store && (written ?? 0) >= 0',
  },
  {
    name: 'search: an access to the target joins',
    file: levels,
    from: 'itsMark === mark.store || (itsMark === mark.load',
    to: 'itsMark === mark.target || itsMark === mark.store || (itsMark === mark.load',
  },
  {
    name: 'search: the target counts off the path',
    file: path,
    from: 'if (onPath && targetAccessed && !holdsLock)',
    to: 'if (targetAccessed && !holdsLock)',
  },
  {
    name: 'search: every access after the last load is on the path',
    file: path,
    from: 'const onPath = from.onPath || (cell >= 0',
    to: 'const onPath = true || (cell >= 0',
  },
  {
    name: 'search: the goal counts inside a lock block',
    file: path,
    from: 'if (onPath && targetAccessed && !holdsLock)',
    to: 'if (onPath && targetAccessed)',
  },
  {
    name: 'search: levels fall',
    file: levels,
    from: 'if (!onPath || itsMark === mark.target || itsMark === mark.store) return itsMark;',
    to: 'if (!onPath || itsMark === mark.target) return itsMark;',
  },
  {
    name: 'search: loads on the path raise no level',
    file: levels,
    from: 'return written === undefined ? mark.load : mark.store;',
    to: 'return written === undefined ? itsMark : mark.store;',
  },
  {
    name: 'search: the access that joins raises no level',
    file: path,
    from: 'levels.after(itsMark, own, true)',
    to: 'levels.after(itsMark, access, from.onPath)',
  },
  {
    name: 'search: helpers in a lock block are stopped off the path (Fig. 7 (7), read literally)',
    file: path,
    from: 'if (!onPath && cell >= 0 && !locked) return [];',
    to: 'if (!onPath && cell >= 0) return [];',
  },
  {
    name: 'search: accesses of a lock block before the one that joins are off the path',
    file: path,
    from: 'levels.after(itsMark, own, true)',
    to: 'levels.after(itsMark, access, onPath)',
  },
  {
    name: 'search: a lock block joins by what it did itself',
    file: path,
    from: 'levels.joins(outerMark, access)',
    to: 'levels.joins(itsMark, access)',
  },
  {
    name: 'search: a lock block meets the target only after it joined',
    file: path,
    from: '(cell >= 0 && levels.meetsTarget(itsMark, own))',
    to: '(onPath && cell >= 0 && levels.meetsTarget(itsMark, access))',
  },
  {
    name: 'search: a failing cas is a store on the path',
    file: path,
    from: 'written: written === undefined ? undefined : this.#cells.id(cell, written),',
    to: "written: effect.kind === 'load' ? undefined : this.#cells.id(cell, written ?? 0),",
  },
  {
    name: 'search: an rmw joins as a load',
    file: path,
    from: 'written: written === undefined ? undefined : this.#cells.id(cell, written),',
    to: "written: written === undefined || effect.kind === 'rmw' ? undefined : this.#cells.id(cell, written),",
  },
  {
    name: 'search: a witness lets others go on while one is inside a block',
    file: 'packages/ground/src/product/explain-step.ts',
    from: 'if (exclusive >= 0 && component !== exclusive) continue;',
    to: '',
    tests: valueTests,
  },
  {
    name: 'search, value: a store of the value that is there joins after a load',
    file: levels,
    from: 'return written !== undefined && written !== held;',
    to: 'return written !== undefined;',
    tests: valueTests,
  },
  {
    name: 'search, value: a store of the value that is there joins after a store',
    file: levels,
    from: 'return reads || written !== held;',
    to: 'return reads || written !== undefined;',
    tests: valueTests,
  },
  {
    name: 'search, value: a store joins after several values only if it changes the last',
    file: levels,
    from: 'return levelOf(itsMark) === level.mixed;',
    to: 'return levelOf(itsMark) === level.mixed && (reads || written !== held);',
    tests: valueTests,
  },
  {
    name: 'search, value: the target is met by any access',
    file: levels,
    from: 'return (reads && held !== value) || (written !== undefined && written !== value);',
    to: 'return reads || written !== undefined;',
    tests: valueTests,
  },
  {
    name: 'search, value: the target is not met by what an rmw writes',
    file: levels,
    from: 'return (reads && held !== value) || (written !== undefined && written !== value);',
    to: 'return reads ? held !== value : written !== value;',
    tests: valueTests,
  },
  {
    name: 'search, value: an rmw that changes an untouched cell has one value',
    file: levels,
    from: 'written !== held && (reads || its !== level.none)',
    to: 'written !== held && its !== level.none',
    tests: valueTests,
  },
  {
    name: 'search, value: an rmw that changes nothing has two values',
    file: levels,
    from: 'written !== held && (reads || its !== level.none)',
    to: 'reads || (written !== held && its !== level.none)',
    tests: valueTests,
  },
  {
    name: 'search, value: a store that changes an untouched cell has two values',
    file: levels,
    from: 'written !== held && (reads || its !== level.none)',
    to: 'written !== held',
    tests: valueTests,
  },
  {
    name: 'search, value: a lock block reads from the path what it stored itself',
    file: levels,
    from: 'return access.written !== undefined && its === level.store',
    to: 'return access.written !== undefined && its < 0',
    tests: valueTests,
  },
  {
    name: 'search, value: the delayed value is forgotten',
    file: attacker,
    from: 'this.#levels.target(this.#cells.id(cell, effect.written))',
    to: 'this.#levels.target(0)',
    tests: valueTests,
  },
  {
    name: 'search: the attacker does not read its own buffer',
    file: attacker,
    edits: [
      [
        'return own ? [move(registers.with(instruction.into, own[1]), buffer, taken)] : undefined;',
        'return own ? undefined : undefined;',
      ],
      ['|| state.buffer.some(([own]) => own === address)', ''],
    ],
  },
  {
    name: 'search: the attacker reads its oldest store',
    file: attacker,
    from: 'const others = buffer.filter(',
    to: 'if (buffer.some(([other]) => other === address)) return buffer;\n  const others = buffer.filter(',
  },
  {
    name: 'search: (W5) is forgotten: the last load may read from the buffer',
    file: attacker,
    edits: [
      [
        'return own ? [move(registers.with(instruction.into, own[1]), buffer, taken)] : undefined;',
        'return own && location < 0 ? [] : undefined;',
      ],
      ['|| state.buffer.some(([own]) => own === address)', ''],
      [
        'const { instruction, to } = step.transition;',
        'const { instruction, to } = step.transition; const { location } = state;',
      ],
    ],
  },
  {
    name: 'search: the attacker goes on where it has to drain its buffer',
    file: attacker,
    edits: [
      ['if (isDraining(this.#blocked, step.transition, step.id)) return [];', ''],
      [
        'if (!isAccess(instruction)) return [];',
        'if (!isAccess(instruction)) return [move(registers, buffer, taken)];',
      ],
    ],
  },
  {
    name: 'search: success looks at the newest delayed store, not the first',
    file: attacker,
    from: '        return [move(registers, withStore(buffer, stored.address, stored.value), taken)];',
    to: '        return [move(registers, withStore(buffer, stored.address, stored.value), taken)].map((m) => ({ ...m, state: { ...m.state, target: this.#cells.cell(stored.address) } }));',
  },
  {
    name: 'search: an rmw is not the first step of a path',
    file: starts,
    from: "if (effect.kind !== 'load') set |= cellBit(cell);",
    to: "if (effect.kind === 'store') set |= cellBit(cell);",
  },
  {
    name: 'search: a lock block is not the first step of a path',
    file: starts,
    from: "if (effect.kind === 'lock') return -1;",
    to: "if (effect.kind === 'lock') continue;",
  },
  {
    name: 'search: states visited by a success stay dead',
    file: lastPhase,
    from: "if (result !== 'done') search.table.truncate(this.#first);",
    to: "if (result === 'limit') search.table.truncate(this.#first);",
  },
  {
    name: 'search: states of a postponed last phase stay dead',
    file: lastPhase,
    from: "if (result !== 'done') search.table.truncate(this.#first);",
    to: "if (result === 'goal') search.table.truncate(this.#first);",
  },
  {
    name: 'search: a postponed last phase is forgotten',
    file: attackerSearch,
    from: "else if (result !== 'done') this.#postponed.push({ attack, seed: keptState(seed), trail });",
    to: '',
  },
  {
    name: 'search: the attacker always stands at the first place of its class',
    file: attackerSearch,
    from: 'this.#scanState(state, place, allowance);',
    to: 'this.#scanState(state, this.#thread, allowance);',
  },
  {
    name: 'search: the attacker does not change places in the delay phase',
    file: attackerSearch,
    from: 'const move = { component: place, to: this.#attacker.thread, node, change };',
    to: 'const move = { component: this.#attacker.thread, to: this.#attacker.thread, node, change };',
  },
  {
    name: 'search: the attacker does not change places in the last phase',
    file: lastPhase,
    from: 'const node = source.node(state, t === place ? this.#thread : t);',
    to: 'const node = source.node(state, t);',
  },
  {
    name: 'search: the last load has no access level',
    file: lastPhase,
    from: 'cell === loadCell ? loadMark : 0;',
    to: 'cell === loadCell ? 0 : 0;',
  },
  {
    name: 'search: the lock stops nobody',
    file: sequential,
    from: '    return this.#nodes[node]?.holdsLock === true;\n',
    to: '    return this.#nodes[node]?.holdsLock === undefined;\n',
  },
  {
    name: 'search: a thread that ends in a lock block releases the lock',
    file: sequential,
    from: 'all.find(({ closed }) => !closed.state.holdsLock)',
    to: 'all.find(() => true)',
  },
  {
    name: 'search: no state of a loop in a lock block is stored',
    file: sequential,
    from: 'state?.holdsLock === true && this.#storedInLock[state.location] !== true',
    to: 'state?.holdsLock === true',
  },
  {
    name: 'search: unlock without the lock goes on',
    file: busLock,
    from: 'return holdsLock ? false : undefined;',
    to: 'return false;',
  },
  {
    name: 'search: lock inside a lock block goes on',
    file: busLock,
    from: 'return holdsLock ? undefined : true;',
    to: 'return true;',
  },
  {
    name: 'search: a thread that computes without end is taken to stand still',
    file: attackRound,
    from: "if (!player) return this.#isCutOff ? 'states' : undefined;",
    to: 'if (!player) return undefined;',
  },
  {
    name: 'search: a cell that another thread accesses is taken for the own one',
    file: ownership,
    from: 'if (!others.some((other) => other.own.has(address))) slots',
    to: 'slots',
  },
  {
    name: 'search: addresses that cannot be told are taken to go nowhere',
    file: ownership,
    from: 'if (!others.some(({ anywhere }) => anywhere))',
    to: '',
  },
  {
    name: 'search: rmws do not make a cell variable',
    file: ownership,
    from: 'if (!writesCell(instruction)) return;',
    to: "if (instruction.kind !== 'store') return;",
  },
  {
    name: 'search: stores to addresses that cannot be told make no cell variable',
    file: ownership,
    from: '!anywhere && !written.has(address)',
    to: '!written.has(address)',
  },
  {
    name: 'search, few threads: all threads run',
    file: session,
    from: 'part?.active.includes(t) ?? true',
    to: 'part?.active.includes(t) || true',
    ...{ tests: fewTests, runs: manyRuns },
  },
  {
    name: 'search, few threads: threads that do not run change places with those that do',
    file: session,
    from: '.map((members) => members.filter((member) => this.isActive(member)))',
    to: '',
    ...{ tests: fewTests, runs: manyRuns },
  },
  {
    name: 'search, few threads: of a class, only its first member runs',
    file: 'packages/engines/src/search/thread-sets.ts',
    from: 'Math.min(count, members.length)',
    to: 'Math.min(count, members.length, 1)',
    ...{ tests: fewTests, runs: manyRuns },
  },
  {
    name: 'search, few threads: what is interrupted has had its turn',
    file: fewThreads,
    from: "else if (exhausted !== 'states' || budget.exceededBy(usage.states, usage.bytes))",
    to: "else if (exhausted !== 'states')",
    ...{ tests: fewTests, runs: manyRuns },
  },
  {
    name: 'search, few threads: no share is kept',
    file: fewThreads,
    from: 'const room = maxStates - this.states;',
    to: 'const room = maxStates > 0 ? Infinity : 0;',
    ...{ tests: fewTests, runs: manyRuns },
  },
  {
    name: 'search, few threads: three never have a turn',
    file: fewThreads,
    from: '.filter((size) => size < length)',
    to: '.filter((size) => size < length && size < 3)',
    ...{ tests: fewTests, runs: manyRuns },
  },
  {
    name: 'search, few threads: the share goes by what other attackers have explored',
    file: attackRound,
    from: 'at(this.#firstPhaseAfter, stage)',
    to: 'this.#session.sequential.table.count',
    tests: ['packages/engines/test/search/divided-search.test.ts'],
    runs: manyRuns,
  },
  {
    name: 'search, few threads: what they find is told of the search',
    file: attackRound,
    from: "this.#note(evidence, 'few-threads')",
    to: "this.#note(evidence, 'search')",
    ...{ tests: fewTests, runs: manyRuns },
  },
  {
    name: 'search, fewest delays: arrivals of other stores are not counted',
    file: 'packages/engines/src/automata/attacker-automaton.ts',
    from: '(isStore ? 2 * stores : stores)',
    to: 'stores',
    tests: ['packages/engines/test/search/minimal-violation.test.ts'],
  },
  {
    name: 'search, fewest delays: an interrupted search calls the violation minimal',
    file: 'packages/engines/src/search/minimal-violation.ts',
    from: '!found.incomplete && found.faults.length === 0',
    to: 'found.faults.length === 0',
    tests: ['packages/engines/test/search/minimal-violation.test.ts'],
  },
  {
    name: 'search, directed: the attacker begins while a helper holds the bus lock',
    file: directedSearch,
    from: 'if (isFree && phase === 1) this.#beginDelay(state);',
    to: 'if (phase === 1) this.#beginDelay(state);',
    ...{ tests: directedTests, runs: manyRuns },
    gap: 'no random program has a witness that begins in a lock block and does not replay',
  },
  {
    name: 'search, directed: helpers run while another one holds the bus lock',
    file: directedSearch,
    from: 'if (!this.#isActive(t) || (!isFree && holder !== t)) continue;',
    to: 'if (!this.#isActive(t)) continue;',
    ...{ tests: directedTests, runs: manyRuns },
  },
  {
    name: 'search, directed: all threads run where few should',
    file: directedSearch,
    from: 'if (!this.#isActive(t) || (!isFree && holder !== t)) continue;',
    to: 'if (!isFree && holder !== t) continue;',
    tests: directedTests,
  },
  {
    name: 'search, writes: a thread stays where it was when a cell that it reads changes',
    file: 'packages/engines/src/directed/write-search.ts',
    from: 'const isChanged = other === thread || its.cells.has(cell);',
    to: 'const isChanged = other === thread;',
    tests: directedTests,
  },
  {
    name: 'search, writes: the nodes behind another write count',
    file: 'packages/engines/src/directed/node-sets.ts',
    from: 'else if (known.cell === cell && known.written === written) known.nodes.push(next);',
    to: 'else known.nodes.push(next);',
    ...{ tests: directedTests, runs: manyRuns },
    gap: 'the run of the schedule drops these nodes: the search only comes in another order',
  },
  {
    name: 'search, closures: a stage ends although refutations pay',
    file: 'packages/engines/src/search/settle-attacks.ts',
    from: 'isPaying = stage.isRetry === true && answer.isCutOff && answer.refuted.length > 0;',
    to: 'isPaying = false;',
    tests: ['packages/engines/test/closures/stages.test.ts'],
  },
  {
    name: 'search, directed: the last load leaves no mark',
    file: directedSearch,
    from: 'other === target.cell ? target.mark : other === cell ? last.mark : 0',
    to: 'other === target.cell ? target.mark : 0',
    tests: directedTests,
  },
  {
    name: 'search, directed: a state out of reach is searched no less',
    file: directedSearch,
    from: 'if (distance >= 0) states.push',
    to: 'states.push',
    tests: directedTests,
  },
  {
    name: 'search, directed: behind a joining helper no other one may follow',
    file: 'packages/engines/src/directed/path-distances.ts',
    from: 'direct < 0 ? noDirectPath : 1 + direct',
    to: 'direct < 0 ? -1 : 1 + direct',
    ...{ tests: directedTests, runs: manyRuns },
    gap: 'searches only come in another order, or end earlier, by less than the tests allow',
  },
  {
    name: 'search, schedules: a thread may write at a node that it has left',
    file: writeSchedule,
    from: 'this.#sets[thread] = new Map();\n    for (const { cell, written',
    to: 'for (const { cell, written',
    ...{ tests: directedTests, runs: manyRuns },
  },
  {
    name: 'search, schedules: a thread makes the first possible write',
    file: writeSchedule,
    from: 'possible.find(isAtPlace) ?? possible[0]',
    to: 'possible[0]',
    tests: directedTests,
  },
  {
    name: 'search, schedules: writes come before the loads between them',
    file: writeSchedule,
    from: 'Number(a.isWrite) - Number(b.isWrite)',
    to: 'Number(b.isWrite) - Number(a.isWrite)',
    tests: directedTests,
  },
  {
    name: 'search, schedules: the attacker writes while it delays',
    file: writeSchedule,
    from: 'if (this.#isDelaying && thread === this.#attacker.thread) return false;',
    to: '',
    ...{ tests: directedTests, runs: manyRuns },
    gap: 'the automaton of the attacker has no writes, so that the run ends as well',
  },
  {
    name: 'search, directed: the attacker of a repair is that of the last thread',
    file: 'packages/engines/src/directed/directed-finder.ts',
    from: ' || this.#last.attacker.thread !== thread',
    to: '',
    tests: directedTests,
  },
  {
    name: 'search, directed: a round does not count the states of others',
    file: attackRound,
    from: ' + this.#statesOfOthers() + this.ownStates;',
    to: ' + this.ownStates;',
    tests: ['packages/repairs/test/fences/optimal-repair.test.ts'],
  },
  {
    name: 'search, directed: an attack that schedules found stays open',
    file: attackRound,
    from: 'this.close([attack]);',
    to: '',
    tests: directedTests,
  },
];
