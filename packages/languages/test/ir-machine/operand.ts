/** An operand: a register of the frame if not negative, else a constant of the function. */
export type Operand = number;
