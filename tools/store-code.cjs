// Runs the bundled command line with the given arguments, and stores the code that V8 made of its scripts beside them: those
// functions that such a run needs are then compiled already. Its first argument is the folder that holds bin and dist.
const { writeFileSync } = require('node:fs');
const path = require('node:path');

const [folder, ...args] = process.argv.slice(2);
const { loaded, loadScript } = require(path.join(folder, 'bin/load-script.js'));
process.argv.splice(2, Infinity, ...args);
process.stdout.write = () => true;
process.on('exit', () => {
  for (const [name, { script }] of loaded)
    writeFileSync(path.join(folder, 'dist', `${name}.code`), script.createCachedData());
  // Code of a run that did not come to a verdict would be the wrong code.
  const { exitCode } = process;
  process.exitCode = exitCode === 0 || exitCode === 10 ? 0 : 1;
});
loadScript('main.cjs');
