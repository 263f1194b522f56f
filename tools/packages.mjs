/** The published packages, in build order: no package needs a later package. */
export const packages = ['core', 'verifier', 'lsp', 'fleet', 'cli'];
