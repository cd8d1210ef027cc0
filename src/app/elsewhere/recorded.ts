/** An executor as an engine has it: recorded, or of a tape. */
import type { Reached } from '../engines/reached';
import { seamsOf, type Wiring } from '../engines/wiring';

/** The same executor behind the seams of the engine. */
export const recorded = (
  wiring: Pick<Wiring, 'seams' | 'tape'>,
  { executor: { start, request }, ...rest }: Reached,
): Reached => {
  const seams = seamsOf(wiring);
  return { ...rest, executor: { ...seams.backend({ start }), request: seams.requests(request) } };
};
