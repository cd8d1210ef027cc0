/** Failures of the server as those of a thread store. */
import { catchError, type MonoTypeOperatorFunction, throwError } from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { ThreadError } from '../../threads/threadError';

/** Makes a ThreadError of a NatsError, with the store's address; passes other errors on. */
export const inNats = <T>(address: string): MonoTypeOperatorFunction<T> =>
  catchError((error: unknown) =>
    throwError(() => (error instanceof NatsError ? new ThreadError(faultText(address, error)) : error)),
  );

const faultText = (address: string, { kind, message }: NatsError): string =>
  `The thread store ${address} cannot be used: ${message}.${REMEDIES[kind] ?? ''}`;

const REMEDIES: Partial<Record<NatsError['kind'], string>> = {
  unreachable: ' Check the address in thread_store of config.toml.',
  timeout: ' Call again when the server answers.',
  noResponder: ' Call again in some seconds.',
  address: ' Set thread_store in config.toml.',
};
