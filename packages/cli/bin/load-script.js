'use strict';
// Loads the bundled scripts of ../dist with the code that V8 made of them when they were built. Node can do that for CommonJS only, and
// from version 22 on by itself: it saves a third of the start of a native check.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const v8 = require('node:v8');
const vm = require('node:vm');

// V8 counts the bytecodes that a function has run, and sends it to its optimising compiler beyond this many; by default, a fifteenth of
// it. Most runs end within half a second: the compiler then took a third or more of the CPU time, in threads of its own, and did not earn it back.
// The inner loops of long runs are in WebAssembly, or are optimised a moment later. Stored code depends on this setting.
v8.setFlagsFromString('--interrupt-budget=1000000');

const dist = path.join(path.dirname(__dirname), 'dist');

/** What has been loaded, by file name: the script, and what it exports. */
const loaded = new Map();

/** The code stored beside a script; V8 refuses that of another version. */
function storedCode(file) {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}

/** What the script `name` of ../dist exports; it is run the first time. Paths that begin with `./` are scripts beside it. */
function loadScript(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const file = path.join(dist, name);
  const script = new vm.Script(
    `(function (exports, require, module, __scriptUrl, __import) {${readFileSync(file, 'utf8')}\n})`,
    { filename: file, cachedData: storedCode(file) },
  );
  const module = { script, exports: {} };
  loaded.set(name, module);
  const requireFrom = (id) => (id.startsWith('./') ? loadScript(id.slice(2)) : require(id));
  const importPackage = (id) => import(id);
  const url = pathToFileURL(file).href;
  script.runInThisContext()(module.exports, requireFrom, module, url, importPackage);
  return module.exports;
}

module.exports = { loadScript, loaded };
