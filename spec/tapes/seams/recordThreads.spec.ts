import { EMPTY, NEVER, type Observable, of } from 'rxjs';
import { toStream } from '../../../src/streams/awaitable';
import { recordChance } from '../../../src/tapes/format/seams';
import type { RecordedLine } from '../../../src/tapes/format/tape';
import { recordThreads } from '../../../src/tapes/seams/recordThreads';
import { ThreadError } from '../../../src/threads/threadError';
import { OWN_UNTIL_CLOSED, type ThreadRecord } from '../../../src/threads/threadRecord';
import type { ThreadStore } from '../../../src/threads/threadStore';
import { marbles } from '../../support/marbles';

const own: ThreadRecord = {
  write: () => {},
  endTurn: () => EMPTY,
  close: () => EMPTY,
  isKept: () => true,
  ...OWN_UNTIL_CLOSED,
};
/** A store whose threads have this record, and what it writes on a tape. */
const recorded = (record: ThreadRecord, begun$: Observable<ThreadRecord> = of(record)) => {
  const lines: string[] = [];
  const tape = ({ seam, call, dir, line }: RecordedLine) =>
    void lines.push([seam, call, dir, line].filter((one) => one !== undefined).join(' '));
  const stored = { id: 't', settings: {}, items: [], record };
  const plain = { begin: () => begun$, resume: () => of(stored) } as unknown as ThreadStore;
  const store = recordThreads(tape, recordChance(tape))(() => plain)();
  return { store, lines };
};
const start = { id: 't', cwd: '/', provider: 'p', own: {} as never };

describe('recordThreads', () => {
  it('records threads that begin and are resumed, without what writes them', () => {
    const { store, lines } = recorded(own);
    toStream(store.begin(start)).subscribe();
    store.resume('t').subscribe();
    expect(lines).toEqual([
      'threads.begin 1 in "t"',
      'threads.begin 1 out null',
      'threads 1 in "t"',
      'threads 1 out {"id":"t","settings":{},"items":[]}',
    ]);
  });

  it('records of a thread that stays with its process only whether it can be read again', () => {
    const { store, lines } = recorded(own);
    toStream(store.begin(start)).subscribe((record) => {
      expect([record.claim, record.endTurn, record.lost$]).toEqual([own.claim, own.endTurn, own.lost$]);
      expect(record.isKept()).toBe(true);
    });
    expect(lines.slice(2)).toEqual(['chance out ["threadKept",true]']);
  });

  it(
    'records when a thread that is lent was claimed, written, given back and lost',
    marbles(({ cold, expectObservable, flush }) => {
      const lost = new ThreadError('the lease is over');
      const { store, lines } = recorded({
        ...own,
        claim: () => cold('-(s|)', { s: 'stale' as const }),
        endTurn: () => cold('--|'),
        rest: () => cold('---|'),
        lost$: cold('----#', {}, lost),
      });
      toStream(store.begin(start)).subscribe((record) => {
        expectObservable(toStream(record.claim())).toBe('-(s|)', { s: 'stale' });
        expectObservable(record.endTurn()).toBe('--|');
        expectObservable(record.rest()).toBe('---|');
        expectObservable(record.lost$).toBe('----#', {}, lost);
      });
      flush();
      expect(lines.slice(2)).toEqual([
        ...['claim', 'endTurn', 'rest', 'lost'].map((kind) => `threads.${kind} 1 in "t"`),
        'threads.claim 1 out "stale"',
        'threads.endTurn 1 out null',
        'threads.rest 1 out null',
        'threads.lost 1 note failed: the lease is over',
      ]);
    }),
  );

  it('notes a turn whose thread was not lost', () => {
    const { store, lines } = recorded({ ...own, claim: () => of('current'), lost$: NEVER });
    toStream(store.begin(start)).subscribe(({ lost$ }) => lost$.subscribe().unsubscribe());
    expect(lines.at(-1)).toBe('threads.lost 1 note stopped');
  });
});
