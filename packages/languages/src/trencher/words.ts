/** Words that begin lines. */
export const lineWords: readonly string[] = [
  'thread',
  'initial',
  'transition',
  'end',
  'memory_size',
  'memory',
];

/** The instructions of transitions. */
export const instructionWords = [
  'write',
  'read',
  'mfence',
  'local',
  'check',
  'noop',
  'lock',
  'unlock',
] as const;
