// Edits that break checkers of robustness at the points where such checkers go wrong; see
// tools/mutation-check.mjs. `from` has to occur in the file literally; `edits` lists pairs of texts
// if one edit is not enough.

const attacker = 'packages/reference/src/instrument/instrument-attacker.ts';
const helper = 'packages/reference/src/instrument/instrument-helper.ts';
const moves = 'packages/reference/src/explicit/compile-moves.ts';
const machine = 'packages/model/src/semantics/machine.ts';
const lint = 'packages/model/src/analysis/lint-program.ts';

/** The engines `instrument` and `single-query`, and the code shared by all engines. */
export const referenceMutations = [
  {
    name: 'the attacker goes on after its last load',
    file: attacker,
    from: 'draft.add(copyFrom, last, halt,',
    to: 'draft.add(copyFrom, last, to,',
  },
  {
    name: 'success looks at the newest delayed store, not the first',
    file: attacker,
    from: '...(first ? [keep] : [])',
    to: '...[keep]',
  },
  {
    name: '(W5) is forgotten: the last load may read from the buffer',
    file: attacker,
    from: "condition: binary(isPending ? '!=' : '==', registerValue(scratch.pending), constant(0)),",
    to: "condition: binary(isPending ? '!=' : '>=', registerValue(scratch.pending), constant(0)),",
  },
  {
    name: 'a load joins after a load',
    file: helper,
    from: "[...byOthers, { kind: 'assume', condition: stored }, ...steps]",
    to: '[...byOthers, ...steps]',
  },
  {
    name: 'a store joins only after a store',
    file: helper,
    from: ': [...byOthers, ...steps, raiseLevel(',
    to: ": [...byOthers, { kind: 'assume', condition: stored }, ...steps, raiseLevel(",
  },
  {
    name: 'levels fall: a load after a store sets the level of a load',
    file: helper,
    from: 'readsOnly ? atLeastLoad : constant(accessLevel.store)',
    to: 'constant(readsOnly ? accessLevel.load : accessLevel.store)',
  },
  {
    name: 'loads on the path raise no level',
    file: helper,
    from: 'readsOnly ? atLeastLoad : constant(accessLevel.store)',
    to: 'readsOnly ? registerValue(level) : constant(accessLevel.store)',
  },
  {
    name: 'fetch_max stores the smaller value',
    file: 'packages/model/src/program/rmw.ts',
    from: "conditional(binary<RmwLeaf>('<', old, operand), operand, old)",
    to: "conditional(binary<RmwLeaf>('<', operand, old), operand, old)",
    tests: ['packages/engines/test/robustness/extrema.test.ts'],
  },
  {
    name: 'an rmw joins as a load',
    file: helper,
    from: 'if (!rmwMeaning(instruction.operation).condition)\n        return [{ steps: [{ ...instruction, address }], readsOnly: false }];',
    to: 'if (!rmwMeaning(instruction.operation).condition)\n        return [{ steps: [{ ...instruction, address }], readsOnly: true }];',
  },
  {
    name: 'a failing cas counts as a store',
    file: helper,
    from: 'readsOnly: result === 0,',
    to: 'readsOnly: false,',
  },
  {
    name: 'helpers that hold the lock are stopped off the path (Fig. 7 (7), read literally)',
    file: helper,
    from: 'draft.add(from, lockBlock(scratch.level), end, origin);',
    to: 'void lockBlock(scratch.level);',
  },
  {
    name: 'the goal does not wait for the lock to be free',
    file: helper,
    from: "{ kind: 'lock' },\n      {\n        kind: 'auxiliary-load',\n        space: 'control',\n        into: address,",
    to: "{\n        kind: 'auxiliary-load',\n        space: 'control',\n        into: address,",
  },
  {
    name: 'a lock held by the attacker does not stop helpers',
    file: moves,
    from: "return instruction.kind === 'block' ? instruction.steps.some(isAccess) : isAccess(instruction);",
    to: "return instruction.kind === 'block' ? false : isAccess(instruction);",
  },
  {
    name: 'stores that reached memory before the first delayed one count as delayed',
    file: 'packages/reference/src/instrument/instrument.ts',
    from: "draft.add(from, instruction, to, { role: 'plain', from: id });\n  });\n  addAttackerCode",
    to: "draft.add(from, instruction.kind === 'store' ? { kind: 'block', steps: [{ kind: 'auxiliary-store', space: 'pending', address: instruction.address, value: { kind: 'constant', value: 1 } }, instruction] } : instruction, to, { role: 'plain', from: id });\n  });\n  addAttackerCode",
  },
  {
    name: 'an rmw does not drain the buffer',
    file: 'packages/model/src/program/instruction.ts',
    from: 'writes: true, drains: true },',
    to: 'writes: true },',
  },
  {
    name: 'the address is taken after the load has changed its register',
    file: helper,
    from: 'onPathBlocks(instruction, scratch))',
    to: 'onPathBlocks(instruction, scratch).map((b): InstrumentedInstruction => b.kind !== "block" ? b : { ...b, steps: b.steps.map((s) => s.kind === "auxiliary-store" ? { ...s, address: instruction.address } : s) }))',
  },
  {
    name: 'the attacker goes on after a fence',
    file: attacker,
    from: "      case 'fence':\n      case 'rmw':\n      case 'lock':\n      case 'unlock':\n    }",
    to: "      case 'fence':\n        addCopy(copyFrom, copyTo, instruction, 'delayed', id);\n        return;\n      case 'rmw':\n      case 'lock':\n      case 'unlock':\n    }",
  },
  {
    name: 'the target counts off the path',
    file: helper,
    from: 'draft.add(copyOf(location), goalBlock(scratch), goal,',
    to: 'draft.add(location, goalBlock(scratch), goal,',
  },
  {
    name: 'a delayed load reads memory past the own buffer',
    file: attacker,
    from: "      { kind: 'auxiliary-load', space: 'buffer', into: load.into, address },",
    to: '      { ...load, address },',
  },
  {
    name: 'a thread on a cycle of local steps runs alone for ever',
    file: moves,
    from: 'closers[location] !== true &&',
    to: '',
  },
  {
    name: 'unreachable labels are not reported',
    file: lint,
    from: 'unreachableLabel(',
    to: '((..._: unknown[]) => undefined as never)(',
  },
  {
    name: 'a search that ran out of its budget is called robust',
    file: 'packages/core/src/api/decision-result.ts',
    from: 'if (unknown > 0 || decision.incomplete) {',
    to: 'if (unknown > 99 && decision.incomplete) {',
  },
  {
    name: 'machine: stores reach memory while another thread holds the lock',
    file: machine,
    from: 'if (!store || !mayUseMemory(state, thread)) return undefined;',
    to: 'if (!store) return undefined;',
  },
  {
    name: 'machine: a load reads the oldest own store',
    file: machine,
    from: 'state.buffers[thread]?.findLast((store) => store.address === address);',
    to: 'state.buffers[thread]?.find((store) => store.address === address);',
  },
  {
    name: 'machine: a load of the own buffer waits for the lock',
    file: machine,
    from: 'if (!own && !mayUseMemory(state, thread)) return [];',
    to: 'if (!mayUseMemory(state, thread)) return [];',
  },
  {
    name: 'machine: an rmw does not wait for the own buffer',
    file: machine,
    from: 'if (handOver === undefined && at(state.buffers, thread).length > 0) return [];',
    to: '',
  },
  {
    name: 'machine: a lock does not wait for the own buffer',
    file: machine,
    from: 'return buffer.length > 0 || state.lockHolder !== undefined',
    to: 'return state.lockHolder !== undefined',
  },
  {
    name: 'trace: an early load has its source in memory',
    file: 'packages/model/src/trace/trace.ts',
    from: 'const own = action.early\n',
    to: 'const own = action.early && action.value < 0\n',
  },
  {
    name: 'trace: a load of the initial value conflicts with nobody',
    file: 'packages/model/src/trace/trace.ts',
    from: "if (!source || isStoredBefore(source, b.storedAt)) return 'cf';",
    to: "if (source && isStoredBefore(source, b.storedAt)) return 'cf';",
  },
  {
    name: 'trace: a load conflicts with stores before its source',
    file: 'packages/model/src/trace/trace.ts',
    from: "if (!source || isStoredBefore(source, b.storedAt)) return 'cf';",
    to: "if (source?.storedAt !== 0) return 'cf';",
  },
  {
    name: 'trace: the value notion relates stores of equal values',
    file: 'packages/model/src/trace/trace.ts',
    from: 'a.written !== undefined && differs(a.written) &&',
    to: 'a.written !== undefined &&',
  },
  {
    name: 'trace: the value notion relates loads to stores of the value they read',
    file: 'packages/model/src/trace/trace.ts',
    from: 'a.read !== undefined && isRefused(a.read) &&',
    to: 'a.read !== undefined &&',
  },
  {
    name: 'trace: a read abstraction that has not chosen conflicts as a plain load',
    file: 'packages/model/src/trace/trace.ts',
    from: "a.admits !== 'any' && !a.admits.includes(b.written)",
    to: "(a.admits === 'any' ? differs(read) : !a.admits.includes(b.written))",
    tests: [
      'packages/model/test/trace/definition.test.ts',
      'packages/engines/test/robustness/value-letter.test.ts',
    ],
  },
  {
    name: 'trace: lock blocks are single accesses, each for itself',
    file: 'packages/model/src/trace/cycle.ts',
    from: 'if (block === undefined) return node;',
    to: 'if (block !== -1) return node;',
  },
  {
    name: 'replay looks at instructions, not at values',
    file: 'packages/model/src/semantics/replay.ts',
    from: 'a[field] === b[field]',
    to: "((field as string) === 'value' || a[field] === b[field])",
  },
  {
    name: 'instrumentation: copies of a template share the levels of their lock blocks',
    file: 'packages/reference/src/instrument/instrument.ts',
    from: 'unbounded.some(mixes) ? undefined :',
    to: 'unbounded.every((id) => id < 0 && mixes(id)) && unbounded.length > 0 ? undefined :',
    tests: ['packages/engines/test/robustness/instrument-templates.test.ts'],
  },
  {
    name: 'instrumentation: several copies of a template attack at once',
    file: 'packages/reference/src/instrument/instrument.ts',
    from: ': instrumentAnyAttack(templates, attacks);',
    to: ': instrumentAttack(templates, attacks[0]!, {});',
    tests: ['packages/engines/test/robustness/instrument-templates.test.ts'],
  },
  {
    name: 'SPIN: searches beyond the limit on states count',
    file: 'packages/reference/src/promela/promela-engine.ts',
    from: 'if (states > this.#room) {',
    to: 'if (states > 2 * this.#room) {',
    tests: ['packages/reference/test/explicit/promela-limits.test.ts'],
  },
  {
    name: 'SPIN: limits count states, not work',
    file: 'packages/reference/src/promela/promela-engine.ts',
    from: 'Math.min(budget.room(0), budget.workLeft)',
    to: 'budget.room(0)',
    tests: ['packages/reference/test/explicit/promela-limits.test.ts'],
  },
];
