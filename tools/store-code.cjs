// Runs the bundled command line with the given arguments. The first argument is the folder with bin
// and dist. The second argument is the task: `scripts` prints the names of the scripts loaded;
// `code` stores the code that V8 made beside the scripts, so that the functions needed by such a
// run are compiled already.
const { writeFileSync, writeSync } = require('node:fs');
const path = require('node:path');

const [folder, what, ...args] = process.argv.slice(2);
const { compiled, loaded, loadScript } = require(path.resolve(folder, 'bin/load-script.js'));
process.argv.splice(2, Infinity, ...args);
process.stdout.write = () => true;
process.on('exit', () => {
  if (what === 'scripts') writeSync(1, JSON.stringify([...loaded.keys()]));
  else
    for (const [name, script] of compiled)
      writeFileSync(path.join(folder, 'dist', `${name}.code`), script.createCachedData());
  // A run without a verdict leaves the wrong code.
  const { exitCode } = process;
  process.exitCode = exitCode === 0 || exitCode === 10 ? 0 : 1;
});
loadScript('main.cjs');
