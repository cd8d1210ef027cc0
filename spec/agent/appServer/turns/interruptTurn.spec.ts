import { type Observable, of, throwError } from 'rxjs';
import type { TurnInput } from '../../../../src/agent/appServer/turns/reduceTurn';
import { interruptTurn } from '../../../../src/agent/appServer/turns/steerTurn';
import type { TurnStop } from '../../../../src/agent/turns/turnEvents';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { linkDouble, THREAD } from '../connection/link';

const interrupted: TurnStop = { kind: 'interrupted' };
const expired: TurnStop = { kind: 'expired', message: 'too long' };
const stops = { x: interrupted, l: expired };
const inputs: Record<string, TurnInput> = {
  S: { kind: 'stopping', stop: interrupted },
  E: { kind: 'ended', end: interrupted },
  L: { kind: 'stopping', stop: expired },
  M: { kind: 'ended', end: expired },
};
const refused = () => throwError(() => new RpcError(-32600, 'no active turn'));

const over = (turnId$: Observable<string>, result: () => Observable<JsonObject> = () => of({})) => {
  const double = linkDouble(of(), { 'turn/interrupt': result });
  const turnIds = () => double.requests.map(([, { turnId }]) => turnId);
  return { ...double, turnIds, stop: interruptTurn({ link: double.link, threadId: THREAD, turnId$ }) };
};

describe('interruptTurn', () => {
  it.each([
    ['never', '----', '----'],
    ['is empty where nothing stops the turn', '--|', '--|'],
    ['ends the turn itself after three seconds', '-x', '-S 2999ms (E|)'],
    ['names the first reason only', '-l-x', '-L 2999ms (M|)'],
    ['errors with its source', '-#', '-#'],
  ])('%s', (_, stop, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(stop, stops).pipe(over(of('u')).stop)).toBe(expected, inputs);
    })(),
  );

  it(
    'interrupts once, and gives the turn up when it does not end',
    marbles(({ hot, expectObservable, flush }) => {
      const { stop, requests, givenUp } = over(of('u'));
      expectObservable(hot('-x-x', stops).pipe(stop)).toBe('-S 2999ms (E|)', inputs);
      flush();
      expect(requests).toEqual([['turn/interrupt', { threadId: THREAD, turnId: 'u' }]]);
      expect(givenUp).toEqual([THREAD]);
    }),
  );

  it(
    'tries again while the server knows no turn to stop, no longer than it waits',
    marbles(({ hot, expectObservable, flush }) => {
      const { stop, requests } = over(of('u'), refused);
      expectObservable(hot('x', stops).pipe(stop)).toBe('S 2999ms (E|)', inputs);
      flush();
      expect(requests).toHaveLength(30);
    }),
  );

  it(
    'interrupts the turn under its own id, once that is known',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { stop, turnIds } = over(cold('p 149ms u', { p: 'before', u: 'u' }), () =>
        turnIds().at(-1) === 'u' ? of({}) : refused(),
      );
      expectObservable(hot('x', stops).pipe(stop)).toBe('S 2999ms (E|)', inputs);
      flush();
      expect(turnIds()).toEqual(['before', 'before', 'u']);
    }),
  );

  it(
    'stops trying when it is unsubscribed',
    marbles(({ hot, expectObservable, flush }) => {
      const { stop, requests, givenUp } = over(of('u'), refused);
      expectObservable(hot('x', stops).pipe(stop), '^ 149ms !').toBe('S', inputs);
      flush();
      expect(requests).toHaveLength(2);
      expect(givenUp).toEqual([]);
    }),
  );
});
