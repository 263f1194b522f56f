import { bakeryFamily } from './bakery.js';
import type { Family } from './family.js';
import { lamport1Family, lamport2Family } from './lamport.js';
import { clhFamily, mcsFamily, ticketFamily } from './locks.js';
import { messagePassingFamily, messageRingFamily } from './message-passing.js';
import { petersonFamily } from './peterson.js';
import { storeBufferingFamily } from './store-buffering.js';
import { treiberFamily } from './treiber.js';
import { chaseLevFamily, theFamily } from './work-stealing.js';

export type { Family, Member } from './family.js';

/** All families, in the order of the tables. */
export const families: readonly Family[] = [
  petersonFamily,
  lamport1Family,
  lamport2Family,
  bakeryFamily,
  storeBufferingFamily,
  treiberFamily,
  chaseLevFamily,
  theFamily,
  mcsFamily,
  clhFamily,
  ticketFamily,
  messagePassingFamily,
  messageRingFamily,
];
