/** Refuses the name of a file that is there already, before anything is run for it. */
import { isThere } from '../../io/paths/look';
import { TapeError } from '../../tapes/format/tapeFile';
import { takenText } from './writeNew';

/** Throws TapeError where something exists at one of the paths. */
export const checkNew = (paths: readonly (string | undefined)[]): void => {
  const taken = paths.find((path) => path !== undefined && isThere(path));
  if (taken !== undefined) throw new TapeError(takenText(taken));
};
