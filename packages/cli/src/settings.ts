import type { EngineName, Limits } from '@fencewright/core';
import type { InputFormat } from './formats.js';

/** What the options of a run come to; plain data, so that a worker can be given it. */
export interface Settings {
  /** Overrides what the file names say. */
  readonly from?: InputFormat;
  readonly engine: EngineName;
  readonly allAttacks: boolean;
  readonly json: boolean;
  /** For each file. */
  readonly limits: Pick<Limits, 'maxStates' | 'maxMemory' | 'timeout'>;
  readonly colours: { readonly stdout: boolean; readonly stderr: boolean };
  /** Characters in a line of the terminal. */
  readonly width: number;
}

/** What a running search and its user tell each other. */
export type Hooks = Pick<Limits, 'signal' | 'onProgress'>;
