// A thread that knows the verdict of a file, and then comes to an end as the name of the file says.
const { serialize } = require('node:v8');

const model = { kind: 'finite', program: { name: 'P', threads: [], symbols: [], properties: [] } };
const statistics = {
  ...{ engine: 'search', threads: 0, labels: 0, instructions: 0, states: 1, bytes: 0, queries: 0 },
  ...{ milliseconds: 1, attacks: { total: 0, byCfg: 0, infeasible: 0, feasible: 0 } },
};

exports.runTask = ({ file, port }) => {
  const read = { file, source: '', format: 'native', model, diagnostics: [] };
  const checked = {
    verdict: { kind: 'robust' },
    happensBefore: 'standard',
    attacks: [],
    statistics,
  };
  const result = { kind: 'check', about: model.program, result: { ...checked, diagnostics: [] } };
  port.postMessage({ kind: 'known', wire: serialize({ read, result, isFinal: true }) });
  switch (file) {
    case 'leaves':
      process.exit(3);
    case 'throws':
      setImmediate(() => {
        throw new Error('nobody catches this');
      });
      return new Promise(() => undefined);
    case 'rejects':
      throw new Error('the task fails');
    case 'fills': {
      const kept = [];
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
    }
    default:
      // Does not listen.
      for (;;);
  }
};
