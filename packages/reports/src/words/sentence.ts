/** Returns the words as a sentence, with a capital letter and a full stop. */
export const sentence = (words: string): string =>
  `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
