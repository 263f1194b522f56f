/** The path of the module with script and style of the page. */
export const pageModule: string;
/** The expected text of the module. */
export function buildPage(): Promise<string>;
