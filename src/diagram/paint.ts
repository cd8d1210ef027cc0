/** Owns the lanes of a picture and the colours of a terminal. */

/** From top to bottom; the last two are inner seams. */
export const LANES = ['request', 'answer', 'event', 'progress', 'question', 'model', 'executor'] as const;
/** A lane; `log` is not drawn. */
export type Lane = (typeof LANES)[number] | 'log';

/** A text in a style, or as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;
export type Style = keyof typeof CODES;

export const colours: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
export const noColours: Paint = (_style, text) => text;

/** The colour of a lane, the same in the live lines and in the diagram. */
export const styleOf: Record<Lane, Style> = {
  request: 'cyan',
  answer: 'green',
  event: 'blue',
  progress: 'dim',
  question: 'yellow',
  model: 'magenta',
  executor: 'magenta',
  log: 'magenta',
};
