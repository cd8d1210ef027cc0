/** An executor that threads work on. */
import type { Executor } from '../../executor';

/** `member`: its name, where it is one of a pool. */
export type Reached = { executor: Executor; member?: string };
