// Stands in for the script of a thread that searches: it ends, fails, or waits until it is told to
// stop.
exports.searchPartInWorker = async ({ part, port }) => {
  switch (part.program.name) {
    case 'Leaves':
      process.exit(3);
      break;
    case 'Throws':
      setImmediate(() => {
        throw new Error('nobody catches this');
      });
      return new Promise(() => {});
    default:
      port.postMessage({ kind: 'progress', progress: { states: 7, memory: 1, milliseconds: 0 } });
      await new Promise((resolve) => port.once('message', resolve));
      port.close();
      throw new Error('stopped');
  }
};
