import { forgeEveryKind } from './campaign.js'; import { kinds } from './subjects.js';
const want = "" ? "".split(',') : kinds;
const r = await forgeEveryKind({ forgeries: 3000, seed: 90210, kinds: want, poolSize: 4 });
console.log(JSON.stringify({ n: r.wrong.length, first: (r.wrong[0] ?? '').slice(0, 160), counts: true ? Object.fromEntries(r.counts) : 0 }));
process.exit(0);