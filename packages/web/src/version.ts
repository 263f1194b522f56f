declare const FENCEWRIGHT_VERSION: string | undefined;

/** The version of the tool, set in the build of the site. */
export const version =
  typeof FENCEWRIGHT_VERSION === 'string' ? FENCEWRIGHT_VERSION : 'development';
