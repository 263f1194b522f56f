// Does jobs as the command line does, but for those whose texts ask for the end of a process, or
// for another result each time.
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

const poisons = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  exit: () => process.exit(3),
  heap: exhaust,
  fickle: sayOtherwise,
};

// Before the message gets to what does the job.
process.on('message', ({ kind, order }) => {
  const [, poison] = (kind === 'job' && /poison: (\w+)/.exec(order.given.text)) || [];
  if (poison) poisons[poison]();
});
loadScript('job-process.cjs').serveJobs();
