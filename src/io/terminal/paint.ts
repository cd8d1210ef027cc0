/** Colours of a terminal. Own code: a library of colours writes sequences of its choice, and `toTerminalLine` must know each that is ours. */
import { toVisible } from '../../streams/text/visible';

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;

/** A colour or a weight of text. */
export type Style = keyof typeof CODES;

/** Gives text a style. Nothing else in the text can command a terminal. */
export type Paint = (style: Style, text: string) => string;

/** Paints by SGR sequences. */
export const colours: Paint = (style, text) => `\u001b[${CODES[style]}m${toVisible(text)}\u001b[0m`;

/** Paints nothing, for pipes and files. */
export const noColours: Paint = (_style, text) => toVisible(text);

const OWN = new RegExp(`(\\u001b\\[(?:0|${Object.values(CODES).join('|')})m)`);

/** A line for a terminal: only the sequences that `colours` writes stay, all others are made visible. */
export const toTerminalLine = (line: string): string =>
  line
    .split(OWN)
    .map((part, i) => (i % 2 === 1 ? part : toVisible(part)))
    .join('');
