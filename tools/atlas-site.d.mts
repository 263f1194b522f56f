/** Returns the page of the atlas for the playground. */
export function atlasPage(policy: string): Promise<string>;
