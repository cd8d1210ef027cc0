/** The words of a command that the app-server reports as one line. */
import { splitWords } from '../../../streams/text/splitWords';

/** Splits a command line as a POSIX shell would; one that is cut off within quotes is split at white space. */
export const splitCommand = (line: string): string[] => splitWords(line) ?? line.split(/\s+/).filter(Boolean);
