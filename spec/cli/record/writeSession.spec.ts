import { Observable, Subject } from 'rxjs';
import { writeSession } from '../../../src/cli/record/recordHttp';
import type { CountedTape } from '../../../src/tapes/files/countedTape';
import type { RecordedLine } from '../../../src/tapes/format/tape';
import { marbles } from '../../support/marbles';

const line = (text: string): RecordedLine => ({ dir: 'in', line: text });
const lines = { a: line('a'), b: line('b'), c: line('c') };

/** What is written, as a stream that ends with the session. */
const written = (
  line$: Observable<RecordedLine>,
  file$: Observable<unknown>,
  close$: Observable<never>,
): Observable<string> =>
  new Observable((subscriber) => {
    const tape: CountedTape = {
      tape: (recorded) => 'line' in recorded && subscriber.next(recorded.line),
      close: () => close$,
    };
    const tape$ = new Observable<CountedTape>((opened) =>
      file$.subscribe({ next: () => opened.next(tape), error: (error) => opened.error(error) }),
    );
    return line$.pipe(writeSession(tape$)).subscribe({
      complete: () => subscriber.complete(),
      error: (error) => subscriber.error(error),
    });
  });

describe('writeSession', () => {
  it.each<[string, string, string, string, string]>([
    ['keeps lines until the tape is open', '---o    ', 'a-b-----c-|', ' --|', '---(ab)-c---|'],
    ['opens a tape without a line       ', '--o     ', '----|   ', '  -|', '-----|      '],
    ['waits for a tape that opens late  ', '----o   ', 'a|      ', '   |', '----(a|)    '],
    ['fails with the tape               ', '--#     ', 'a------ ', '   |', '--#         '],
    ['fails with the source             ', 'o       ', 'a-#     ', '  -|', 'a--#        '],
    ['fails with its close              ', 'o       ', 'a-|     ', '  -#', 'a--#        '],
  ])('%s', (_, opening, source, closing, expected) => {
    marbles(({ hot, cold, expectObservable }) => {
      const close$ = cold<never>(closing.trim());
      const out$ = written(hot(source.trim(), lines), cold(opening.trim()), close$);
      expectObservable(out$).toBe(expected.trim().replaceAll(' ', ''));
    })();
  });

  it(
    'leaves the tape when the session is closed, or unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const [file$, other$] = [cold('o'), cold('o')];
      expectObservable(written(hot('a-|', lines), file$, cold('--|'))).toBe('a---|');
      expectSubscriptions(file$.subscriptions).toBe(['^---!']);
      expectObservable(written(hot('a----', lines), other$, cold('|')), '--!').toBe('a--');
      expectSubscriptions(other$.subscriptions).toBe(['^-!']);
    }),
  );

  it('opens the tape once', () => {
    let opened = 0;
    const line$ = new Subject<RecordedLine>();
    const tape$ = new Observable<CountedTape>(() => void opened++);
    line$.pipe(writeSession(tape$)).subscribe();
    line$.next(line('a'));
    line$.next(line('b'));
    expect(opened).toBe(1);
  });
});
