import { ignoreElements, merge, type Observable } from 'rxjs';
import type { ServerEvent } from '../../../src/app/serverProcess';
import { playClientHalf } from '../../../src/app/tape/playClientHalf';
import { toSessionIndex } from '../../../src/session';
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
const played = (server$: Observable<ServerEvent>) =>
  playClientHalf(
    {
      server: (line$) => merge(server$, line$.pipe(ignoreElements())),
      patience,
      meta,
    },
    index,
  );

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
      expectObservable(played(cold(server, events))).toBe(expected, { s: { meta, entries } });
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
      expectObservable(played(cold('--(F|)', events))).toBe('10ms (s|)', { s: { meta, entries } });
    }),
  );

  it(
    'ends when the server is silent for too long',
    marbles(({ cold, expectObservable }) => {
      const entries = [sent, entry(3, 10, 'note', 'standard input closed')];
      const expected = '10ms 5010ms (s|)';
      expectObservable(played(cold('-', events))).toBe(expected, { s: { meta, entries } });
    }),
  );
});
