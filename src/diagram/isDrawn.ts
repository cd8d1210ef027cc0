/** Decides which entries are drawn. */
import { CHANCE_SEAM, isTimerSeam } from '../tape';

/** False for seams that only running the daemon again needs: what chance drew, and when timers were due. */
export const isDrawn = ({ seam }: { seam?: string }): boolean =>
  seam === undefined || (seam !== CHANCE_SEAM && !isTimerSeam(seam));
