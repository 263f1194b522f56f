/** Lets the readers of an NBW program go on: their read of the buffer leads to r4, not to r3. */
export declare function mendReaders(text: string): string;
