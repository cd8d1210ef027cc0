import { defer, NEVER, type Observable, of, throwError } from 'rxjs';
import type { McpEvent } from '../../../src/io/mcpClient/mcpEvent';
import { SessionLost, sendAgain } from '../../../src/io/mcpClient/renewSession';
import { marbles } from '../../support/marbles';

const LOST = new SessionLost('s', 'HTTP 404 of S');
const R: McpEvent = { kind: 'line', line: 'R' };
const ended = (trouble: string): McpEvent => ({ kind: 'ended', trouble });

describe('sendAgain', () => {
  /** The messages that are sent, one after another, and how long a new session takes. */
  const run = (sent: string[], begin: string, expected: string, own: { first?: string; withdrawn?: string } = {}) => {
    let count = 0;
    marbles(({ cold, hot, expectObservable }) => {
      const event$ = defer((): Observable<McpEvent> => cold(sent[count++] ?? '', { R }, LOST));
      const ready = (lost?: string) => {
        expect(lost ?? 's').toBe('s');
        return cold(lost === undefined ? (own.first ?? '(t|)') : begin, { t: true as const }, new Error('none'));
      };
      const withdrawn$ = own.withdrawn === undefined ? NEVER : hot(own.withdrawn);
      const values = { R, L: ended(LOST.message), N: ended('none') };
      expectObservable(event$.pipe(sendAgain({ ready, withdrawn$ }))).toBe(expected, values);
    })();
    return count;
  };

  it('passes what comes of a message that is accepted', () => expect(run(['-R-R|'], '#', '-R-R|')).toBe(1));
  it('passes nothing of one that is only accepted', () => expect(run(['-|'], '#', '-|')).toBe(1));
  it('sends it again in a new session', () => expect(run(['-#', '-R|'], '--(t|)', '----R|')).toBe(2));
  it('ends where it is rejected twice', () => expect(run(['-#', '-#'], '-(t|)', '---(L|)')).toBe(2));
  it('ends where no session begins', () => expect(run(['-#'], '--#', '---(N|)')).toBe(1));
  it('waits for a session that begins', () => expect(run(['-R|'], '#', '----R|', { first: '---(t|)' })).toBe(1));
  it('ends where that does not begin', () => expect(run([], '', '---(N|)', { first: '---#' })).toBe(0));
  it('is not sent where it is withdrawn before', () =>
    expect(run([], '', '--|', { first: '---(t|)', withdrawn: '--w' })).toBe(0));
  it('is not sent again where it is withdrawn meanwhile', () =>
    expect(run(['-#'], '---(t|)', '--|', { withdrawn: '--w' })).toBe(1));
  it('is not stopped where it is withdrawn once it is sent', () =>
    expect(run(['-#', '---R|'], '-(t|)', '-----R|', { withdrawn: '---w' })).toBe(2));

  it(
    'stops what sends it when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const event$ = cold<McpEvent>('-');
      const ready = () => of(true as const);
      expectObservable(event$.pipe(sendAgain({ ready, withdrawn$: NEVER })), '--!').toBe('-');
      expectSubscriptions(event$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'ends with another error, and does not send again for it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const event$ = cold<McpEvent>('-#', {}, new Error('bug'));
      const ready = (lost?: string) => (lost === undefined ? of(true as const) : throwError(() => new Error('asked')));
      expectObservable(event$.pipe(sendAgain({ ready, withdrawn$: NEVER }))).toBe('-(E|)', { E: ended('bug') });
      expectSubscriptions(event$.subscriptions).toBe('^!');
    }),
  );
});
