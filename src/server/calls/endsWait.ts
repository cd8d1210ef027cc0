/** Which outputs a request has waited for. */
import type { CallOutput } from './step';

/**
 * True for the output after which the request that began or resumed the call no longer waits. Not for `rejected`: that request never waited,
 * and another one for the same call may.
 */
export const endsWait = <C>({ kind }: Pick<CallOutput<C>, 'kind'>): boolean =>
  kind === 'suspended' || kind === 'cancelled' || kind === 'finished';
