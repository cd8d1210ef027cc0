/** The thread store of a daemon that runs again: what became of its threads, from a tape. */
import { concatMap, EMPTY, ignoreElements, map, NEVER, type Observable, of, throwError } from 'rxjs';
import { ThreadError } from '../../threads/threadError';
import type { Claim, ThreadRecord } from '../../threads/threadRecord';
import type { ResumedThread, ThreadStore } from '../../threads/threadStore';
import type { Chance } from '../format/chance';
import type { CallAnswers, Recorded } from '../rerun/answerCalls';
import { FAILED, NOT_RECORDED } from './live';
import { KEPT_DRAW, THREAD_SEAMS } from './recordThreads';

/** Threads that are kept nowhere. What was not recorded of one succeeds at once; a stored one that was not resumed then is not there. */
export const tapeThreads = ({ ask }: Pick<CallAnswers, 'ask'>, chance: Chance) => {
  const answer = <A>(kind: keyof typeof THREAD_SEAMS, ref: string, unrecorded: Observable<A>): Observable<A> =>
    ask(THREAD_SEAMS[kind], JSON.stringify(ref)).pipe(
      concatMap((recorded) => (recorded.kind === 'unrecorded' ? unrecorded : toAnswer<A>(recorded.entry))),
    );
  const recordOf = (ref: string): ThreadRecord => ({
    write: () => {},
    close: () => EMPTY,
    isKept: chance(KEPT_DRAW, () => true),
    claim: () => answer<Claim>('claim', ref, of('current')),
    endTurn: () => answer<never>('endTurn', ref, EMPTY).pipe(ignoreElements()),
    rest: () => answer<never>('rest', ref, EMPTY).pipe(ignoreElements()),
    lost$: answer<never>('lost', ref, NEVER),
  });
  return (open: () => ThreadStore) => (): ThreadStore => ({
    ...open(),
    begin: ({ id }) => answer<unknown>('begin', id, of(null)).pipe(map(() => recordOf(id))),
    resume: (ref) =>
      answer<ResumedThread>('resume', ref, failed(NOT_RECORDED)).pipe(
        map((stored) => ({ ...stored, record: recordOf(ref) })),
      ),
    close: () => EMPTY,
  });
};

const toAnswer = <A>({ dir, line }: Extract<Recorded, { kind: 'entry' }>['entry']): Observable<A> =>
  dir === 'out' ? of(JSON.parse(line) as A) : failed(line.replace(FAILED, ''));

const failed = (reason: string): Observable<never> => throwError(() => new ThreadError(reason));
