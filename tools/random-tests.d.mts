/** Returns the test files below a folder, as paths from the root, in the order of their names. */
export declare function testFiles(folder: string): string[];

/**
 * Whether a test file draws random programs, texts or forgeries, itself or by a module that it
 * imports from its own folder.
 */
export declare function isRandom(file: string): boolean;

/** Whether a campaign runs a test file at greater length than `npm test`. */
export declare function isLongerInCampaigns(file: string): boolean;
