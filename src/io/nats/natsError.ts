/** What went wrong with a NATS server, by kind. */

/**
 * `missing`: its packages are not installed. `address`: the address cannot be used. `unreachable`: no server answered, or it is lost for good.
 * `refused`: the server denies the login or the subject. `noResponder`: nobody serves that subject now, as while a cluster elects a leader.
 * `timeout`: no response in time; what was sent may have arrived. `absent`: there is no such stream or bucket. `full`: the stream takes no more.
 * `large`: the server takes no message of this size. `conflict`: something else was written since, or another has the name. `failed`: all else.
 */
export type NatsFailure =
  | 'missing'
  | 'address'
  | 'unreachable'
  | 'refused'
  | 'noResponder'
  | 'timeout'
  | 'absent'
  | 'full'
  | 'large'
  | 'conflict'
  | 'failed';

/** A failure of a connection to NATS; its message names no credential. */
export class NatsError extends Error {
  override name = 'NatsError';
  constructor(
    readonly kind: NatsFailure,
    message: string,
  ) {
    super(message);
  }
}

/** True for a failure of one of these kinds. */
export const isNatsFailure = (error: unknown, ...kinds: readonly NatsFailure[]): error is NatsError =>
  error instanceof NatsError && kinds.includes(error.kind);

/** True for failures that pass: the same attempt may succeed a little later. */
export const isPassing = (error: unknown): boolean => isNatsFailure(error, 'timeout', 'noResponder');
