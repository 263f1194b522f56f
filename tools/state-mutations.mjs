// Edits that break the backward search over load buffers, by which `reach` settles what buffers
// without bound leave open; see mutation-check.mjs.

const room = 'packages/core/src/load-buffers';
const preImages = `${room}/pre-images.ts`;
const words = `${room}/words.ts`;
const search = `${room}/backward-search.ts`;
const graph = `${room}/thread-graph.ts`;
const targets = `${room}/property-targets.ts`;
const context = `${room}/target-context.ts`;
const writers = `${room}/single-writers.ts`;
const lift = `${room}/lift-steps.ts`;
const tests = ['load-buffers/directed.test.ts', 'load-buffers/agreement.test.ts'];

/** Mutations of the backward search. */
export const stateMutations = [
  {
    name: 'load buffers: no early reads',
    file: preImages,
    from: 'for (let i = 1; i <= last; i++)',
    to: 'for (let i = 1; i < 0; i++)',
    tests,
  },
  {
    name: 'load buffers: an own letter stands behind one on its cell',
    file: preImages,
    from: 'const last = first < 0 ? word.length : first;',
    to: 'const last = word.length;',
    tests,
    gap: 'such words are below no word in normal form: they only cost work',
  },
  {
    name: 'load buffers: a plain letter never becomes an own one',
    file: preImages,
    from: 'words.push(i === first && word[i] === plain ? word.with(i, mine) : word.toSpliced(i, 0, mine));',
    to: 'words.push(word.toSpliced(i, 0, mine));',
    tests,
  },
  {
    name: 'load buffers: a load finds what the thread has stored otherwise',
    file: preImages,
    from: 'if (own !== undefined) return own === value ? [word] : [];',
    to: 'if (own !== undefined) return [word];',
    tests,
  },
  {
    name: 'load buffers: own letters match plain ones above them',
    file: words,
    from: 'return one === other || ((other & 1) === 1 && one === other - 1);',
    to: 'return one >> 1 === other >> 1;',
    tests,
  },
  {
    name: 'load buffers: a store leaves letters on its cell',
    file: preImages,
    from: 'return firstOn(before, cell) < 0 ? before : undefined;',
    to: 'return before;',
    tests,
  },
  {
    name: 'load buffers: a store does not take its letter off',
    file: preImages,
    from: 'const before = isNewest ? word.slice(0, -1) : word;',
    to: 'const before = isNewest && word.length > 99 ? word.slice(0, -1) : word;',
    tests,
  },
  {
    name: 'load buffers: stores while another holds the bus lock',
    file: preImages,
    from: 'if (!this.#isFree(minor, thread) || (held !== any && held !== value)) return [];',
    to: 'if (held !== any && held !== value) return [];',
    tests,
  },
  {
    name: 'load buffers: propagation while another holds the bus lock',
    file: preImages,
    from: 'if (minor.isFrozen || !this.#isFree(minor, thread)) return undefined;',
    to: 'if (minor.isFrozen) return undefined;',
    tests,
  },
  {
    name: 'load buffers: propagation from frozen memory',
    file: preImages,
    from: 'if (minor.isFrozen || !this.#isFree(minor, thread)) return undefined;',
    to: 'if (!this.#isFree(minor, thread)) return undefined;',
    tests,
    gap: 'what frozen memory holds could have been propagated before: only the order changes',
  },
  {
    name: 'load buffers: stores into frozen memory',
    file: preImages,
    from: 'if (isFrozen) return isUnknown ? [] : [{ ...moved, words: words.with(thread, before) }];',
    to: '',
    tests,
  },
  {
    name: 'load buffers: memory never freezes',
    file: preImages,
    from: 'if (minor.isFrozen)\n      found.push',
    to: 'if (minor.isFrozen && minor.lock > 99)\n      found.push',
    tests,
  },
  {
    name: 'load buffers: a fence with letters left',
    file: preImages,
    from: 'return isFrozen || word.length > 0 || isUnknown ? [] : [moved];',
    to: 'return isFrozen || isUnknown ? [] : [moved];',
    tests,
  },
  {
    name: 'load buffers: an rmw with letters left',
    file: preImages,
    from: 'if (isFrozen || word.length > 0 || !this.#isFree(minor, thread)) return [];',
    to: 'if (isFrozen || !this.#isFree(minor, thread)) return [];',
    tests,
  },
  {
    name: 'load buffers: an rmw while another holds the bus lock',
    file: preImages,
    from: 'if (isFrozen || word.length > 0 || !this.#isFree(minor, thread)) return [];',
    to: 'if (isFrozen || word.length > 0) return [];',
    tests,
  },
  {
    name: 'load buffers: what is propagated need not be in memory before',
    file: preImages,
    from: 'memory: memory.with(cell, valueOf(newest)),',
    to: 'memory,',
    tests,
  },
  {
    name: 'load buffers: a minor with buffers is initial',
    file: search,
    from: 'words.every((word) => word.length === 0) &&',
    to: '',
    tests,
  },
  {
    name: 'load buffers: frozen minors are initial',
    file: search,
    from: '!isFrozen &&',
    to: '',
    tests,
  },
  {
    name: 'load buffers: minors are dropped by words alone',
    file: `${room}/minor.ts`,
    from: 'if (value !== any && value !== other.memory[cell]) return false;',
    to: '',
    tests,
  },
  {
    name: 'load buffers: threads that wait for ever are left out with what they have stored',
    file: graph,
    from: 'edges.length > 0 &&\n      edges.every(',
    to: 'edges.every(',
    tests,
  },
  {
    name: 'load buffers: places of properties are passed over',
    file: graph,
    from: 'if (seen.has(location) || leaving.length === 0) return true;',
    to: 'if (leaving.length === 0) return true;',
    tests,
  },
  {
    name: 'load buffers: assertions are passed over',
    file: graph,
    from: "return leaving.some(({ transition }) => transition.instruction.kind === 'assert');",
    to: 'return false;',
    tests,
  },
  {
    name: 'load buffers: memory of properties is that of empty buffers',
    file: context,
    from: 'if (!seesMemory && !hasLocks(context)) return [minor];',
    to: 'if (!hasLocks(context)) return [minor];',
    tests,
  },
  {
    name: 'load buffers: with lock blocks, states are looked at when buffers are empty',
    file: context,
    from: 'if (!seesMemory && !hasLocks(context)) return [minor];',
    to: 'if (!seesMemory) return [minor];',
    tests,
  },
  {
    name: 'load buffers: nobody ends inside a lock block',
    file: targets,
    from: '? withLocks(this.#context, minor)',
    to: '? [minor]',
    tests,
  },
  {
    name: 'load buffers: finally asks for states that satisfy it',
    file: targets,
    from: "return (value !== 0) === (kind !== 'finally');",
    to: 'return value !== 0;',
    tests,
  },
  {
    name: 'load buffers: cells with two writers are those of one',
    file: writers,
    from: 'written.every((others, other) => other === t || !others.has(cell))',
    to: 'written.every((others, other) => other >= t || !others.has(cell))',
    tests,
  },
  {
    name: 'load buffers: memory that stands still agrees with what was stored last',
    file: writers,
    from: 'if (!isFrozen && held !== any && held !== value) return false;',
    to: 'if (held !== any && held !== value) return false;',
    tests,
  },
  {
    name: 'load buffers: a load is executed when it was found',
    file: lift,
    from: 'return oldest.since;',
    to: 'return 1e6;',
    tests,
  },
];
