import { frontEndOf, type Diagnostic, type Model, type Question } from '@fencewright/core';
import { claimFindingsOf } from './claims.js';
import { claimsSomething, type Document, hasEvents } from './document.js';
import type { EngineAnswer, Engine } from './engine.js';
import { type Findings, findingsOf, foundFences, foundOrders } from './findings.js';

/** The moments at which a text is checked automatically. */
export type CheckMode = 'onType' | 'onSave' | 'manual';

/** The state of the check of a text. */
export interface CheckStatus {
  readonly uri: string;
  readonly version: number;
  readonly state: 'stale' | 'checking' | Findings['state'];
  readonly detail: string;
  readonly states: number;
  readonly milliseconds: number;
}

/**
 * The findings about one version of a text. They also hold for every version of the text with an
 * equal `key`.
 */
interface CheckedText {
  readonly key: string;
  readonly findings: Findings;
  /**
   * The model of a text that only the engine can read. `said` has the diagnostics from reading the
   * text.
   */
  readonly model?: Model;
  readonly said?: readonly Diagnostic[];
}

interface Job {
  readonly document: Document;
  readonly timeout: number;
}

const mebibyte = 1024 * 1024;
/** The maximum number of bytes of memory for a check. */
const memory = 256 * mebibyte;
/**
 * The maximum number of bytes of memory for texts that clang compiles: clang in WebAssembly needs
 * 500 MiB to start.
 */
const memoryWithClang = 640 * mebibyte;

/** The default time limit of an automatic check, in milliseconds. */
const usualTimeout = 5000;

/** The number of milliseconds without an edit before a check begins. */
const pause = 300;

/** Returns the warnings of data races, which only programs in C get. */
function racesIn(answered: EngineAnswer): readonly Diagnostic[] {
  if (answered.kind !== 'answer' || answered.result.kind !== 'check') return [];
  const { diagnostics = [] } = answered.result.result ?? {};
  return diagnostics.filter(({ code }) => code === 'FW3010');
}

export interface Reports {
  readonly status: (status: CheckStatus) => void;
  /** Called when the findings about a text have changed. */
  readonly changed: (uri: string) => void;
}

/**
 * Checks texts, one at a time, and reports only on the latest version of a text: when a text
 * changes, its check is cancelled and the result dropped.
 */
export class Checker {
  readonly #documents = new Map<string, Document>();
  readonly #known = new Map<string, CheckedText>();
  /** By address of a text, its latest version; texts that are still being read are included. */
  readonly #versions = new Map<string, number>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The checks of texts that wait for their turn, the latest request first. */
  #waiting: Job[] = [];
  #running:
    { readonly uri: string; readonly key: string; readonly stop: AbortController } | undefined;
  /** The promise of the answer to the question asked last; the next question waits for it. */
  #turn: Promise<unknown> = Promise.resolve();
  /**
   * By address of a text, the controllers that cancel questions when the text's meaning changes.
   */
  readonly #changes = new Map<string, AbortController>();
  #isClosed = false;
  /** The number of checks that the checker has begun. */
  checks = 0;

  constructor(
    private readonly engine: Engine,
    private readonly reports: Reports,
    public mode: CheckMode = 'onType',
    /** The time limit of an automatic check, in milliseconds. */
    public timeout = usualTimeout,
    /** The limit on the counted work of every question; unlimited if absent. */
    public effort?: number,
  ) {}

  /** Returns the findings about the current version of a text, if there are any. */
  findings(uri: string): Findings | undefined {
    return this.#knownOf(uri)?.findings;
  }

  /**
   * Returns the document, completed by the model and the diagnostics that only the engine finds
   * when it checks the text.
   */
  complete(document: Document): Document {
    const { model, said } = this.#knownOf(document.uri) ?? {};
    if (document.model || !model) return { ...document, diagnostics: said ?? document.diagnostics };
    return { ...document, model, diagnostics: said ?? document.diagnostics };
  }

  /** Announces a new version of a text: from now on, nothing is reported about older versions. */
  announce(uri: string, version: number): void {
    this.#versions.set(uri, version);
  }

  /**
   * Takes over a new version of a text: reports the findings about it if they are known already, or
   * else schedules a check.
   */
  edit(document: Document): void {
    const { uri, key } = document;
    const before = this.#documents.get(uri);
    this.#documents.set(uri, document);
    if (this.#knownOf(uri)) {
      this.#tell(document);
      return;
    }
    if (before?.key === key && (this.#running?.uri === uri || this.#timers.has(uri))) return;
    this.#forget(uri);
    if (before?.key !== key) this.#giveUpQuestions(uri);
    this.#known.delete(uri);
    this.#say(document, 'stale');
    const isWanted = document.isReadByEngine ? before === undefined : this.mode === 'onType';
    if (isWanted && this.mode !== 'manual') this.#later(uri);
  }

  /** Checks a text that was saved, unless texts are checked only on request or after each edit. */
  save(uri: string): void {
    const document = this.#documents.get(uri);
    if (!document || this.mode === 'manual') return;
    if (this.mode === 'onSave' || document.isReadByEngine) this.check(uri);
  }

  close(uri: string): void {
    this.#forget(uri);
    this.#giveUpQuestions(uri);
    this.#documents.delete(uri);
    this.#known.delete(uri);
  }

  /** Ends all checks for good. */
  end(): void {
    this.#isClosed = true;
    for (const uri of this.#documents.keys()) {
      this.#forget(uri);
      this.#giveUpQuestions(uri);
    }
  }

  /** Checks a text now, even if findings are known. */
  check(uri: string, timeout = this.timeout): void {
    const document = this.#documents.get(uri);
    if (!document) return;
    this.#forget(uri);
    this.#known.delete(uri);
    this.#waiting.unshift({ document, timeout });
    this.#say(document, 'checking');
    this.reports.changed(uri);
    void this.#next();
  }

  /**
   * Asks another question about a text, until the meaning of the text changes; checks wait
   * meanwhile.
   */
  async ask(
    document: Document,
    question: Question,
    timeout = this.timeout,
    signal = this.#untilChanged(document),
  ): Promise<EngineAnswer> {
    const before = this.#turn;
    const answer = before.then(() => this.#ask(document, question, timeout, signal));
    this.#turn = answer;
    return answer;
  }

  #ask(document: Document, question: Question, timeout: number, signal: AbortSignal) {
    if (this.#isClosed || signal.aborted)
      return Promise.resolve({ kind: 'stopped', reason: 'cancelled' } as const);
    const { uri, format, text } = document;
    const { effort } = this;
    const maxMemory = frontEndOf(format).isCompiled ? memoryWithClang : memory;
    const limits = { timeout, maxMemory, ...(effort !== undefined && { effort }) };
    return this.engine.ask({ file: fileOf(uri), format, text, question, limits }, signal);
  }

  #untilChanged({ uri, key }: Document): AbortSignal {
    if (this.#documents.get(uri)?.key !== key) return AbortSignal.abort();
    const change = this.#changes.get(uri) ?? new AbortController();
    this.#changes.set(uri, change);
    return change.signal;
  }

  #giveUpQuestions(uri: string): void {
    this.#changes.get(uri)?.abort();
    this.#changes.delete(uri);
  }

  #knownOf(uri: string): CheckedText | undefined {
    const known = this.#known.get(uri);
    return known && known.key === this.#documents.get(uri)?.key ? known : undefined;
  }

  #later(uri: string): void {
    const timer = setTimeout(() => {
      this.#timers.delete(uri);
      this.check(uri);
    }, pause);
    this.#timers.set(uri, timer);
  }

  /** Cancels the waiting and running checks of a text. */
  #forget(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    this.#timers.delete(uri);
    this.#waiting = this.#waiting.filter(({ document }) => document.uri !== uri);
    if (this.#running?.uri === uri) this.#running.stop.abort();
  }

  async #next(): Promise<void> {
    if (this.#running) return;
    const job = this.#waiting.shift();
    if (!job) return;
    const { document } = job;
    const { uri, key } = document;
    const stop = new AbortController();
    this.#running = { uri, key, stop };
    this.checks += 1;
    try {
      // If the engine reads a text with errors, the errors are worth reporting.
      if (document.model || document.isReadByEngine) await this.#run(job, stop.signal);
      else this.#keep(document, findingsOf({ kind: 'unread', diagnostics: [] }));
    } finally {
      this.#running = undefined;
    }
    void this.#next();
  }

  async #run({ document, timeout }: Job, signal: AbortSignal): Promise<void> {
    const question = { kind: 'check', allAttacks: true, listsAttacks: true } as const;
    const eventQuestion = { kind: 'check', events: { against: 'both' } } as const;
    const asked = hasEvents(document) ? eventQuestion : question;
    let answered = await this.ask(document, asked, timeout, signal);
    // Only the engine's answer shows that a long text is a program of events.
    if (asked === question && answered.kind === 'answer' && hasEvents(answered))
      answered = await this.ask(document, eventQuestion, timeout, signal);
    if (signal.aborted) return;
    let found = findingsOf(answered);
    const read = document.isReadByEngine && 'diagnostics' in answered ? answered : undefined;
    const more = {
      ...(read && { said: [...read.diagnostics, ...racesIn(answered)] }),
      ...(read?.kind === 'answer' && { model: read.model }),
    };
    const keep = (added: Partial<Findings>): void => {
      found = { ...found, ...added };
      this.#keep(document, found, more);
    };
    keep({});
    const { state } = found;
    if (state === 'not-robust') {
      const fences = foundFences(await this.ask(document, { kind: 'fence' }, timeout, signal));
      if (signal.aborted) return;
      if (fences) keep({ fences });
    }
    const isDecided = state === 'robust' || state === 'not-robust';
    if (isDecided && mayDiffer(more.model ? more : document, found)) {
      const claims = claimFindingsOf(await this.ask(document, { kind: 'reach' }, timeout, signal));
      if (signal.aborted) return;
      if (claims) keep({ claims });
    }
    const model = (await this.engine.modelFor?.(fileOf(document.uri))) ?? 'tso';
    if (model === 'tso' || signal.aborted) return;
    const orders = foundOrders(await this.ask(document, { kind: 'c11', model }, timeout, signal));
    if (!signal.aborted && orders) keep({ orders });
  }

  #keep(
    { uri, key }: Document,
    findings: Findings,
    more: Pick<CheckedText, 'model' | 'said'> = {},
  ): void {
    const current = this.#documents.get(uri);
    if (current?.key !== key) return;
    this.#known.set(uri, { key, findings, ...more });
    this.#tell(current);
  }

  #tell(document: Document): void {
    const { uri, version } = document;
    if (this.#versions.get(uri) !== version) return;
    const { findings } = this.#knownOf(uri)!;
    const { state, detail, states, milliseconds } = findings;
    this.reports.status({ uri, version, state, detail, states, milliseconds });
    this.reports.changed(uri);
  }

  #say({ uri, version }: Document, state: 'stale' | 'checking'): void {
    if (this.#versions.get(uri) !== version) return;
    this.reports.status({ uri, version, state, detail: '', states: 0, milliseconds: 0 });
  }
}

/**
 * Whether SC and TSO may reach different states that matter: the program has properties or
 * assertions, or its threads may wait for ever because the program is not robust. The events of a
 * program of events are not checked for waiting.
 */
function mayDiffer(document: Pick<Document, 'model'>, { state }: Findings): boolean {
  return claimsSomething(document) || (state === 'not-robust' && !hasEvents(document));
}

/** Returns the file name for an address; other addresses are returned unchanged. */
export function fileOf(uri: string): string {
  if (!uri.startsWith('file://')) return uri;
  const file = decodeURIComponent(uri.slice('file://'.length));
  return /^\/[A-Za-z]:/.test(file) ? file.slice(1) : file;
}
