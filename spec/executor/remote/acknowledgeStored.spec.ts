import { Subject, takeWhile } from 'rxjs';
import type { Process, Started } from '../../../src/executor/backend';
import { acknowledgeStored } from '../../../src/executor/remote/acknowledgeStored';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { marbles } from '../../support/marbles';
import { bytes, closed, failed } from '../events';

const events: Record<string, Started | ProcessEvent> = {
  S: { kind: 'started', process: {} as Process },
  a: bytes(1, 1_000_000),
  b: bytes(2, 48_576),
  c: bytes(3, 10),
  z: closed(4),
  F: failed(1, 'no'),
};

/** Passes all on, and acknowledges these at these frames. */
const acknowledges = (script: string, acknowledged: string) =>
  marbles(({ hot, expectObservable }) => {
    const acknowledged$ = new Subject<string>(); // the wire from the operator to what the spec expects
    const acknowledge = (seq: number) => acknowledged$.next(String(seq));
    expectObservable(acknowledged$).toBe(acknowledged);
    expectObservable(hot(script, events).pipe(acknowledgeStored(acknowledge))).toBe(script, events);
  });

describe('acknowledgeStored', () => {
  it('acknowledges a MiB at once, and begins anew', acknowledges('S-a-b-c-', '----2 497ms 3'));

  it('acknowledges half a second after an event at the latest', acknowledges('S-c 700ms c 600ms |', '-- 500ms 3'));

  it('acknowledges once where nothing came since', acknowledges('S-(ab) 900ms |', '--2'));

  it('acknowledges nothing of a failure', acknowledges('F|', '-'));

  it(
    'acknowledges the close at once, before it is passed on to a reader that ends with it',
    marbles(({ hot, expectObservable }) => {
      const acknowledged$ = new Subject<string>(); // the wire from the operator to what the spec expects
      const acknowledge = (seq: number) => acknowledged$.next(String(seq));
      expectObservable(acknowledged$).toBe('----4');
      const out$ = hot('S-c-z-', events).pipe(
        acknowledgeStored(acknowledge),
        takeWhile(({ kind }) => kind !== 'closed', true),
      );
      expectObservable(out$).toBe('S-c-(z|)', events);
    }),
  );
});
