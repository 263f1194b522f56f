'use strict';
// Runs the bundled command line for the tests, many times within one process: each run loads
// main.cjs anew, and the other scripts stay loaded. The parent process sends orders
// { args, cwd, env }, one at a time, and gets { code, stdout, stderr }.
const { EventEmitter } = require('node:events');
const { PassThrough } = require('node:stream');
const workerThreads = require('node:worker_threads');
const { loaded, loadScript } = require('../bin/load-script.js');

const { Worker } = workerThreads;

/** The threads without work, by the settings that they were started with; the oldest first. */
const idle = new Map();
const mostIdle = 3;

/**
 * A thread of the command line (`WorkThread`). At the end of a run the thread is not ended but kept
 * for later runs with equal settings.
 */
class KeptWorker extends EventEmitter {
  #thread;
  #key;
  #isLeft = false;

  constructor(script, options) {
    super();
    const { workerData, resourceLimits } = options;
    this.#key = JSON.stringify([workerData, resourceLimits, process.env]);
    this.#thread = idle.get(this.#key) ?? new Worker(script, options);
    idle.delete(this.#key);
    this.#thread.ref();
    for (const name of ['message', 'error', 'exit'])
      this.#thread.on(name, (said) => this.#isLeft || this.emit(name, said));
  }

  get stdin() {
    return null;
  }

  get threadId() {
    return this.#thread.threadId;
  }

  postMessage(message, transfer) {
    if (message.name === undefined) this.#leave();
    else this.#thread.postMessage(message, transfer);
  }

  terminate() {
    return this.#thread.terminate();
  }

  #leave() {
    this.#isLeft = true;
    for (const name of ['message', 'error', 'exit']) this.#thread.removeAllListeners(name);
    const thread = this.#thread.on('error', () => undefined);
    thread.unref();
    thread.once('exit', () => idle.get(this.#key) === thread && idle.delete(this.#key));
    idle.set(this.#key, thread);
    const [oldest] = idle;
    if (idle.size > mostIdle) {
      idle.delete(oldest[0]);
      void oldest[1].terminate();
    }
    setImmediate(() => this.emit('exit', 0));
  }
}

workerThreads.Worker = class {
  constructor(script, options) {
    const isKept = options?.eval === true && options.stdin !== true;
    return isKept ? new KeptWorker(script, options) : new Worker(script, options);
  }
};

/** Makes a stream collect what is written, in place of writing it; returns the collected text. */
function collect(stream) {
  const decoder = new PassThrough({ encoding: 'utf8' });
  let text = '';
  decoder.on('data', (chunk) => (text += chunk));
  stream.write = (chunk, encoding, callback) => {
    decoder.write(chunk, typeof encoding === 'string' ? encoding : undefined);
    (typeof encoding === 'function' ? encoding : callback)?.();
    return true;
  };
  return () => {
    decoder.end();
    for (let chunk = decoder.read(); chunk !== null; chunk = decoder.read()) text += chunk;
    return text;
  };
}

const emitters = [process, process.stdout, process.stderr];

/** Returns the listeners of the process and its streams, by emitter and event. */
function listeners() {
  return emitters.map(
    (emitter) => new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)])),
  );
}

/** Removes the listeners that a run has added; those for the end of the process are called. */
function removeAdded(before) {
  for (const [index, emitter] of emitters.entries())
    for (const name of emitter.eventNames())
      for (const listener of emitter.rawListeners(name))
        if (!before[index].get(name)?.includes(listener)) {
          if (emitter === process && name === 'exit') listener.call(process, process.exitCode);
          emitter.off(name, listener.listener ?? listener);
        }
}

async function run({ args, cwd, env }) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(2, Infinity, ...args);
  process.exitCode = undefined;
  const before = listeners();
  const stdout = collect(process.stdout);
  const stderr = collect(process.stderr);
  loaded.delete('main.cjs');
  await loadScript('main.cjs').ended;
  // Output of threads may still be on the way.
  await new Promise((resolve) => setImmediate(resolve));
  const { exitCode: code } = process;
  removeAdded(before);
  return { code, stdout: stdout(), stderr: stderr() };
}

process.on('message', (order) => {
  void run(order).then((outcome) => process.send(outcome));
});
