import { decodeMessage } from '../../../src/protocol/jsonrpc/decodeMessage';
import { agreedVersion, withClient } from '../../../src/server/mcp/withClient';
import { marbles } from '../../support/marbles';
import { asks, initialize, modern } from '../../support/mcp';

const nobody = { modern: false, era: { modern: false, capabilities: {} } };
const era = {
  modern: false,
  capabilities: { elicitation: {} },
  revision: '2025-06-18',
  client: { name: 'c', version: '1' },
};

describe('withClient', () => {
  it(
    'knows what initialize agreed on, from that very message on',
    marbles(({ hot, expectObservable }) => {
      const p = decodeMessage(asks(1, 'ping'));
      const i = decodeMessage(initialize(2, '2025-06-18'));
      const m = decodeMessage(modern(asks(4, 'tools/list')));
      const known = { version: '2025-06-18', modern: false, era };
      const message$ = hot(' p-i-m-|', { p, i, m });
      const expected = '     P-I-M-|';
      expectObservable(message$.pipe(withClient())).toBe(expected, {
        P: { message: p, client: nobody },
        I: { message: i, client: known },
        M: { message: m, client: { ...known, modern: true } },
      });
    }),
  );

  it(
    'refuses a second handshake, which changes nothing, and takes one after a bad one',
    marbles(({ hot, expectObservable }) => {
      const b = decodeMessage(asks(1, 'initialize', { protocolVersion: 5 }));
      const i = decodeMessage(initialize(2, '2025-06-18'));
      const j = decodeMessage(initialize(3, '2024-11-05', {}));
      const known = { version: '2025-06-18', modern: false, era };
      const message$ = hot(' b-i-j-|', { b, i, j });
      const expected = '     B-I-J-|';
      expectObservable(message$.pipe(withClient())).toBe(expected, {
        B: { message: b, client: nobody },
        I: { message: i, client: known },
        J: {
          message: { kind: 'fault', id: 3, code: -32600, message: 'initialize called more than once' },
          client: known,
        },
      });
    }),
  );

  it(
    'passes an error on',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<never>('--#').pipe(withClient())).toBe('--#');
    }),
  );
});

describe('agreedVersion', () => {
  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2026-07-28', '2025-11-25'],
    ['banana', '2025-11-25'],
  ])('answers %s with %s', (asked, offered) => {
    expect(agreedVersion(asked)).toBe(offered);
  });
});
