/** The packages that are published, in the order of their builds: none needs one behind it. */
export const packages = ['core', 'verifier', 'lsp', 'fleet', 'cli'];
