export * from './frontends/memorax/parse-memorax.js';
export * from './frontends/memorax/repair-memorax.js';
