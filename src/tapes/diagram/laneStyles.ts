/** The lanes of a live session, and their colours in a terminal. */
import type { Style } from '../../io/terminal/paint';

/** From top to bottom; the last two are inner seams. */
export const LANES = ['request', 'answer', 'event', 'progress', 'question', 'model', 'executor'] as const;
/** A lane; `log` is not drawn in the diagram. */
export type Lane = (typeof LANES)[number] | 'log';

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
