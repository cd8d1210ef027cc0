/** The note on a command that failed because of a limit that no approval lifts. */
import type { ImposedLimit } from '../../executor/backend';
import { isLikelyDenied } from '../../executor/sandbox/isLikelyDenied';

/** How a command ended, and the limit that restricted it. */
export type EndedCommand = { keptBy: ImposedLimit | undefined; exitCode: number; stdout: string; stderr: string };

/** The note; undefined where no limit restricted the command, or it does not seem to have been denied anything. */
export const limitNote = ({ keptBy, ...ended }: EndedCommand): string | undefined =>
  keptBy !== undefined && isLikelyDenied({ ...ended, network: keptBy.network })
    ? `This may be a limit that no approval lifts: ${keptBy.text}.`
    : undefined;

/** The text followed by the note, on a line of its own. */
export const withNote = (text: string, note: string | undefined): string => {
  if (note === undefined) return text;
  return text === '' || text.endsWith('\n') ? `${text}${note}` : `${text}\n${note}`;
};
