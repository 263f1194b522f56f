/** The wings, ground first; none is published by itself. */
export declare const wings: readonly string[];

/** For each wing, by its name: the files that others import, as the manifest exports them. */
export declare function importedFiles(): ReadonlyMap<string, Readonly<Record<string, string>>>;

/** What the manifest of a wing exports. */
export declare function exportedFiles(wing: string): Readonly<Record<string, string>>;
