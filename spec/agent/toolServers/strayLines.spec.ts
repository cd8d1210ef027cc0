import { strayLines } from '../../../src/agent/toolServers/openToolServer';
import type { RpcIncoming } from '../../../src/protocol/rpc/messages';
import { marbles } from '../../support/marbles';

const fault = (line?: string): RpcIncoming => ({ kind: 'fault', ...(line !== undefined && { line }) });
const values = {
  m: { kind: 'notification', method: 'm', params: {} } as RpcIncoming,
  f: fault('up\n'),
  g: fault(),
  b: fault(' '),
};

describe('strayLines', () => {
  it('passes everything, and quotes what is no message, in one connection', () => {
    const { note, quoted } = strayLines();
    marbles(({ hot, expectObservable }) => {
      expectObservable(note(hot('mfgbf|', values))).toBe('mfgbf|', values);
    })();
    expect(quoted()).toBe(
      '. It wrote "up | up" to stdout, which is for messages alone; make it log to stderr, or start it without what writes that',
    );
    expect(strayLines().quoted()).toBe('');
  });

  it('quotes the first four lines', () => {
    const { note, quoted } = strayLines();
    marbles(({ hot, expectObservable }) => {
      expectObservable(note(hot('ffffffff#', values))).toBe('ffffffff#', values);
    })();
    expect(quoted()).toContain('"up | up | up | up"');
  });

  it.each(['-', '|', '#'])('passes %s', (row) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(strayLines().note(hot<RpcIncoming>(row))).toBe(row);
    })(),
  );
});
