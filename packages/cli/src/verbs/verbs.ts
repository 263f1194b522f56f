import type { Actions } from '../command-line.js';

/** The verbs that look at one file and print by themselves. Each loads what it needs when it is needed. */
export const verbs: Omit<Actions, 'files'> = {
  verifyCertificate: async (...task) =>
    (await import('./verify-certificate.js')).verifyCertificateFile(...task),
  cover: async (...task) => (await import('./cover.js')).coverFile(...task),
  convert: async (...task) => (await import('./convert.js')).convertFile(...task),
};
