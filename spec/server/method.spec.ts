import { of, throwError } from 'rxjs';
import { type Request, RpcError } from '../../src/protocol/jsonrpc/messages';
import { NewConversationParams, SubscriptionParams } from '../../src/protocol/methods/conversationParams';
import { HostError } from '../../src/protocol/methods/host';
import { toResult } from '../../src/protocol/rpc/answerOnce';
import { badMachine, badRequest, readParams, withFaults } from '../../src/server/method';
import { ConfigError } from '../../src/settings/faults/configError';
import { marbles } from '../support/marbles';

const request = (params: object): Request => ({
  kind: 'request',
  id: 1,
  method: 'm',
  params: params as Request['params'],
});

describe('readParams', () => {
  it('types the params, where null counts as absent', () => {
    expect(readParams(NewConversationParams(), request({ model: 'm', cwd: null }))).toEqual({ model: 'm' });
    expect(() => readParams(SubscriptionParams(), request({ subscriptionId: null }))).toThrow(
      expect.objectContaining({ code: -32602, message: expect.stringContaining('params.subscriptionId') }),
    );
  });
});

describe('withFaults', () => {
  const bug = new TypeError('bug');
  it.each([
    ['passes a result               ', () => of(toResult('r')), '(r|)', undefined],
    [
      'names a wrong configuration   ',
      () => throwError(() => new ConfigError('no')),
      '#',
      new RpcError(-32600, 'cannot: no'),
    ],
    [
      'names a fault of the machine  ',
      () => throwError(() => new HostError('full')),
      '#',
      new RpcError(-32600, 'cannot: full'),
    ],
    ['passes an error of the client ', () => throwError(() => new RpcError(-1, 'x')), '#', new RpcError(-1, 'x')],
    ['passes a bug                  ', () => throwError(() => bug), '#', bug],
  ])('%s', (_, run, expected, error) =>
    marbles(({ expectObservable }) => {
      expectObservable(withFaults(badRequest('cannot: '), run)).toBe(expected, { r: toResult('r') }, error);
    })(),
  );

  it(
    'takes what is thrown for an error, when it is subscribed',
    marbles(({ expectObservable }) => {
      const fail = () => {
        throw new HostError('full');
      };
      expectObservable(withFaults(badMachine('cannot: '), fail)).toBe('#', {}, new RpcError(-32603, 'cannot: full'));
    }),
  );
});
