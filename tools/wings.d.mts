/** The wings, ground first; no wing is published by itself. */
export declare const wings: readonly string[];

/** By name of the wing: the files imported elsewhere, in the form of the manifest's exports. */
export declare function importedFiles(): ReadonlyMap<string, Readonly<Record<string, string>>>;

/** The exports of the manifest of a wing. */
export declare function exportedFiles(wing: string): Readonly<Record<string, string>>;
