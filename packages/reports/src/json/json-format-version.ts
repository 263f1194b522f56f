/**
 * The version of the documents' format. The version rises if a field loses its meaning, not if a
 * field is added.
 */
export const jsonFormatVersion = 1;
