/** Sessions, and the connections they outlive. */
import { concat, NEVER, of, Subject } from 'rxjs';
import type { Started } from '../../../src/executor/backend';
import { type Ended, execServer } from '../../../src/executor/server/execServer';
import type { ExecSessions } from '../../../src/executor/server/execSessions';
import type { ExecMessage, ExecOutgoing } from '../../../src/protocol/exec/codec';
import type { OutputPage, ProcessEvent } from '../../../src/protocol/exec/process';
import { type Backpressure, noBackpressure } from '../../../src/streams/backpressure';
import { marbles } from '../../support/marbles';
import { output } from '../events';
import { ask, BROKEN, calm, HELLO, notificationOf, REPLACED, refusal, result, sessionsOf, startOf } from './support';

const depsAt = (sessions: ExecSessions) => ({ sessions, backpressure: noBackpressure, source: 'it', log: () => {} });
const connectTo = (sessions: ExecSessions, backpressure: Backpressure = noBackpressure) =>
  execServer({ ...depsAt(sessions), backpressure });
const resume = ask(7, 'initialize', { clientName: 'c', resumeSessionId: 'session' });
const start = ask(1, 'process/start', startOf('p', { pipeStdin: true }));
const chunkOf = (text: string) => Buffer.from(text).toString('base64');
const says = (seq: number, text: string) =>
  notificationOf('process/output', { processId: 'p', seq, stream: 'stdout', chunk: chunkOf(text) });
const life: Record<string, Started | ProcessEvent> = {
  s: { kind: 'started', process: calm },
  1: output(1, 'a'),
  2: output(2, 'b'),
  3: output(3, 'c'),
  4: output(4, 'd'),
};
const sent: Record<string, ExecOutgoing | Ended> = {
  I: result(0, { sessionId: 'session' }),
  J: result(7, { sessionId: 'session' }),
  S: result(1, { processId: 'p' }),
  A: says(1, 'a'),
  B: says(2, 'b'),
  C: says(3, 'c'),
  D: says(4, 'd'),
  X: refusal(7, -32010, 'session session is already attached to another connection'),
  U: refusal(7, -32600, 'unknown session id session'),
  x: BROKEN,
  y: REPLACED,
};
const received: Record<string, ExecMessage> = { ...HELLO, s: start, r: resume };

describe('a session', () => {
  it(
    'goes on without a connection, sends the next one what comes from then on, and ends when none comes',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const life$ = cold('     s-1-2-3-4', life);
      const first$ = hot(' -i-n-s--|        ', received);
      const expected = '   -I---S-A|        ';
      const second$ = hot('----------r-----|', received);
      const again = '      ----------JC-D--|';
      const sub = '        -----^-------------------!';
      const sessions = sessionsOf(() => life$, { graceMs: 9 });
      expectObservable(first$.pipe(connectTo(sessions))).toBe(expected, sent);
      expectObservable(second$.pipe(connectTo(sessions))).toBe(again, sent);
      expectSubscriptions(life$.subscriptions).toBe(sub);
    }),
  );

  it(
    'is refused to a second connection while the first has it, and unknown when it is over',
    marbles(({ hot, expectObservable }) => {
      const sessions = sessionsOf(() => NEVER, { graceMs: 2 });
      expectObservable(hot('-i--|', received).pipe(connectTo(sessions))).toBe('-I--|', sent);
      expectObservable(hot('--r---|', received).pipe(connectTo(sessions))).toBe('--X---|', sent);
      expectObservable(hot('-------r-|', received).pipe(connectTo(sessions))).toBe('-------U-|', sent);
    }),
  );

  it(
    'goes over to a second connection if the client of the first does not answer, and the first ends',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const life$ = cold('     s---1-----2', life);
      const there$ = cold('            ---(n|)', { n: false });
      const first$ = hot(' -(in)s------------', received);
      const expected = '   -I---S---A--(y|)     ';
      const second$ = hot('---------r--------', received);
      const again = '      ------------J--B--';
      const asks = '       ---------^--!     ';
      const sub = '        -----^------------';
      const sessions = sessionsOf(() => life$, { graceMs: 0 });
      const first = execServer({ ...depsAt(sessions), isAlive: () => there$ });
      expectObservable(first$.pipe(first)).toBe(expected, sent);
      expectObservable(second$.pipe(connectTo(sessions))).toBe(again, sent);
      expectSubscriptions(there$.subscriptions).toBe(asks);
      expectSubscriptions(life$.subscriptions).toBe(sub);
    }),
  );

  it(
    'stays with a client that answers, and keeps what the other one sends meanwhile waiting',
    marbles(({ hot, cold, expectObservable }) => {
      const there$ = cold('           --(y|)', { y: true });
      const first$ = hot(' -i-----------------', received);
      const second$ = hot('--------rn---------', received);
      const again = '      ----------(Xx|)     '; // initialized without a session breaks the protocol
      const sessions = sessionsOf(() => NEVER, { graceMs: 9 });
      const first = execServer({ ...depsAt(sessions), isAlive: () => there$ });
      expectObservable(first$.pipe(first)).toBe('-I-----------------', sent);
      expectObservable(second$.pipe(connectTo(sessions))).toBe(again, sent);
    }),
  );

  it('answers thousands of requests that waited for a resume', () => {
    const there$ = new Subject<boolean>();
    const sessions = sessionsOf(() => NEVER, { graceMs: 9 });
    const [first$, second$] = [new Subject<ExecMessage>(), new Subject<ExecMessage>()];
    const ids: unknown[] = [];
    first$.pipe(execServer({ ...depsAt(sessions), isAlive: () => there$ })).subscribe();
    second$.pipe(connectTo(sessions)).subscribe((sent) => ids.push('id' in sent && sent.id));
    first$.next(HELLO.i);
    second$.next(resume);
    second$.next(HELLO.n);
    const all = Array.from({ length: 20_000 }, (_, i) => i);
    for (const id of all) second$.next(ask(id, 'environment/status'));
    there$.next(false);
    there$.complete();
    expect(ids).toEqual([7, ...all]);
    second$.complete();
  });

  it(
    'outlives a connection that broke the protocol',
    marbles(({ hot, expectObservable }) => {
      const sessions = sessionsOf(() => NEVER, { graceMs: 9 });
      const broken = { ...received, b: { kind: 'notification', method: 'no', params: {} } as ExecMessage };
      expectObservable(hot('-i-b', broken).pipe(connectTo(sessions))).toBe('-I-(x|)', sent);
      expectObservable(hot('----r', received).pipe(connectTo(sessions))).toBe('----J', sent);
    }),
  );

  it(
    'ends at once when the server ends, also one that waits for its client',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const life$ = cold('    s---', life);
      const in$ = hot('  -(in)s-|', received);
      const stop$ = hot('---------s', received);
      const sub = '      -----^---!';
      const sessions = sessionsOf(() => life$, { graceMs: 99, stop$ });
      expectObservable(in$.pipe(connectTo(sessions))).toBe('-I---S-|', sent);
      expectSubscriptions(life$.subscriptions).toBe(sub);
    }),
  );

  it(
    'gives the answer to nobody but the connection that asked',
    marbles(({ hot, cold, expectObservable }) => {
      const page: OutputPage = { chunks: [], nextSeq: 1, exited: false, exitCode: null, closed: false, failure: null };
      const read = () => cold('-----p', { p: page });
      const sessions = sessionsOf(() => cold('s', { s: { kind: 'started', process: { ...calm, read } } as Started }), {
        graceMs: 9,
      });
      const asked = { ...received, p: ask(7, 'process/read', { processId: 'p', waitMs: 9 }) };
      expectObservable(hot('-(in)s-p-|', asked).pipe(connectTo(sessions))).toBe('-I---S---|', sent);
      expectObservable(hot('----------r---', received).pipe(connectTo(sessions))).toBe('----------J---', sent);
    }),
  );

  it('knows a write it had, on another connection too', () => {
    const stop$ = new Subject<void>();
    const write = jest.fn(() => of('stdinClosed' as const));
    const sessions = sessionsOf(() => concat(of<Started>({ kind: 'started', process: { ...calm, write } }), NEVER), {
      graceMs: 9999,
      stop$,
    });
    const answersOn = (...messages: ExecMessage[]): (ExecOutgoing | Ended)[] => {
      const answers: (ExecOutgoing | Ended)[] = [];
      const in$ = new Subject<ExecMessage>();
      in$.pipe(connectTo(sessions)).subscribe((answer) => answers.push(answer));
      for (const message of messages) in$.next(message);
      in$.complete();
      return answers;
    };
    const write1 = ask(2, 'process/write', { processId: 'p', chunk: 'YQ==', writeId: '1' });
    expect(answersOn(HELLO.i, HELLO.n, start, write1)).toHaveLength(3);
    expect(answersOn(resume, HELLO.n, write1)).toEqual([sent.J, result(2, { status: 'stdinClosed' })]);
    expect(write).toHaveBeenCalledTimes(1);
    stop$.next();
  });

  it('is refused when there are too many', () => {
    const sessions = sessionsOf(() => NEVER, { maxSessions: 0 });
    const answers: (ExecOutgoing | Ended)[] = [];
    of(HELLO.i)
      .pipe(connectTo(sessions))
      .subscribe((answer) => answers.push(answer));
    expect(answers).toEqual([refusal(0, -32600, 'too many sessions: 0 exist already')]);
  });
});
