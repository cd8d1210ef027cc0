import { decodeMessage } from '../../../src/protocol/jsonrpc';
import { agreedVersion, withClient } from '../../../src/server/mcp/withClient';
import { marbles } from '../../support/marbles';
import { asks, initialize, modern } from '../../support/mcp';

const nobody = { modern: false, era: { modern: false, capabilities: {} } };
const capable = { elicitation: {} };

describe('withClient', () => {
  it(
    'knows what initialize agreed on, from that very message on',
    marbles(({ hot, expectObservable }) => {
      const p = decodeMessage(asks(1, 'ping'));
      const i = decodeMessage(initialize(2, '2025-06-18'));
      const b = decodeMessage(asks(3, 'initialize', { protocolVersion: 5 }));
      const m = decodeMessage(modern(asks(4, 'tools/list')));
      const known = { version: '2025-06-18', modern: false, era: { modern: false, capabilities: capable } };
      const message$ = hot(' p-i-b-m-|', { p, i, b, m });
      const expected = '     P-I-B-M-|';
      expectObservable(message$.pipe(withClient())).toBe(expected, {
        P: { message: p, client: nobody },
        I: { message: i, client: known },
        B: { message: b, client: known },
        M: { message: m, client: { ...known, modern: true } },
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
