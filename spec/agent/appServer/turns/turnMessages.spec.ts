import type { ServerMessage } from '../../../../src/agent/appServer/connection/link';
import {
  type AnnouncedEnd,
  modelUnreachable,
  type Selection,
  selectMessage,
  selectTurn,
  type TurnMessage,
  turnEndOf,
} from '../../../../src/agent/appServer/turns/turnMessages';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
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

const turn = (status: string, error?: unknown): JsonObject => ({ turn: { id: 't', status, error } });
const failed = (message: string, isConfirmed: boolean): AnnouncedEnd => ({
  end: { kind: 'failed', message },
  isConfirmed,
});
const completed: AnnouncedEnd = { end: { kind: 'completed' }, isConfirmed: true };

describe('turnEndOf', () => {
  it.each<[string, string, JsonObject, AnnouncedEnd | undefined]>([
    ['an item', 'item/completed', turn('completed'), undefined],
    ['an error that is retried', 'error', { willRetry: true, error: { message: 'again' } }, undefined],
    ['a final error', 'error', { error: { message: 'over' } }, failed('over', false)],
    ['one without a message', 'error', {}, failed('The turn failed.', false)],
    ['the end', 'turn/completed', turn('completed'), completed],
    ['an end of an unknown kind', 'turn/completed', {}, completed],
    [
      'an end that was asked for',
      'turn/completed',
      turn('interrupted'),
      { end: { kind: 'interrupted' }, isConfirmed: true },
    ],
    [
      'a failure, with all that is known of it',
      'turn/completed',
      turn('failed', { message: 'no model', additionalDetails: 'HTTP 500' }),
      failed('no model\nHTTP 500', true),
    ],
  ])('reads %s', (_, method, params, end) => {
    expect(turnEndOf({ method, params })).toEqual(end);
  });
});

describe('modelUnreachable', () => {
  const messages = {
    e: { kind: 'notification', method: 'error', params: { willRetry: true, error: { message: 'no route' } } },
    x: { kind: 'notification', method: 'error', params: { error: { message: 'final' } } },
    i: { kind: 'notification', method: 'item/agentMessage/delta', params: {} },
    t: { kind: 'notification', method: 'thread/tokenUsage/updated', params: {} },
  } as const;
  const expired = {
    kind: 'expired',
    message: 'The model could not be reached for 0.01 s and the turn was stopped. no route',
  };

  it.each([
    ['counts from the first error of a row', '-e--e--t---|', '-----------(L|)'],
    ['begins again after a sign of the model', '-e--i-e---------|', '----------------(L|)'],
    ['takes a final error for none of its own', '-x-------------|', '---------------|'],
    ['emits nothing where nothing is wrong', '-i--t--|', '-------|'],
    ['never ends as its source never does', '---', '---'],
    ['errors with its source', '-e-#', '---#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source, messages).pipe(modelUnreachable(10))).toBe(expected, { L: expired });
    })(),
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-e--', messages);
      expectObservable(source$.pipe(modelUnreachable(10)), '^--!').toBe('---');
      expectSubscriptions(source$.subscriptions).toBe('^--!');
    }),
  );
});
