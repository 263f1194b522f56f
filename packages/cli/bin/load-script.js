'use strict';
// Loads the bundled scripts of ../dist with the code that V8 made of them when they were built. Node can do that for CommonJS only, and
// from version 22 on by itself: it saves a third of the start of a check.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const v8 = require('node:v8');
const vm = require('node:vm');

// Node stores code for its own modules too. It holds for the settings of V8 that Node began with, so what every run needs of them comes first.
void [process.stdout, process.stderr, globalThis.performance];

// V8 counts the bytecodes that a function has run, and sends it to its optimising compiler beyond this many; by default, a fifteenth of
// it. Most runs end within half a second: the compiler then took a third or more of the CPU time, in threads of its own, and did not earn it back.
// The inner loops of long runs are in WebAssembly, or are optimised a moment later. Stored code depends on this setting.
// The V8 of Node 20 alone has the flag, and any other prints an error for it; from Node 22 on a quick compiler stands in between, and the
// time is not lost.
if (process.versions.node.startsWith('20.')) v8.setFlagsFromString('--interrupt-budget=1000000');

const dist = path.join(path.dirname(__dirname), 'dist');

/** What V8 was given, by file name. */
const compiled = new Map();

/** The code stored beside a script; V8 refuses that of another version. */
function storedCode(file) {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}

/** The value of a file of ../dist: an expression between `before` and `after`. */
function evaluate(name, before = '', after = '') {
  const file = path.join(dist, name);
  // The build leaves nothing but ASCII.
  const source = before + readFileSync(file, 'latin1') + after;
  const script = new vm.Script(source, { filename: file, cachedData: storedCode(file) });
  compiled.set(name, script);
  return script.runInThisContext();
}

/** What has been loaded: exports by the name of the script. */
const loaded = new Map();

/** The scripts that the start of most runs needs are in one file: functions by name. */
let started;

function scriptNamed(name) {
  started ??= evaluate('start.cjs');
  return (
    started[name] ??
    evaluate(name, '(function (exports, require, module, __scriptUrl, __import) {', '\n})')
  );
}

/** What the script `name` of ../dist exports; it is run the first time. Paths that begin with `./` are scripts beside it. */
function loadScript(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const script = scriptNamed(name);
  const module = { exports: {} };
  loaded.set(name, module);
  const requireFrom = (id) => (id.startsWith('./') ? loadScript(id.slice(2)) : require(id));
  const importPackage = (id) => import(id);
  const url = () => pathToFileURL(path.join(dist, name)).href;
  script(module.exports, requireFrom, module, url, importPackage);
  // The bundler exports by getters, which call each other. Nothing changes any more, and inner loops ask for constants of other scripts.
  module.exports = { ...module.exports };
  return module.exports;
}

module.exports = { loadScript, loaded, compiled };
