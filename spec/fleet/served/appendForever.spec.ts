import { defer, EMPTY, type Observable, of, throwError } from 'rxjs';
import { appendForever } from '../../../src/fleet/served/appendForever';
import { NatsError, type NatsFailure } from '../../../src/io/nats/natsAddress';
import { silentLog } from '../../../src/protocol/log';
import { marbles } from '../../support/marbles';

const message = { subject: 's', data: new Uint8Array(), headers: {}, id: 's:1', isOneEvent: true };

/** A stream whose attempts fail with these, one after another, and which then takes the message. */
const failing = (failures: readonly NatsFailure[]) => {
  const log: string[] = [];
  const left = [...failures];
  const append = ({ id }: { id?: string }): Observable<{ seq: number; isDuplicate: boolean }> =>
    defer(() => {
      const kind = left.shift();
      log.push(`append ${id}`);
      return kind === undefined ? of({ seq: 7, isDuplicate: false }) : throwError(() => new NatsError(kind, kind));
    });
  const done = (what: string) => () =>
    defer(() => {
      log.push(what);
      return what === 'room' ? EMPTY : throwError(() => new Error('not now'));
    });
  return { log, deps: { link: { append }, makeRoom: done('room'), makeStream: done('stream'), log: silentLog } };
};

const large = new NatsError('large', 'large');

describe('appendForever', () => {
  it(
    'emits where the stream has the message',
    marbles(({ expectObservable }) => {
      const { deps } = failing([]);
      expectObservable(appendForever(deps)(message)).toBe('(s|)', { s: { seq: 7, isDuplicate: false } });
    }),
  );

  it(
    'sends it again with its id, ever more slowly, and does what helps, whether that works or not',
    marbles(({ expectObservable, flush }) => {
      const { deps, log } = failing(['timeout', 'full', 'noResponder', 'refused', 'failed', 'timeout', 'timeout']);
      const waits = 100 + 200 + 400 + 800 + 1600 + 2000 + 2000;
      expectObservable(appendForever(deps)(message)).toBe(`${waits}ms (s|)`, { s: { seq: 7, isDuplicate: false } });
      flush();
      expect(log.filter((line) => line !== 'append s:1')).toEqual(['stream', 'room', 'stream', 'stream', 'stream']);
      expect(log.filter((line) => line === 'append s:1')).toHaveLength(8);
    }),
  );

  it(
    'logs once that output waits',
    marbles(({ expectObservable, flush }) => {
      const { deps } = failing(['timeout', 'timeout', 'full']);
      const logged: unknown[] = [];
      const log = (...record: unknown[]) => void logged.push(record);
      expectObservable(appendForever({ ...deps, log })(message)).toBe('700ms (s|)', {
        s: { seq: 7, isDuplicate: false },
      });
      flush();
      expect(logged).toEqual([['warning', 'output waits for the stream', { reason: 'timeout' }]]);
    }),
  );

  it(
    'errors where several events are too large for the server together; one waits for it',
    marbles(({ expectObservable }) => {
      const several = { ...message, isOneEvent: false };
      expectObservable(appendForever(failing(['timeout', 'large']).deps)(several)).toBe('100ms #', {}, large);
      expectObservable(appendForever(failing(['large']).deps)(message)).toBe('100ms (s|)', {
        s: { seq: 7, isDuplicate: false },
      });
    }),
  );

  it(
    'stops with its reader',
    marbles(({ expectObservable, flush }) => {
      const { deps, log } = failing(['full', 'full', 'full']);
      expectObservable(appendForever(deps)(message), '250ms !').toBe('-');
      flush();
      expect(log).toEqual(['append s:1', 'room', 'append s:1', 'room']);
    }),
  );
});
