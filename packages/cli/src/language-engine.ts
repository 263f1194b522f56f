import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RobustnessModel } from '@fencewright/core';
import type { EngineAnswer, EngineQuestion, Engine } from '@fencewright/lsp';
import { configurationName, findConfiguration } from './configuration/find-configuration.js';
import { readConfigured } from './configuration/read-configured.js';
import type { FileFinding } from './finding.js';
import type { FileTask } from './run-here.js';
import { findOnThread } from './run-in-workers.js';
import type { Request } from './run-settings.js';
import { cSettingsOf } from './settings.js';
import { workerScript } from './worker-script.js';
import { WorkThread } from './work-thread.js';
import { needsCompiler } from './formats.js';

/**
 * The number of milliseconds in which a cancelled search can end by itself before its thread is
 * ended.
 */
const graceAfterCancel = 500;

function answeredBy(finding: FileFinding): EngineAnswer {
  switch (finding.kind) {
    case 'answer': {
      const { read, result } = finding;
      return { kind: 'answer', model: read.model, result, diagnostics: read.diagnostics };
    }
    case 'unread':
    case 'unread-costs':
      return { kind: 'unread', diagnostics: finding.loaded.diagnostics };
    case 'overrun':
      return { kind: 'stopped', reason: finding.reason };
    case 'cancelled':
      return { kind: 'stopped', reason: 'cancelled' };
    case 'too-deep':
      return { kind: 'failed', message: 'the program is nested too deeply' };
    case 'failed':
      return { kind: 'failed', message: finding.failure.message };
  }
}

/**
 * Whether the editor's text is saved: a compiler reads the file, not the editor's text. A file that
 * is not UTF-8 cannot be compared, and counts as saved.
 */
async function holds(file: string, text: string): Promise<boolean> {
  try {
    const content = await readFile(file, 'utf8');
    return content.includes('\uFFFD') || content.replace(/^\uFEFF/, '') === text;
  } catch {
    return false;
  }
}

/**
 * Returns the settings for C of the configuration that applies to the folder of a file; `undefined`
 * if the configuration has errors.
 */
async function configuredFor(file: string): Promise<Pick<Request, 'c' | 'configured'> | undefined> {
  const found = findConfiguration(path.dirname(file));
  if (found?.kind !== 'found') return {};
  const configuration = await readConfigured(found.file, false);
  if (configuration.kind === 'refused') return undefined;
  const { include, define, std, args, assume, programs } = configuration.settings;
  const present = Object.entries({ include, define, std, args, assume, programs }).filter(
    ([, setting]) => setting !== undefined,
  );
  const values = Object.fromEntries(present.map(([name, setting]) => [name, setting!.value]));
  const settings = present.flatMap(([name, setting]) => (name === 'programs' ? [] : setting!.text));
  const c = cSettingsOf(values as unknown as Parameters<typeof cSettingsOf>[0]);
  return { c, configured: { file: found.file, settings } };
}

/**
 * Answers the language server's questions on a thread, which is ended and restarted if it does not
 * react.
 */
export class LanguageEngine implements Engine {
  readonly #thread = new WorkThread(workerScript);

  async modelFor(file: string): Promise<RobustnessModel> {
    const found = findConfiguration(path.dirname(file));
    const configuration = found?.kind === 'found' && (await readConfigured(found.file, false));
    if (!configuration || configuration.kind === 'refused') return 'tso';
    return (configuration.settings.model?.value as RobustnessModel | undefined) ?? 'tso';
  }

  async ask(
    { file, format, text, question, limits }: EngineQuestion,
    signal: AbortSignal,
  ): Promise<EngineAnswer> {
    if (needsCompiler(format) && !(await holds(file, text)))
      return {
        kind: 'failed',
        message: 'C is compiled from the saved file, which is older than this text: save the file',
      };
    const configured = needsCompiler(format) ? await configuredFor(file) : {};
    if (configured === undefined)
      return { kind: 'failed', message: `${configurationName} has errors` };
    const request: Request = { question, limits, from: format, ...configured };
    const task: FileTask = { request, signal, onProgress: () => undefined };
    const given = { kind: 'text', text } as const;
    return answeredBy(await findOnThread(this.#thread, file, task, { given, graceAfterCancel }));
  }
}
