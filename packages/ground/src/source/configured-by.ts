import { type Diagnostic, make } from './diagnostic.js';

/**
 * The note that a configuration file had a part in a result. `settings` are what it set, such as
 * `limits.timeout = 60`.
 */
export function configuredBy(file: string, settings: readonly string[]): Diagnostic {
  return make('FW1017', undefined, `${file} sets ${settings.join(', ')}`);
}
