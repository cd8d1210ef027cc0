/** An executor as an engine sees it: recorded, or played from a tape. */
import type { Executor, Reached } from '../../executor/backend';
import { seamsOf, type Wiring } from '../wiring/wiring';

export type RecordedExecutor = Reached & {
  /** Sends requests that are not recorded: patches are recorded as a whole. */
  plain: Executor['request'];
};

/** The same executor behind the seams of the engine. */
export const recorded = (
  wiring: Pick<Wiring, 'seams' | 'tape'>,
  { executor: { start, request }, ...rest }: Reached,
): RecordedExecutor => {
  const seams = seamsOf(wiring);
  return { ...rest, plain: request, executor: { ...seams.backend({ start }), request: seams.requests(request) } };
};
