import {
  concat,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  repeat,
  Subject,
  takeUntil,
  takeWhile,
  tap,
  throwError,
} from 'rxjs';
import type { ServerEvent } from '../../../src/io/serverProcess/serverProcess';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { FloodError, playSession, toEndedBy, toEntries } from '../../../src/tapes/sessions/playSession';
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
  n: { kind: 'line', line: '{"method":"busy"}' },
  g: { kind: 'log', line: 'ready' },
  E: { kind: 'ended', trouble: '', exitCode: 0 },
  F: { kind: 'ended', trouble: 'the server could not be started' },
};
const entry = (lineNumber: number, t: number, dir: string, line: string) => ({ lineNumber, entry: { t, dir, line } });
const sent = entry(2, 0, 'in', JSON.stringify(request));
const played = (server$: Observable<ServerEvent>, of = index) =>
  playSession(
    {
      server: () => (line$) => merge(server$, line$.pipe(ignoreElements())),
      patience,
      meta,
    },
    of,
  );

const isOpen = ({ kind }: ServerEvent): boolean => kind !== 'ended';

describe('playSession', () => {
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
      const server = playSession(
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
        entry(4, 2, 'note', 'signal SIGTERM'),
        entry(5, 2, 'exit', '{"code":null,"sig":"SIGTERM"}'),
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
      const playing = playSession(
        { server: (got$) => () => merge(server$, got$.pipe(tap(signal$), ignoreElements())), patience, meta },
        both,
      );
      expectObservable(signal$).toBe(signals, { s: 'SIGTERM' });
      playing.subscribe();
    }),
  );

  it(
    'sends the signal of the client to a server that ended well by it',
    marbles(({ cold, expectObservable }) => {
      const noted = toSessionIndex(
        sessionFrom(
          [0, 'in', request],
          [1, 'note', 'standard input closed'],
          [8, 'note', 'signal SIGTERM'],
          [9, 'exit', '{"code":0,"sig":null}'],
        ),
      );
      const signal$ = new Subject<unknown>(); // the signals that the server gets
      const server$ = cold<ServerEvent>('--A', events);
      const playing = playSession(
        { server: (got$) => () => merge(server$, got$.pipe(tap(signal$), ignoreElements())), patience, meta },
        noted,
      );
      expectObservable(signal$).toBe('---------s', { s: 'SIGTERM' });
      playing.subscribe();
    }),
  );

  it(
    'sends the signal also to a server that is never silent',
    marbles(({ cold, expectObservable }) => {
      const both = toSessionIndex(
        sessionFrom(
          [0, 'in', request],
          [1, 'note', 'standard input closed'],
          [8, 'exit', '{"code":null,"sig":"SIGTERM"}'],
        ),
      );
      const signal$ = new Subject<unknown>(); // the signals that the server gets
      const server$ = cold<ServerEvent>('--g|', events).pipe(repeat());
      const playing = playSession(
        { server: (got$) => () => merge(server$, got$.pipe(tap(signal$), ignoreElements())), patience, meta },
        both,
      );
      expectObservable(signal$, '30ms !').toBe('-----------------s', { s: 'SIGTERM' });
      playing.pipe(takeUntil(cold('30ms s'))).subscribe();
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
      const ended = [1, 'exit', '{"code":0,"sig":null}'] as [number, string, string];
      const closed = toSessionIndex(sessionFrom([0, 'in', request], [1, 'out', response], ended));
      expectObservable(played(cold('-', events), closed)).toBe(expected, { s: { meta, entries, endedBy: 'client' } });
    }),
  );

  it(
    'ends a server by SIGTERM, two seconds after its input, if its end is not on the tape',
    marbles(({ cold, expectObservable }) => {
      const signal$ = new Subject<unknown>(); // the signals that the server gets
      const playing = playSession(
        {
          server: (got$) => () => merge(cold('--A', events), got$.pipe(tap(signal$), ignoreElements())),
          patience,
          meta,
        },
        index,
      );
      expectObservable(signal$).toBe('2002ms s', { s: 'SIGTERM' });
      playing.subscribe();
    }),
  );

  it(
    'gives a server up that sends without end after the end of its input, once it had the time of one silence',
    marbles(({ cold, expectObservable }) => {
      const ended = [7, 'exit', '{"code":0,"sig":null}'] as [number, string, string];
      const closed = toSessionIndex(sessionFrom([0, 'in', request], [1, 'out', response], ended));
      const server$ = concat(cold('--(A|)', events), cold<ServerEvent>('--n|', events).pipe(repeat()));
      expectObservable(played(server$, closed).pipe(map(({ endedBy }) => endedBy))).toBe('5019ms (c|)', {
        c: 'client',
      });
    }),
  );

  it(
    'gives a server up that sends something again and again, but not what its client waits for',
    marbles(({ cold, expectObservable }) => {
      const repeated = cold<ServerEvent>('--n|', events).pipe(repeat());
      expectObservable(played(repeated).pipe(map(({ endedBy }) => endedBy))).toBe('50101ms (c|)', { c: 'server' });
      const lasting = toSessionIndex(sessionFrom([0, 'in', request], [70, 'out', response]));
      expectObservable(played(repeated, lasting).pipe(map(({ endedBy }) => endedBy))).toBe('50170ms (c|)', {
        c: 'server',
      });
    }),
  );

  it(
    'ends with a server that sends without end, and keeps the first of it',
    marbles(({ cold, expectObservable }) => {
      const many = Array.from({ length: 2_000 }, () => events.g as ServerEvent);
      const server$ = concat(
        cold<ServerEvent>('--(A|)', events),
        of(...many),
        throwError(() => new FloodError()),
      );
      expectObservable(played(server$).pipe(map(({ entries, endedBy }) => [entries.length, endedBy]))).toBe('--(f|)', {
        f: [1_002, 'flood'],
      });
      expectObservable(played(cold('--#', events))).toBe('--#');
    }),
  );
});

type Stamped = Parameters<typeof toEntries>[0][number];

const near = (timestamp: number, item: object): Stamped => ({
  timestamp,
  value: { from: 'near', item } as Stamped['value'],
});

const far = (timestamp: number, item: object): Stamped => ({
  timestamp,
  value: { from: 'far', item } as Stamped['value'],
});

const line = (text: string, own: object = {}) => ({ kind: 'line', line: text, ...own });

const ended = (own: object) => ({ kind: 'ended', trouble: 'it ended', ...own });

const entriesOf = (...traffic: Stamped[]) => toEntries(traffic, 'lines').map(({ entry }) => entry);

describe('toEntries', () => {
  it('numbers the lines after the first one of a tape, times count from the first', () => {
    const entries = toEntries(
      [near(100, line('a')), far(105, line('b')), far(106, { kind: 'log', line: 'c' })],
      'lines',
    );
    expect(entries).toEqual([
      { lineNumber: 2, entry: { t: 0, dir: 'in', line: 'a' } },
      { lineNumber: 3, entry: { t: 5, dir: 'out', line: 'b' } },
      { lineNumber: 4, entry: { t: 6, dir: 'err', line: 'c' } },
    ]);
    expect(toEntries([], 'lines')).toEqual([]);
  });

  it('keeps the status of a line, the end of the input, and a signal', () => {
    expect(entriesOf(near(0, line('a', { status: 202 })), near(1, { kind: 'signal', signal: 'SIGTERM' }))).toEqual([
      { t: 0, dir: 'in', line: 'a', status: 202 },
      { t: 1, dir: 'note', line: 'signal SIGTERM' },
    ]);
    expect(entriesOf(near(0, { kind: 'end' }))).toMatchObject([{ dir: 'note' }]);
  });

  it.each([
    ['an exit code', [], ended({ exitCode: 3 }), '{"code":3,"sig":null}'],
    ['a signal that it reports', [], ended({ exitCode: 137, signal: 'SIGKILL' }), '{"code":null,"sig":"SIGKILL"}'],
    [
      'the signal that it was sent, by a shell',
      [near(0, { kind: 'signal', signal: 'SIGTERM' })],
      ended({ exitCode: 143 }),
      '{"code":null,"sig":"SIGTERM"}',
    ],
    [
      'an exit code that is not that of the signal',
      [near(0, { kind: 'signal', signal: 'SIGTERM' })],
      ended({ exitCode: 1 }),
      '{"code":1,"sig":null}',
    ],
  ])('ends with %s', (_, before, end, expected) => {
    expect(entriesOf(...before, far(1, end)).at(-1)).toMatchObject({ dir: 'exit', line: expected });
  });

  it('takes no signal into account that came after the end', () => {
    const late = near(2, { kind: 'signal', signal: 'SIGTERM' });
    expect(entriesOf(far(1, ended({ exitCode: 143 })), late)).toMatchObject([{ line: '{"code":143,"sig":null}' }]);
  });

  it('notes why a server has ended that has no exit code', () => {
    expect(entriesOf(far(0, ended({})))).toEqual([{ t: 0, dir: 'note', line: 'it ended' }]);
  });
});

describe('toEndedBy', () => {
  it.each([
    ['client', [near(0, { kind: 'end' }), far(1, ended({ exitCode: 0 }))]],
    ['client', [near(0, { kind: 'signal', signal: 'SIGINT' }), far(1, ended({ exitCode: 0 }))]],
    ['server', [near(0, line('a')), far(1, ended({ exitCode: 0 })), near(2, { kind: 'end' })]],
    ['client', [near(0, { kind: 'end' })]],
    ['server', []],
  ] as const)('is the %s', (expected, traffic) => {
    expect(toEndedBy(traffic)).toBe(expected);
  });
});
