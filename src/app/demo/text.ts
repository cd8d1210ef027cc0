/** Makes any text safe and short enough for one line of a terminal. */
import { toVisible } from '../../log';

/** One line in which nothing commands the terminal: a line break shows as ⏎, other characters that are not seen as escapes. */
export const plain = (text: string): string => toVisible(text.trimEnd().replaceAll(/\r?\n/g, ' ⏎ '));

/** A text in quotes, in one line. */
export const quoted = (text: unknown): string => `"${plain(String(text ?? ''))}"`;
