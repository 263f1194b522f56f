'use strict';
// Loads the bundled scripts of ../dist with the code that V8 made of the scripts during the build.
// Node can load stored code for CommonJS only; from version 22 on, Node also stores code by itself.
// Stored code saves a third of the start of a check.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const v8 = require('node:v8');
const vm = require('node:vm');

// Node has stored code for its own modules, too. That code is valid only for the settings of V8 at
// the start of Node, so the modules that every run needs are loaded before the settings change.
void [process.stdout, process.stderr, globalThis.performance];

// V8 counts the bytecodes run by a function. Beyond the interrupt budget, by default a fifteenth of
// the value below, V8 sends the function to the optimising compiler. Most runs end within half a
// second; with the default, the compiler took a third or more of the CPU time, in threads of its
// own, without earning the time back. The inner loops of long runs are in WebAssembly, or are
// optimised a moment later. Stored code depends on this setting. Only the V8 of Node 20 has the
// flag; any other V8 prints an error. From Node 22 on V8 has a quick compiler in between, and the
// time is not lost.
if (process.versions.node.startsWith('20.')) v8.setFlagsFromString('--interrupt-budget=1000000');

const dist = path.join(path.dirname(__dirname), 'dist');

/** The scripts given to V8, by file name. */
const compiled = new Map();

/** The code stored beside a script; V8 refuses code of a different version of V8. */
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
  // The build leaves only ASCII characters.
  const source = before + readFileSync(file, 'latin1') + after;
  const script = new vm.Script(source, { filename: file, cachedData: storedCode(file) });
  compiled.set(name, script);
  return script.runInThisContext();
}

/** The modules loaded so far, by name of the script. */
const loaded = new Map();

/** The scripts of start.cjs, needed at the start of most runs: functions by name. */
let started;

function scriptNamed(name) {
  started ??= evaluate('start.cjs');
  return (
    started[name] ??
    evaluate(name, '(function (exports, require, module, __scriptUrl, __import) {', '\n})')
  );
}

/**
 * The exports of the script `name` of ../dist; the first call runs the script. Paths beginning with
 * `./` are scripts in the same folder.
 */
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
  // The bundler exports by getters, which call each other. The exports no longer change, so plain
  // values replace the getters: inner loops read constants of other scripts.
  module.exports = { ...module.exports };
  return module.exports;
}

module.exports = { loadScript, loaded, compiled };
