/**
 * The version of the documents' format: it rises where a field loses its meaning, not where one is
 * added.
 */
export const jsonFormatVersion = 1;
