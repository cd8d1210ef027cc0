/** The sentence for a command that failed because something keeps it that no approval lifts. */
import type { ImposedLimit } from '../executor';
import { isLikelyDenied } from '../safety';

/** How a command ended, and what kept it. */
export type EndedCommand = { keptBy: ImposedLimit | undefined; exitCode: number; stdout: string; stderr: string };

/** The sentence; undefined where nothing kept the command, or it does not seem to have been denied anything. */
export const limitNote = ({ keptBy, ...ended }: EndedCommand): string | undefined =>
  keptBy !== undefined && isLikelyDenied({ ...ended, network: keptBy.network })
    ? `This may be a limit that no approval lifts: ${keptBy.text}.`
    : undefined;

/** The text with the sentence after it, in a line of its own. */
export const withNote = (text: string, note: string | undefined): string => {
  if (note === undefined) return text;
  return text === '' || text.endsWith('\n') ? `${text}${note}` : `${text}\n${note}`;
};
