import { asyncScheduler, mergeMap, NEVER, shareReplay, throwError, timer } from 'rxjs';
import { type ExecTransport, overStdio } from '../../../src/executor/remote/execTransport';
import { remoteBackend } from '../../../src/executor/remote/remoteBackend';
import { TransportError } from '../../../src/executor/transportError';
import type { PeerEvent } from '../../../src/io/processes/fromChild';
import type { ExecMessage } from '../../../src/protocol/exec/codec';
import { silentLog } from '../../../src/protocol/log';
import { ofKind } from '../../../src/streams/ofKind';
import { marbles } from '../../support/marbles';
import { transportOf } from '../../support/transport';
import { closed, exited, failed, output } from '../events';

const spec = { argv: ['p'], cwd: '/', env: {} };
const notificationOf = (method: string, params: object): ExecMessage => ({
  kind: 'notification',
  method,
  params: { processId: 'codex-rx-1', ...params },
});
const received: Record<string, ExecMessage> = {
  i: { kind: 'response', id: 2, result: { sessionId: 's' } },
  s: { kind: 'response', id: 3, result: { processId: 'codex-rx-1' } },
  n: { kind: 'response', id: 3, error: { code: -32603, message: 'No such file', data: { reason: 'p: No such file' } } },
  1: notificationOf('process/output', { seq: 1, stream: 'stdout', chunk: 'YQ==' }),
  2: notificationOf('process/output', { seq: 2, stream: 'pty', chunk: 'Yg==' }),
  x: notificationOf('process/exited', { seq: 3, exitCode: 4 }),
  z: notificationOf('process/closed', { seq: 4 }),
  o: notificationOf('process/output', { processId: 'other', seq: 1, stream: 'stdout', chunk: '' }),
};
const emitted = {
  S: { kind: 'started', process: expect.anything() },
  A: output(1, 'a'),
  B: output(2, 'b', 'pty'),
  X: exited(3, 4),
  Z: closed(4),
  F: failed(1, 'p: No such file'),
  L: failed(2, 'the connection to the exec-server was lost'),
  E: failed(1, 'broken'),
};
const backendOn = (transport: ExecTransport) =>
  remoteBackend({ transport, clientName: 'c', log: silentLog, clockMs: () => asyncScheduler.now(), idleMs: 5 });

describe('remoteBackend', () => {
  it(
    'emits that a process started before all else, then its events in order; keeps the connection a while',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const in$ = hot(' -i-o-1-s---x-2---z---------', received);
      const expected = '-------(SA)--(BX)(Z|)     ';
      const sub = '     ^---------------------!    ';
      expectObservable(backendOn(transportOf(in$).transport).start(spec)).toBe(expected, emitted);
      expectSubscriptions(in$.subscriptions).toBe(sub);
    }),
  );

  it.each<[string, string, string, string]>([
    ['closes an idle connection when the service is over', '--o', '-i-s-1-x-z-----', '^--------!'],
    ['closes one at once that becomes idle later', '-----------o', '-i-s-1-x-z-----', '^----------!'],
  ])('%s', (_, over, incoming, sub) =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const in$ = hot(incoming, {
        ...received,
        x: notificationOf('process/exited', { seq: 2, exitCode: 4 }),
        z: notificationOf('process/closed', { seq: 3 }),
      });
      const over$ = cold(over).pipe(shareReplay(1));
      const backend = remoteBackend({
        transport: transportOf(in$).transport,
        clientName: 'c',
        log: silentLog,
        clockMs: () => asyncScheduler.now(),
        over$,
      });
      expectObservable(over$); // it was there before the first process
      expectObservable(backend.start(spec)).toBe('---S-A-X-(Z|)', { ...emitted, X: exited(2, 4), Z: closed(3) });
      expectSubscriptions(in$.subscriptions).toBe(sub);
    })(),
  );

  it(
    'keeps the connection at the end for a process that has time to end by itself',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const t: ExecMessage = { kind: 'response', id: 4, result: { running: true } };
      const page = { chunks: [], nextSeq: 3, exited: true, exitCode: 0, closed: true, failure: null };
      const r: ExecMessage = { kind: 'response', id: 5, result: page };
      const in$ = hot(' -i-s--t---r---', { ...received, t, r });
      const sub = '     ^---------!   ';
      const over$ = cold('-----o').pipe(shareReplay(1));
      const backend = remoteBackend({
        transport: transportOf(in$).transport,
        clientName: 'c',
        log: silentLog,
        clockMs: () => asyncScheduler.now(),
        over$,
      });
      const grace = { inputMs: 1_000, termMs: 1_000 };
      expectObservable(over$);
      expectObservable(backend.start({ ...spec, grace }), '----!').toBe('---S-', emitted);
      expectSubscriptions(in$.subscriptions).toBe(sub);
    }),
  );

  it(
    'keeps the connection for a request of a process that is over, until its response',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const t: ExecMessage = { kind: 'response', id: 4, result: { running: false } };
      const in$ = hot('-i-s-1-x-z----------t---------', {
        ...received,
        x: notificationOf('process/exited', { seq: 2, exitCode: 4 }),
        z: notificationOf('process/closed', { seq: 3 }),
        t,
      });
      const sub = '    ^------------------------!    ';
      const terminated$ = backendOn(transportOf(in$).transport)
        .start(spec)
        .pipe(
          ofKind('started'),
          mergeMap(({ process }) => timer(9).pipe(mergeMap(() => process.terminate()))),
        );
      expectObservable(terminated$).toBe('--------------------(R|)', { R: false });
      expectSubscriptions(in$.subscriptions).toBe(sub);
    }),
  );

  it(
    'opens the next connection for a request that comes when an idle one is closed',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const t: ExecMessage = { kind: 'response', id: 5, result: { running: false } };
      const in$ = hot<ExecMessage>('-i-s-1-x-z-----------j--t-----', {
        ...received,
        x: notificationOf('process/exited', { seq: 2, exitCode: 4 }),
        z: notificationOf('process/closed', { seq: 3 }),
        t,
        j: { kind: 'response', id: 4, result: { sessionId: 's' } },
      });
      const terminated$ = backendOn(transportOf(in$).transport)
        .start(spec)
        .pipe(
          ofKind('started'),
          mergeMap(({ process }) => timer(17).pipe(mergeMap(() => process.terminate()))),
        );
      expectObservable(terminated$).toBe('------------------------(R|)', { R: false });
      expectSubscriptions(in$.subscriptions).toBe(['^-------------!', '--------------------^--------!']);
    }),
  );

  it.each<['repeat' | 'fail', string]>([
    ['repeat', 'the exec-server did not answer fs/x within 60 s'],
    ['fail', 'the exec-server did not answer fs/x within 60 s; whether it was done is not known'],
  ])('gives up a request that is never answered, with whether it may have been done: %s', (onLoss, message) =>
    marbles(({ hot, expectObservable }) => {
      const { request } = backendOn(
        transportOf(hot<ExecMessage>('-i----', { i: { ...received.i, id: 1 } as ExecMessage })).transport,
      );
      expectObservable(request('fs/x', {}, onLoss)).toBe('60s #', {}, new TransportError('ambiguous', message));
    })(),
  );

  it(
    'fails when the process did not start, with the reason of the server',
    marbles(({ hot, expectObservable }) => {
      const in$ = hot(' -i-n---', received);
      const expected = '---(F|)';
      expectObservable(backendOn(transportOf(in$).transport).start(spec)).toBe(expected, emitted);
    }),
  );

  it(
    'fails when the connection is lost, or never was, and opens no other to terminate what was lost with it',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const in$ = hot(' -i-s-1--|', received);
      const expected = '---S-A--(L|)';
      expectObservable(backendOn(transportOf(in$).transport).start(spec)).toBe(expected, emitted);
      expectSubscriptions(in$.subscriptions).toBe('^-------!');
      expectObservable(backendOn(() => throwError(() => new Error('broken'))).start(spec)).toBe('(E|)', emitted);
    }),
  );
});

describe('overStdio', () => {
  const line = Buffer.from('\n{"method":"m"}\n');
  it(
    'makes messages of lines, and errors when there is nobody to talk to',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot<PeerEvent>(' -o-e-f', {
        o: { kind: 'output', stream: 'stdout', chunk: line },
        e: { kind: 'output', stream: 'stderr', chunk: line },
        f: { kind: 'failed', reason: 'broken' },
      });
      const expected = '              -M---#';
      const transport = overStdio({ peer: () => event$, log: silentLog, program: 'p' });
      const message = { kind: 'notification', method: 'm', params: undefined };
      expectObservable(NEVER.pipe(transport)).toBe(expected, { M: message }, new Error('broken'));
    }),
  );
});
