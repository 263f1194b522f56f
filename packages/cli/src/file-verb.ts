/** The verbs that look at any number of files, one by one. */
export type FileVerb = 'check' | 'explain' | 'reach' | 'fence' | 'trf' | 'bench' | 'prove';
