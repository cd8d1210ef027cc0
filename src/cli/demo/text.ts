/** Makes any text safe and short enough for one line of a terminal. */
import { toVisible } from '../../io/log/toPlain';

/** One line without control sequences: a line break shows as ⏎, other invisible characters as escapes. */
export const plain = (text: string): string => toVisible(text.trimEnd().replaceAll(/\r?\n/g, ' ⏎ '));

/** A text in quotes, in one line. */
export const quoted = (text: unknown): string => `"${plain(String(text ?? ''))}"`;
