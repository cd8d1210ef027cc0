import { asapScheduler, catchError, map, NEVER, of } from 'rxjs';
import type { ModelRequest } from '../../../src/protocol/model/request';
import { toStream } from '../../../src/streams/awaitable';
import type { Chance } from '../../../src/tapes/format/seams';
import type { Recorded } from '../../../src/tapes/rerun/answerCalls';
import type { RerunPlan } from '../../../src/tapes/rerun/rerunPlan';
import { toSpecLine } from '../../../src/tapes/seams/record';
import { keyOfCall, tapePorts, tapeThreads } from '../../../src/tapes/seams/tapePorts';
import { ThreadError } from '../../../src/threads/threadError';
import type { ThreadRecord } from '../../../src/threads/threadRecord';
import type { ThreadStore } from '../../../src/threads/threadStore';
import { marbles } from '../../support/marbles';

describe('the model', () => {
  it('errors with the reason at a request that was not recorded', () =>
    marbles(({ expectObservable }) => {
      const answers = {
        ask: () => of<Recorded>({ kind: 'unrecorded' }),
        claim: () => {},
        respond: () => {},
        call$: NEVER,
      };
      const ports = tapePorts(answers, { drawn: new Map() } as unknown as RerunPlan, 'executor');
      const text = expect.stringMatching(/^the tape has no answer of the model to this request: .* differs/);
      const E = expect.objectContaining({ message: text, retryable: false });
      expectObservable(
        ports
          .model(() => NEVER)({} as ModelRequest)
          .pipe(catchError((error) => of(error))),
      ).toBe('(E|)', { E });
    })());
});

describe('the choice of an engine', () => {
  const choice = { engine: 'app-server', reason: 'a Codex is there' };
  const entry = (dir: 'in' | 'out'): Recorded => ({
    kind: 'entry',
    entry: { t: 0, dir, line: JSON.stringify(choice) },
  });
  const none = { engine: 'native', reason: expect.stringMatching(/./) };

  it.each<[string, Recorded, string, object]>([
    ['is the recorded one', entry('out'), '(c|)', { c: choice }],
    ['is none where the recording ended at the question', entry('in'), '|', {}],
    ['is the native engine where none was recorded', { kind: 'unrecorded' }, '(c|)', { c: none }],
  ])('%s', (_, recorded, expected, values) =>
    marbles(({ expectObservable }) => {
      const answers = { ask: () => of(recorded), claim: () => {}, respond: () => {}, call$: NEVER };
      const ports = tapePorts(answers, { drawn: new Map() } as unknown as RerunPlan, 'none');
      expectObservable(ports.choice(NEVER)).toBe(expected, values);
    })(),
  );
});

describe('the beginning of a turn', () => {
  const begun: Recorded = { kind: 'entry', entry: { t: 0, dir: 'out', line: 'null' } };

  it.each<[string, string, string]>([
    ['comes where it was recorded', '--b|', '--t--z'],
    ['comes at once on a tape that has none', '(u|)', 't--z'],
  ])('%s', (_, recorded, expected) =>
    marbles(({ cold, expectObservable }) => {
      const ask = () => cold<Recorded>(recorded, { b: begun, u: { kind: 'unrecorded' } });
      const answers = { ask, claim: () => {}, respond: () => {}, call$: NEVER };
      const { starts } = tapePorts(answers, { drawn: new Map() } as unknown as RerunPlan, 'none');
      expectObservable(starts(asapScheduler)(cold('t--z'))).toBe(expected);
    })(),
  );
});

const key = (argv: string[], more: object = {}) =>
  keyOfCall({ seam: 'executor', line: JSON.stringify({ argv, cwd: '/w', env: [], ...more }) });

describe('keyOfCall', () => {
  it('compares command and folder of a process, not the descriptors of the daemon that starts it', () => {
    const sandboxed = (descriptor: string) => key(['bash', descriptor, 'ls']);
    expect(sandboxed('/proc/17752/fd/18')).toBe(sandboxed('/proc/14323/fd/19'));
    expect(sandboxed('/proc/1/fd/2')).not.toBe(sandboxed('/proc/1/status'));
    expect(key(['ls'], { env: ['A'] })).toBe(key(['ls']));
    expect(key(['ls'], { cwd: '/x' })).not.toBe(key(['ls']));
    expect(key(['ls'])).not.toBe(key(['pwd']));
  });

  it('finds a process on a tape whose arguments were written with their secrets', () => {
    const written = toSpecLine({ argv: ['server', '--token', 'abc123'], cwd: '/w', env: {} });
    expect(keyOfCall({ seam: 'executor', line: written })).toBe(key(['server', '--token', 'abc123']));
    expect(key(['server', '--port', '1'])).not.toBe(key(['server', '--port', '2']));
  });

  it('compares requests at other seams as they are', () => {
    expect(keyOfCall({ seam: 'model', line: '{"a":1}' })).toBe('{"a":1}');
  });
});

const plain: Chance = (_, draw) => draw;

const start = { id: 't', cwd: '/', provider: 'p', own: {} as never };

const entry = (dir: string, line: string): Recorded => ({ kind: 'entry', entry: { t: 0, dir, line } });

/** The store of a rerun whose tape has these answers, by seam and thread. */
const storeOf = (answers: Record<string, Recorded>, chance = plain) =>
  tapeThreads(
    { ask: (seam, line) => of(answers[`${seam} ${JSON.parse(line)}`] ?? ({ kind: 'unrecorded' } as const)) },
    chance,
  )(() => ({}) as ThreadStore)();

const begun = (answers: Record<string, Recorded>, chance?: Chance): ThreadRecord => {
  const found: ThreadRecord[] = [];
  toStream(storeOf(answers, chance).begin(start)).subscribe((record) => found.push(record));
  return found[0] as ThreadRecord;
};

describe('tapeThreads', () => {
  it(
    'lets a thread begin, and be used, where nothing else was recorded',
    marbles(({ expectObservable }) => {
      const record = begun({});
      expectObservable(toStream(record.claim())).toBe('(c|)', { c: 'current' });
      expectObservable(record.endTurn()).toBe('|');
      expectObservable(record.rest()).toBe('|');
      expectObservable(record.lost$).toBe('-');
      expect(record.isKept()).toBe(true);
    }),
  );

  it(
    'does to a thread what became of it',
    marbles(({ expectObservable }) => {
      const record = begun(
        {
          'threads.claim t': entry('out', '"stale"'),
          'threads.endTurn t': entry('note', 'failed: no server'),
          'threads.rest t': entry('out', 'null'),
          'threads.lost t': entry('note', 'failed: the lease is over'),
        },
        (name, draw) => (name === 'threadKept' ? () => false as ReturnType<typeof draw> : draw),
      );
      expectObservable(toStream(record.claim())).toBe('(s|)', { s: 'stale' });
      expectObservable(record.endTurn()).toBe('#', {}, new ThreadError('no server'));
      expectObservable(record.rest()).toBe('|');
      expectObservable(record.lost$).toBe('#', {}, new ThreadError('the lease is over'));
      expect(record.isKept()).toBe(false);
    }),
  );

  it(
    'resumes a thread as it was, and no other',
    marbles(({ expectObservable }) => {
      const { resume, begin } = storeOf({
        'threads t': entry('out', '{"id":"t"}'),
        'threads.begin t': entry('note', 'failed: no server'),
      });
      expectObservable(resume('t').pipe(map(({ id }) => id))).toBe('(t|)');
      expectObservable(resume('u').pipe(catchError((error) => of(error instanceof ThreadError)))).toBe('(n|)', {
        n: true,
      });
      expectObservable(toStream(begin(start))).toBe('#', {}, new ThreadError('no server'));
    }),
  );
});
