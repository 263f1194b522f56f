/** The machines whose instructions for memory orders have costs. */
export const orderTargets = ['armv8', 'power', 'riscv', 'x86'] as const;

export type OrderTarget = (typeof orderTargets)[number];
