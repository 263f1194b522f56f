/** The source of `generated/grammar-json.ts`, from that of `generated/grammar.ts`. */
export declare function grammarJsonModule(generated: string): string;
