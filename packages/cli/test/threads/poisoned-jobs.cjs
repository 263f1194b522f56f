// Does jobs as the command line does, but for those whose texts ask for the end of a process, or
// for another result each time.
const { existsSync, writeFileSync } = require('node:fs');
const threads = require('node:worker_threads');
const { loadScript } = require('../../bin/load-script.js');

function exhaust() {
  const kept = [];
  for (;;) kept.push(new Array(1_000_000).fill(kept.length));
}

function sayOtherwise() {
  const send = process.send.bind(process);
  process.send = (message, ...rest) => {
    if (message.kind === 'result') message.result.json.program = `${Math.random()}`;
    return send(message, ...rest);
  };
}

/** Ends the process the first time, which a file tells. */
function killOnce(mark) {
  if (existsSync(mark)) return;
  writeFileSync(mark, '');
  process.kill(process.pid, 'SIGKILL');
}

const poisons = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  once: killOnce,
  exit: () => process.exit(3),
  heap: exhaust,
  fickle: sayOtherwise,
};

// Before the message gets to what does the job.
process.on('message', ({ kind, order }) => {
  const [, poison, more] =
    (kind === 'job' && /^\/\/ poison: (\w+) ?(.*)/m.exec(order.given.text)) || [];
  if (poison) poisons[poison](more);
});
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(code, options) {
    super(code, { ...options, workerData: require.resolve('./poisoned-thread.cjs') });
  }
};
loadScript('job-process.cjs').serveJobs();
