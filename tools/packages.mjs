/** The packages in the order in which they are built: none needs one behind it. */
export const packages = ['core', 'verifier', 'cli'];
