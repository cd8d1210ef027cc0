import { firstValueFrom, of, shareReplay } from 'rxjs';
import { callNats, failWhenLost, toHeaders, toMsgHeaders } from '../../../src/transport/nats/natsConnection';
import type { NatsState } from '../../../src/transport/nats/natsLink';
import { natsPackages } from '../../../src/transport/nats/natsPackages';
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
    const own = { state$: of<NatsState>({ kind: 'connected', server: 'h' }) };
    expect(await firstValueFrom(callNats(own, { what: 'x', run: async () => 'done' }))).toBe('done');
    const failed = callNats(own, { what: 'reading x', run: () => Promise.reject(new Error('odd')) });
    await expect(firstValueFrom(failed)).rejects.toMatchObject({ kind: 'failed', message: 'reading x: odd' });
  });

  it(
    'runs nothing without a connection, and errors when none comes in time',
    marbles(({ cold, expectObservable, flush }) => {
      let runs = 0;
      const run = () => {
        runs += 1;
        return never();
      };
      const own = { state$: cold('r', states) };
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
      const lost = { state$: cold('r--c--r', states).pipe(shareReplay({ bufferSize: 1, refCount: true })) };
      const call = { what: 'x', run: never };
      expectObservable(callNats(lost, call)).toBe('------#', {}, failure('timeout', 'the connection was lost'));
      const open = { state$: cold('c', states) };
      expectObservable(callNats(open, { ...call, limitMs: 7 })).toBe('-------#', {}, failure('timeout', 'in time'));
    }),
  );
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
