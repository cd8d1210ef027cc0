import { ignoreElements, map, merge, type Observable, Subject, takeWhile, tap } from 'rxjs';
import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { playClientHalf } from '../../../src/tapes/sessions/playClientHalf';
import { marbles } from '../../support/marbles';
import { sessionFrom } from '../../support/tapes';

const [request, response] = [
  { id: 1, method: 'a' },
  { id: 1, result: 'A' },
];
const index = toSessionIndex(sessionFrom([0, 'in', request], [1, 'out', response]));
const patience = { patienceMs: 5, limitMs: 10 };
const meta = { version: 1 };

const events: Record<string, ServerEvent> = {
  A: { kind: 'line', line: JSON.stringify(response) },
  g: { kind: 'log', line: 'ready' },
  E: { kind: 'ended', trouble: '', exitCode: 0 },
  F: { kind: 'ended', trouble: 'the server could not be started' },
};
const entry = (lineNumber: number, t: number, dir: string, line: string) => ({ lineNumber, entry: { t, dir, line } });
const sent = entry(2, 0, 'in', JSON.stringify(request));
const played = (server$: Observable<ServerEvent>, of = index) =>
  playClientHalf(
    {
      server: () => (line$) => merge(server$, line$.pipe(ignoreElements())),
      patience,
      meta,
    },
    of,
  );

const isOpen = ({ kind }: ServerEvent): boolean => kind !== 'ended';

describe('playClientHalf', () => {
  it(
    'records both sides until the server has ended',
    marbles(({ cold, expectObservable }) => {
      const server = '  --A-g(E|)';
      const expected = '-----(s|)';
      const entries = [
        sent,
        entry(3, 2, 'out', JSON.stringify(response)),
        entry(4, 2, 'note', 'standard input closed'),
        entry(5, 4, 'err', 'ready'),
        entry(6, 5, 'exit', '{"code":0,"sig":null}'),
      ];
      expectObservable(played(cold(server, events))).toBe(expected, { s: { meta, entries, endedBy: 'client' } });
    }),
  );

  it(
    'ends a server by the signal that ended it on the tape, once all has come, and without ending its input',
    marbles(({ hot, expectObservable }) => {
      const signalled = toSessionIndex(
        sessionFrom([0, 'in', request], [1, 'out', response], [1, 'exit', '{"code":null,"sig":"SIGTERM"}']),
      );
      const line$ = hot<ServerEvent>('--A', events);
      const ended: ServerEvent = { kind: 'ended', trouble: 'ended', exitCode: 143 };
      const server = playClientHalf(
        {
          server: (signal$) => (input$) =>
            merge(line$, signal$.pipe(map(() => ended)), input$.pipe(ignoreElements())).pipe(takeWhile(isOpen, true)),
          patience,
          meta,
        },
        signalled,
      );
      const entries = [
        sent,
        entry(3, 2, 'out', JSON.stringify(response)),
        entry(4, 2, 'exit', '{"code":null,"sig":"SIGTERM"}'),
      ];
      expectObservable(server).toBe('--(s|)', { s: { meta, entries, endedBy: 'client' } });
    }),
  );

  it(
    'records the signal by which somebody else ended the server, also where the client sends its own then',
    marbles(({ cold, expectObservable }) => {
      const signalled = toSessionIndex(
        sessionFrom([0, 'in', request], [1, 'out', response], [1, 'exit', '{"code":null,"sig":"SIGTERM"}']),
      );
      const server = '  --(K|)';
      const expected = '1002ms (s|)';
      const killed: ServerEvent = { kind: 'ended', trouble: 'killed', exitCode: 137, signal: 'SIGKILL' };
      const entries = [sent, entry(3, 2, 'exit', '{"code":null,"sig":"SIGKILL"}')];
      expectObservable(played(cold(server, { K: killed }), signalled)).toBe(expected, {
        s: { meta, entries, endedBy: 'server' },
      });
    }),
  );

  it(
    'sends the signal some time after the end of input where both ended the server',
    marbles(({ cold, expectObservable }) => {
      const both = toSessionIndex(
        sessionFrom(
          [0, 'in', request],
          [1, 'note', 'standard input closed'],
          [8, 'exit', '{"code":null,"sig":"SIGTERM"}'],
        ),
      );
      const server = '  --A';
      const signals = ' ---------s';
      const signal$ = new Subject<unknown>(); // the signals that the server gets
      const server$ = cold<ServerEvent>(server, events);
      const playing = playClientHalf(
        { server: (got$) => () => merge(server$, got$.pipe(tap(signal$), ignoreElements())), patience, meta },
        both,
      );
      expectObservable(signal$).toBe(signals, { s: 'SIGTERM' });
      playing.subscribe();
    }),
  );

  it(
    'ends soon after the server, although something keeps its output open',
    marbles(({ cold, expectObservable }) => {
      expectObservable(played(cold('--A-E', events)).pipe(map(() => 's'))).toBe('1004ms (s|)');
    }),
  );

  it(
    'notes a server that could not be started',
    marbles(({ cold, expectObservable }) => {
      const entries = [
        sent,
        entry(3, 2, 'note', 'the server could not be started'),
        entry(4, 10, 'note', 'standard input closed'),
      ];
      expectObservable(played(cold('--(F|)', events))).toBe('10ms (s|)', { s: { meta, entries, endedBy: 'server' } });
    }),
  );

  it(
    'ends when the server is silent for too long',
    marbles(({ cold, expectObservable }) => {
      const entries = [sent, entry(3, 10, 'note', 'standard input closed')];
      const expected = '10ms 5010ms (s|)';
      expectObservable(played(cold('-', events))).toBe(expected, { s: { meta, entries, endedBy: 'client' } });
    }),
  );
});
