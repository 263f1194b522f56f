import { type Diagnostic, make } from './diagnostic.js';

/**
 * Reports that a configuration file affected a result. `settings` are the settings made, such as
 * `limits.timeout = 60`.
 */
export function configuredBy(file: string, settings: readonly string[]): Diagnostic {
  return make('FW1017', undefined, `${file} sets ${settings.join(', ')}`);
}
