import { concat, defer, EMPTY, ignoreElements, type Observable, Subscription, takeUntil, tap, timer } from 'rxjs';
import { leasedSession } from '../../../src/fleet/threads/leasedSession';
import { marbles } from '../../support/marbles';

type Cold = (marble: string, values?: object, error?: unknown) => Observable<string>;

/** A session that takes a frame to be taken and one to be given back; its tasks run until `stop`. */
const sessionWith = (cold: Cold, work = '-') => {
  const tasks = new Subscription();
  const session = leasedSession<string>({
    background: (task$) => void tasks.add(task$.subscribe()),
    leased: (run) =>
      concat(
        cold('-|').pipe(ignoreElements()),
        defer(() => run('p')),
        cold('-|').pipe(ignoreElements()),
      ),
    work: (_, end$) => cold(work).pipe(takeUntil(end$), ignoreElements()),
  });
  return { session, stop: () => tasks.unsubscribe() };
};

const at = (frame: number, run: () => void) => timer(frame).pipe(tap(run), ignoreElements()).subscribe();

describe('leasedSession', () => {
  it(
    'emits what opened it, and completes when it was given back',
    marbles(({ cold, expectObservable, flush }) => {
      const { session } = sessionWith(cold as Cold);
      const kinds: string[] = [session.kind()];
      expectObservable(session.begin((place) => cold('-(o|)', { o: `open at ${place}` }))).toBe('--o--|', {
        o: 'open at p',
      });
      kinds.push(session.kind());
      at(4, () => void session.end());
      flush();
      expect([...kinds, session.kind()]).toEqual(['resting', 'leased', 'resting']);
    }),
  );

  it(
    'goes on while nobody waits for it',
    marbles(({ cold, expectObservable, flush }) => {
      const { session } = sessionWith(cold as Cold);
      expectObservable(
        session.begin(() => cold('(o|)')),
        '^-!',
      ).toBe('-o');
      at(3, () => {
        expect(session.kind()).toBe('leased');
        session.end();
      });
      flush();
      expect(session.kind()).toBe('resting');
    }),
  );

  it(
    'is given back once it is open if its end comes before',
    marbles(({ cold, expectObservable }) => {
      const { session } = sessionWith(cold as Cold);
      expectObservable(session.begin(() => cold('--(o|)'))).toBe('---o|');
      expectObservable(session.end()).toBe('----|');
    }),
  );

  it(
    'gives back at once what opened nothing',
    marbles(({ cold, expectObservable }) => {
      expectObservable(sessionWith(cold as Cold).session.begin(() => EMPTY)).toBe('--|');
    }),
  );

  it(
    'errors for each who waits if it is lost',
    marbles(({ cold, expectObservable, flush }) => {
      const { session, stop } = sessionWith(cold as Cold, '--#');
      expectObservable(session.begin(() => cold('(o|)'))).toBe('-o-#');
      expectObservable(session.lost$).toBe('---#');
      flush();
      stop();
    }),
  );

  it(
    'keeps the error of one that is lost for those who ask later',
    marbles(({ cold, flush }) => {
      const { session } = sessionWith(cold as Cold, '--#');
      session.begin(() => cold('(o|)')).subscribe({ error: () => {} });
      flush();
      expect(session.kind()).toBe('lost');
      const ends: string[] = [];
      session.lost$.subscribe({ error: (error) => ends.push(error) });
      session.end().subscribe({ complete: () => ends.push('|') });
      expect(ends).toEqual(['error', '|']);
    }),
  );
});
