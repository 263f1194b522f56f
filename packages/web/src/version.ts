declare const FENCEWRIGHT_VERSION: string | undefined;

/** Of the tool; set when the site is built. */
export const version =
  typeof FENCEWRIGHT_VERSION === 'string' ? FENCEWRIGHT_VERSION : 'development';
