import type { ServerMessage } from '../../../../src/agent/appServer/connection/link';
import {
  type Selection,
  selectMessage,
  selectTurn,
  type TurnMessage,
} from '../../../../src/agent/appServer/turns/turnMessages';
import { marbles } from '../../../support/marbles';
import { notification } from '../connection/link';

const of = (turnId: string) => notification('item/completed', { turnId });
const starts = (id: string) => notification('turn/started', { turn: { id } });
const request = (turnId: string) => ({ kind: 'request' as const, id: 1, method: 'x', params: { turnId } });
const starting: Selection = { kind: 'starting', previousTurnId: '1' };
const started: Selection = { kind: 'started', turnId: '2' };

describe('selectMessage', () => {
  it.each<[string, Selection, ServerMessage, boolean]>([
    ['one that names no turn', starting, notification('warning'), true],
    ['one of the turn', started, of('2'), true],
    ['one of the turn before', started, of('1'), false],
    ['one of another turn', started, of('0'), false],
    ['the start of another turn', started, starts('3'), false],
    ['the start of the turn before', starting, starts('1'), false],
    ['tokens of an old turn, as long as the id is not known', starting, of('0'), false],
    ['tokens of an old turn in a thread without a turn', { kind: 'starting', previousTurnId: '' }, of('1'), false],
  ])('%s', (_, selection, message, isOwn) => {
    expect(selectMessage(selection, message)).toEqual({ selection, output: isOwn ? [message] : [] });
  });

  it('takes the start of the turn, which names its id', () => {
    const begun = { selection: started, output: [{ kind: 'begun', turnId: '2' }, starts('2')] };
    expect(selectMessage(starting, starts('2'))).toEqual(begun);
  });

  it('takes the id of the response, also where it is that of the turn before, but not an empty one', () => {
    const output = [{ kind: 'begun', turnId: '1' }];
    expect(selectMessage(starting, { kind: 'begun', turnId: '1' })).toEqual({
      selection: { kind: 'started', turnId: '1' },
      output,
    });
    expect(selectMessage(starting, { kind: 'begun', turnId: '' })).toEqual({ selection: starting, output: [] });
  });

  it('names a request of another turn, which must be answered all the same', () => {
    expect(selectMessage(started, request('1')).output).toEqual([{ kind: 'foreign', request: request('1') }]);
    expect(selectMessage(started, request('2')).output).toEqual([request('2')]);
  });
});

describe('selectTurn', () => {
  const values: Record<string, TurnMessage> = {
    b: { kind: 'begun', turnId: '2' },
    m: of('2'),
    n: of('1'),
    w: notification('warning'),
    q: request('1'),
    F: { kind: 'foreign', request: request('1') },
  };
  it.each([
    ['is empty as its source is', '-|', '-|'],
    ['never ends as its source never does', '---', '---'],
    ['emits what belongs to the turn', '-mwb-mnq-m|', '--wb-m-F-m|'],
    ['errors with its source', '-b-#', '-b-#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      const source$ = hot(source, values as Record<string, ServerMessage>);
      expectObservable(source$.pipe(selectTurn('1'))).toBe(expected, values);
    })(),
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-m--', values as Record<string, ServerMessage>);
      expectObservable(source$.pipe(selectTurn('')), '^--!').toBe('---');
      expectSubscriptions(source$.subscriptions).toBe('^--!');
    }),
  );
});
