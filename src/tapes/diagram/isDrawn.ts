/** Decides which entries are drawn. */
import { CHANCE_SEAM, isTimerSeam } from '../format/seams';

/** False for seams that only a rerun of the daemon needs: values that were drawn, and timers. */
export const isDrawn = ({ seam }: { seam?: string }): boolean =>
  seam === undefined || (seam !== CHANCE_SEAM && !isTimerSeam(seam));
