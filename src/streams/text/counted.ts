/** A number with its noun. */

/** `1 call`, `2 calls`; for nouns with a regular plural. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
