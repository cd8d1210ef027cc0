/** Colours of a terminal. */

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;

/** A colour or a weight of text. */
export type Style = keyof typeof CODES;

/** Gives text a style. */
export type Paint = (style: Style, text: string) => string;

export const colours: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;

/** Leaves text as it is, for pipes and files. */
export const noColours: Paint = (_style, text) => text;
