/**
 * The version of the format of JSON documents. It increases if a field changes its meaning, not if
 * a field is added.
 */
export const jsonFormatVersion = 1;
