export * from './frontends/memorax/parse-memorax.js';
export * from './frontends/memorax/print-memorax.js';
export * from './frontends/memorax/repair-memorax.js';
