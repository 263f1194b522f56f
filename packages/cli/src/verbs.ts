import type { VerbEntry } from './verb.js';

/**
 * The operand of verbs that work on any number of files; folders and patterns are replaced by their
 * files.
 */
export const manyFiles = '<file...>';

/** The verbs, in the order of `--help`, each in a separate file. */
export const verbs: Readonly<Record<string, VerbEntry>> = {
  demo: {
    summary: 'show the shortest program that goes wrong, step by step',
    operands: {},
    load: async () => (await import('./verbs/demo.js')).demoVerb,
  },
  init: {
    summary: 'write a commented program, or a harness for a header, to begin with',
    operands: { '[file]': 'new file of the native language, or in C with --for' },
    load: async () => (await import('./verbs/init.js')).initVerb,
  },
  check: {
    summary: 'decide robustness, and show the execution that breaks it',
    operands: { [manyFiles]: 'programs to read: files, folders, or patterns' },
    answers: { '--answers': ['robust, or no further fence is needed', 'neither'] },
    load: async () => (await import('./verbs/check.js')).checkVerb,
  },
  fence: {
    summary: 'find the cheapest fences that make a program robust, and insert them',
    operands: { [manyFiles]: 'programs to repair: files, folders, or patterns' },
    answers: { '': ['a set was found', 'there is none'] },
    load: async () => (await import('./verbs/fence.js')).fenceVerb,
  },
  explain: {
    summary: 'show a witness step by step, with buffers, memory, and the cycle',
    operands: { [manyFiles]: 'programs to read: files, folders, or patterns' },
    load: async () => (await import('./verbs/explain.js')).explainVerb,
  },
  reach: {
    summary: 'compare final states and properties under SC and TSO',
    operands: { [manyFiles]: 'programs to read: files, folders, or patterns' },
    answers: { '': ['final states and claims are the same', 'they differ'] },
    load: async () => (await import('./verbs/reach.js')).reachVerb,
  },
  prove: {
    summary: 'prove robustness for unbounded data and any number of threads',
    operands: { [manyFiles]: 'programs to read: files, folders, or patterns' },
    answers: { '': ['it is proved', 'it is not robust'] },
    load: async () => (await import('./verbs/prove.js')).proveVerb,
  },
  events: {
    summary: 'answer all questions about a program of events',
    operands: { [manyFiles]: 'programs to read: files, folders, or patterns' },
    load: async () => (await import('./verbs/events.js')).eventsVerb,
  },
  trf: {
    summary: 'look for triangular races; a program without one is robust',
    operands: { [manyFiles]: 'programs to read: files, folders, or patterns' },
    answers: {
      '': ['there is no triangular race', 'there is one'],
      '--fence': ['fences were found', 'none are enough'],
    },
    load: async () => (await import('./verbs/trf.js')).trfVerb,
  },
  cover: {
    summary: 'decide whether a Petri net or a thread-transition system can cover a target',
    operands: { '<net>': "a net in mist's format (.spec) or a system in BFC's (.tts)" },
    answers: { '': ['no target can be covered', 'one can'] },
    load: async () => (await import('./verbs/cover.js')).coverVerb,
  },
  'verify-certificate': {
    summary: 'check a certificate with a separate verifier',
    operands: {
      '<certificate>': 'a file that --certificate of another verb wrote',
      '[program]':
        'the program of the certificate, before fences were inserted, or the net; if omitted, the answer is about the automata in the certificate',
    },
    answers: { '': ['it holds', 'it fails, or differs'] },
    load: async () => (await import('./verbs/verify-certificate.js')).verifyCertificateVerb,
  },
  bench: {
    summary: 'print one row per file, with the columns of [BDM13] Table 2',
    operands: { [manyFiles]: 'programs to read: files, folders, or patterns' },
    load: async () => (await import('./verbs/bench.js')).benchVerb,
  },
  batch: {
    summary: 'run a verb on thousands of files, on many machines',
    operands: {
      '[files...]':
        'check (the default), fence, reach, trf or prove, then files, folders and patterns; or merge or status, then folders of journals',
    },
    load: async (args) =>
      (await import('./verbs/load-batch.js')).loadBatch(args, Object.keys(verbs)),
  },
  worker: {
    summary: 'run the jobs that batches put into a queue',
    operands: {},
    load: async () => (await import('./verbs/worker.js')).workerVerb,
  },
  convert: {
    summary: 'write a program in another format',
    operands: { '<file>': 'program to convert' },
    load: async () => (await import('./verbs/convert.js')).convertVerb,
  },
  format: {
    summary: 'lay out programs of the native language in the usual way',
    operands: { [manyFiles]: 'programs to lay out; - reads standard input and prints the result' },
    answers: { '--check': ['nothing would change', 'something would'] },
    load: async () => (await import('./verbs/format.js')).formatVerb,
  },
  playground: {
    summary: 'serve the playground to a browser on this machine',
    operands: {},
    load: async () => (await import('./verbs/playground.js')).playgroundVerb,
  },
  lsp: {
    summary: 'serve an editor (Language Server Protocol)',
    operands: {},
    load: async () => (await import('./verbs/lsp.js')).lspVerb,
  },
  completion: {
    summary: 'print completion for bash, zsh or fish',
    operands: { '<shell>': 'bash, zsh or fish' },
    load: async () => (await import('./verbs/completion.js')).completionVerb(verbs),
  },
};
