/** The file that holds script and style of the page. */
export const pageModule: string;
/** What that file should contain. */
export function buildPage(): Promise<string>;
