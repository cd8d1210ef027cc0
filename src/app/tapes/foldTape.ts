/** Reads a tape in a stream, and makes something of each of its sessions: for tapes that do not fit in memory. */
import { count, defer, map, type Observable, tap } from 'rxjs';
import { damageFinder, type LineProblem, TapeError, type TapeItem } from '../../tapes/format/tape';
import { readParts, type SessionFold } from '../../tapes/session/readParts';
import { chosenSession, itemsOf, type LoadDeps, refuseDamage, remarkProblems, type SessionChoice } from './loadTape';

/** What was made of a session, and its number in its file, from 1. */
type Folded<T> = { number: number; result: T };

/** What is made of the session with this number, or of the last. Emits it and completes. Errors with TapeError when there is none. */
export const foldLast = <T>(deps: LoadDeps, choice: SessionChoice, open: () => SessionFold<T>): Observable<T> =>
  foldTape(deps, choice, open).pipe(
    map(({ folded, total }) => {
      const chosen = chosenSession(deps, choice, total);
      const found = folded.find(({ number }) => number === chosen);
      if (found === undefined) throw new TapeError(`${choice.path}: session ${chosen} holds no entry`);
      return found.result;
    }),
  );

/** What is made of all sessions with entries, or of one. Errors with TapeError without any. `whole`: the option that takes a damaged tape. */
export const foldAll = <T>(
  deps: LoadDeps,
  choice: SessionChoice & { whole?: string },
  open: () => SessionFold<T>,
): Observable<Folded<T>[]> =>
  foldTape(deps, choice, open).pipe(
    map(({ folded, total, damage }) => {
      if (choice.whole !== undefined && total > 0) refuseDamage(choice.path, damage, choice.whole);
      if (folded.length > 0) return folded;
      throw new TapeError(`${choice.path}: session ${chosenSession(deps, choice, total)} holds no entry`);
    }),
  );

type Tape<T> = { folded: Folded<T>[]; total: number; damage: LineProblem | undefined };

const foldTape = <T>(deps: LoadDeps, choice: SessionChoice, open: () => SessionFold<T>): Observable<Tape<T>> =>
  defer(() => {
    const sessions = sessionReader(choice.number, open);
    const damage = damageFinder();
    const problems: LineProblem[] = [];
    const add = (item: TapeItem): void => {
      sessions.add(item);
      damage.add(item);
      if (item.kind === 'meta' || item.kind === 'entry') return;
      if (problems.length < MAX_KEPT) problems.push({ lineNumber: item.lineNumber, reason: item.reason });
    };
    return itemsOf(deps, choice.path).pipe(
      tap(add),
      count(),
      map(() => {
        remarkProblems(deps, choice.path, problems);
        return { ...sessions.end(), damage: damage.found() };
      }),
    );
  });

/** Only the first problems of lines are remarked on; more are not kept. */
const MAX_KEPT = 1_000;

/** @param number of the only session that counts; default all */
const sessionReader = <T>(number: number | undefined, open: () => SessionFold<T>) => {
  const folded: Folded<T>[] = [];
  let total = 0;
  let entries = 0;
  let reading: ReturnType<typeof readParts<T>> | undefined;
  const close = (): void => {
    if (reading !== undefined && entries > 0) folded.push({ number: total, result: reading.end() });
  };
  const begin = (meta: Parameters<typeof readParts>[0]): void => {
    close();
    total += 1;
    entries = 0;
    reading = number === undefined || number === total ? readParts(meta, open()) : undefined;
  };
  return {
    add: (item: TapeItem): void => {
      if (item.kind === 'meta') begin(item.meta);
      if (item.kind !== 'entry') return;
      if (total === 0) begin({});
      entries += 1;
      reading?.add({ lineNumber: item.lineNumber, entry: item.entry });
    },
    end: () => {
      close();
      return { folded, total };
    },
  };
};
