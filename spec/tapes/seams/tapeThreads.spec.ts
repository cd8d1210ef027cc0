import { catchError, map, of } from 'rxjs';
import { toStream } from '../../../src/streams/awaitable';
import type { Chance } from '../../../src/tapes/format/chance';
import type { Recorded } from '../../../src/tapes/rerun/answerCalls';
import { tapeThreads } from '../../../src/tapes/seams/tapePorts';
import { ThreadError } from '../../../src/threads/threadError';
import type { ThreadRecord } from '../../../src/threads/threadRecord';
import type { ThreadStore } from '../../../src/threads/threadStore';
import { marbles } from '../../support/marbles';

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
