import { firstValueFrom, of, shareReplay } from 'rxjs';
import {
  callNats,
  failWhenLost,
  type NatsOwn,
  receivedErrors,
  toHeaders,
  toMsgHeaders,
  withoutJetStream,
} from '../../../src/fleet/link/natsConnection';
import type { NatsState } from '../../../src/fleet/link/natsLink';
import { natsPackages } from '../../../src/fleet/link/natsPackages';
import { marbles } from '../../support/marbles';

const states: Record<string, NatsState> = {
  c: { kind: 'connected', server: 'h' },
  r: { kind: 'reconnecting' },
};

const failure = (kind: string, text: string) =>
  expect.objectContaining({ kind, message: expect.stringContaining(text) });

const never = () => new Promise<string>(() => {});

describe('callNats', () => {
  it('emits the result once there is a connection, and names what failed', async () => {
    const received = receivedErrors();
    const own = { state$: of<NatsState>({ kind: 'connected', server: 'h' }), received };
    expect(await firstValueFrom(callNats(own, { what: 'x', run: async () => 'done' }))).toBe('done');
    const cause = new Error('deep');
    const failed = callNats(own, { what: 'reading x', run: () => Promise.reject(new Error('odd', { cause })) });
    await expect(firstValueFrom(failed)).rejects.toMatchObject({ kind: 'failed', message: 'reading x: odd' });
    expect(received.has(cause)).toBe(true);
  });

  it(
    'runs nothing without a connection, and errors when none comes in time',
    marbles(({ cold, expectObservable, flush }) => {
      let runs = 0;
      const run = () => {
        runs += 1;
        return never();
      };
      const own = { state$: cold('r', states), received: receivedErrors() };
      expectObservable(callNats(own, { what: 'x', run })).toBe(
        '5s #',
        {},
        failure('timeout', 'x: no response in time'),
      );
      flush();
      expect(runs).toBe(0);
    }),
  );

  it(
    'errors at once when the connection is lost, and when the limit is over',
    marbles(({ cold, expectObservable }) => {
      const received = receivedErrors();
      const lost = { state$: cold('r--c--r', states).pipe(shareReplay({ bufferSize: 1, refCount: true })), received };
      const call = { what: 'x', run: never };
      expectObservable(callNats(lost, call)).toBe('------#', {}, failure('timeout', 'the connection was lost'));
      const open = { state$: cold('c', states), received };
      expectObservable(callNats(open, { ...call, limitMs: 7 })).toBe('-------#', {}, failure('timeout', 'in time'));
    }),
  );
});

describe('callNats without a response', () => {
  const call = { what: 'x', run: never, limitMs: 7 };

  it(
    'explains it if the reason is known, and passes as before',
    marbles(({ cold, expectObservable }) => {
      const own = { state$: cold('c', states), received: receivedErrors() };
      expectObservable(callNats(own, { ...call, whySilent: () => 'it is off' })).toBe(
        '-------#',
        {},
        failure('timeout', 'x: it is off'),
      );
    }),
  );

  it('explains no other failure', async () => {
    const own = { state$: of<NatsState>({ kind: 'connected', server: 'h' }), received: receivedErrors() };
    const failed$ = callNats(own, { what: 'x', run: () => Promise.reject(new Error('odd')), whySilent: () => 'off' });
    await expect(firstValueFrom(failed$)).rejects.toMatchObject({ message: 'x: odd' });
  });

  it('knows of a server without JetStream', () => {
    const why = (info?: object) =>
      withoutJetStream({ connection: { info, getServer: () => 'h' } as unknown as NatsOwn['connection'] })();
    expect(why({})).toMatch(/^h runs without JetStream: start it with -js -sd FOLDER/);
    expect([why({ jetstream: true }), why(undefined)]).toEqual([undefined, undefined]);
  });
});

describe('failWhenLost', () => {
  it(
    'errors with the loss, and emits nothing',
    marbles(({ cold, expectObservable }) => {
      const own = { state$: cold('c--r', states) };
      expectObservable(failWhenLost(own, 'x')).toBe('---#', {}, failure('timeout', 'x: the connection was lost'));
      expectObservable(failWhenLost({ state$: cold('c--|', states) }, 'x')).toBe('---|');
    }),
  );
});

describe('toMsgHeaders', () => {
  it('makes headers that are read as they were', () => {
    const headers = { A: '1', 'Codex-Rx-At': '0' };
    expect(toHeaders(toMsgHeaders(natsPackages(), headers))).toEqual(headers);
    expect(toMsgHeaders(natsPackages(), {})).toBeUndefined();
    expect(toHeaders(undefined)).toEqual({});
  });
});

describe('receivedErrors', () => {
  it('has an error and its causes, even if they cause each other', () => {
    const received = receivedErrors();
    const [deep, other] = [new Error('deep'), new Error('other')];
    const outer = new Error('outer', { cause: deep });
    deep.cause = outer;
    received.add(outer);
    received.add('text');
    received.add(null);
    expect([outer, deep, other].map(received.has)).toEqual([true, true, false]);
  });
});
