// Stands in for the script of a thread of the pool: files are named for what becomes of the thread.
const { serialize } = require('node:v8');

const finding = (file) => serialize({ kind: 'unread', loaded: { file, diagnostics: [] } });

const never = new Promise(() => {});

exports.runTask = async ({ file, port }) => {
  switch (file) {
    case 'leaves':
      process.exit(3);
      break;
    case 'throws':
      setImmediate(() => {
        throw new Error('nobody catches this');
      });
      return never;
    case 'rejects':
      throw new Error('the task fails');
    case 'waits':
      port.postMessage({
        kind: 'progress',
        progress: { states: 7, memory: 0, milliseconds: 0 },
      });
      await new Promise((resolve) => port.once('message', resolve));
      port.close();
      break;
  }
  return finding(file);
};
