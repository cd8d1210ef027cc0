import { lazyEngine } from '../../../src/app/engines/lazyEngine';
import type { Ask, Engine } from '../../../src/protocol/codex/engine';
import { type Op, toInput } from '../../../src/protocol/codex/operations';
import { marbles } from '../../support/marbles';
import { complete, engine, turnEventOf } from '../../support/mcp';

const ask = (() => undefined) as unknown as Ask;
const turn = (callId: string): Extract<Op, { kind: 'turn' }> => ({
  kind: 'turn',
  callId,
  eventId: callId,
  thread: { newest: true },
  input: toInput('echo'),
  askable: false,
});

describe('lazyEngine', () => {
  it(
    'makes the engine with its first op and loses none',
    marbles(({ hot, expectObservable, flush }) => {
      const make = jest.fn((): Engine => engine);
      const op$ = hot('     a-(bc)-|', { a: turn('a'), b: turn('b'), c: turn('c') });
      const expected = '    A-(BC)-|';
      const echoes = Object.fromEntries(
        ['a', 'b', 'c'].map((id) => [id.toUpperCase(), turnEventOf(turn(id), complete('echo'))]),
      );
      expectObservable(lazyEngine(make)(ask)(op$)).toBe(expected, echoes);
      flush();
      expect(make).toHaveBeenCalledTimes(1);
    }),
  );

  it(
    'rejects each call if the engine cannot be made',
    marbles(({ hot, expectObservable }) => {
      const op$ = hot<Op>('a-b-|', { a: turn('a'), b: turn('b') });
      const make = (): Engine => {
        throw new Error('a part is missing');
      };
      const [A, B] = ['a', 'b'].map((callId) => ({ kind: 'rejected', callId, message: 'a part is missing' }));
      expectObservable(lazyEngine(make)(ask)(op$)).toBe('A-B-|', { A, B });
    }),
  );

  it(
    'makes nothing if nothing is asked',
    marbles(({ cold, expectObservable, flush }) => {
      const make = jest.fn((): Engine => engine);
      expectObservable(lazyEngine(make)(ask)(cold<Op>('---|'))).toBe('---|');
      flush();
      expect(make).not.toHaveBeenCalled();
    }),
  );
});
