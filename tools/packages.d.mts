export const packages: readonly string[];
