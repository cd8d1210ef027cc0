import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { selectLines } from '../../../src/tapes/specWriter/selectLines';
import { toPhases } from '../../../src/tapes/specWriter/toPhases';
import { sessionFrom } from '../../support/tapes';

const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} });

const tracks = (ending: 'exitedWell' | 'unknown', ...sent: [dir: string, message: object | string][]) => {
  const session = sessionFrom(...sent.map(([dir, one], t): [number, string, object | string] => [t, dir, one]));
  return toPhases(selectLines(toSessionIndex(session), {}) ?? [], new Map(), ending).map(({ client, server }) => [
    client,
    ...server,
  ]);
};

describe('toPhases', () => {
  it('draws a row for the client and one for each lane of the server', () => {
    expect(tracks('unknown', ['in', request(0)], ['in', request(1)], ['out', answer(1)], ['out', answer(0)])).toEqual([
      [
        'pi--', //
        '---P',
        '--I-',
      ],
    ]);
  });

  it('ends the server only where it exited with code 0 after the end of the input', () => {
    const sent: [string, object | string][] = [
      ['in', request(0)],
      ['out', answer(0)],
      ['note', 'standard input closed'],
    ];
    expect(tracks('exitedWell', ...sent)).toEqual([['p-|', '-P-|']]);
    expect(tracks('unknown', ...sent)).toEqual([['p-|', '-P-']]);
    expect(tracks('exitedWell', ...sent.slice(0, 2))).toEqual([['p-', '-P']]);
  });

  it('writes no phase for no lines', () => {
    expect(toPhases([], new Map(), 'exitedWell')).toEqual([]);
  });
});
