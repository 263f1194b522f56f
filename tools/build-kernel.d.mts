/** The file that holds the compiled kernel. */
export const kernelModule: string;
/** What that file should contain. */
export function buildKernel(): Promise<string>;
