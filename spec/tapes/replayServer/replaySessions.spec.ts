import { chooseSession, type ReplayOptions, replaySessions } from '../../../src/tapes/replayServer/replayServer';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { marbles } from '../../support/marbles';
import { sessionFrom } from '../../support/tapes';

const discover = (id: unknown) => ({ id, method: 'server/discover', params: { _meta: { id } } });
const list = { id: 1, method: 'tools/list' };
const init = (version: string) => ({ id: 1, method: 'initialize', params: { version } });
const result = (id: unknown, name: string) => ({ id, result: { name } });
const text = (message: object): string => JSON.stringify(message);

/** A probe in a process of its own, then the session of the client; and one of an older client. */
const sessions = [
  sessionFrom([0, 'in', init('1')], [1, 'out', result(1, 'I')]),
  sessionFrom([0, 'in', discover('probe')], [1, 'out', result('probe', 'D')]),
  sessionFrom([0, 'in', list], [1, 'out', result(1, 'L')]),
].map(toSessionIndex);

const max: ReplayOptions = { speed: 'max', repeat: 'once', match: 'strict' };
const line = (message: object): object => expect.objectContaining({ kind: 'line', line: text(message) });
const values = {
  i: text(init('1')),
  I: line(result(1, 'I')),
  d: text(discover(7)),
  D: line(result(7, 'D')),
  l: text(list),
  L: line(result(1, 'L')),
  e: ' ',
  1: { kind: 'session', text: 'session 1 of 3 begins as this client does' },
  2: { kind: 'session', text: 'session 2 of 3 begins as this client does' },
  3: { kind: 'session', text: 'session 3 of 3 begins as this client does' },
  z: expect.objectContaining({ kind: 'unplayed' }),
  u: expect.objectContaining({ kind: 'unrecorded' }),
  x: expect.objectContaining({ kind: 'line' }),
};

describe('replaySessions', () => {
  it.each([
    ['plays the session that begins as the client does', '--d-----|', '--(2D)--|'],
    ['takes the last session if none begins as the client does', '--l---|', '--(3L)|'],
    ['passes over blank lines before', '-e-i---|', '---(1I)|'],
    ['plays that session only', '--d----l---|', '--(2D)-(ux)|'],
    ['takes the last session if no line comes', '--|', '--(3z|)'],
    ['waits for the first line', '---', '---'],
    ['errors with the source', '-d---#', '-(2D)#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source, values).pipe(replaySessions(sessions, max))).toBe(expected, values);
    })(),
  );

  it(
    'plays the only session without a remark, and from the start',
    marbles(({ hot, expectObservable }) => {
      const only = [toSessionIndex(sessionFrom([0, 'out', list]))];
      const expected = '   L-|';
      expectObservable(hot('--|').pipe(replaySessions(only, max))).toBe(expected, { L: line(list) });
    }),
  );

  it(
    'stops with its subscriber',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const line$ = hot('  -d--d--', values);
      const unsubscribed = '---!';
      expectObservable(line$.pipe(replaySessions(sessions, max)), unsubscribed).toBe('-(2D)', values);
      expectSubscriptions(line$.subscriptions).toBe('^--!');
    }),
  );
});

describe('chooseSession', () => {
  it.each([
    ['of the same meaning', text(discover(1)), 1],
    ['of the same method where no other fits', text(init('2')), 0],
    ['that is the last for another line', text({ id: 1, method: 'other' }), 2],
    ['that is the last for no line', undefined, 2],
  ])('finds the session %s', (_, first, expected) => {
    expect(chooseSession(sessions, first)).toBe(expected);
  });
});
