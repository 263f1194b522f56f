/** The path of the module with the compiled kernel. */
export const kernelModule: string;
/** The expected text of the module. */
export function buildKernel(): Promise<string>;
