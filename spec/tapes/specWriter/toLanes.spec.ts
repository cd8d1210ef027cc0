import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { selectLines } from '../../../src/tapes/specWriter/selectLines';
import { toLanes } from '../../../src/tapes/specWriter/toLanes';
import { sessionFrom } from '../../support/tapes';

const call = (id: number) => ({ id, method: 'tools/call', params: { _meta: { progressToken: id } } });
const answer = (id: number) => ({ id, result: {} });
const progress = (id: number) => ({ method: 'notifications/progress', params: { progressToken: id } });

const delta = (id: number, text: string) => ({
  method: 'codex/event',
  params: { _meta: { requestId: id }, msg: { type: 'agent_message_delta', delta: text } },
});

const laned = (...sent: [dir: string, message: object][]) => {
  const session = sessionFrom(...sent.map(([dir, message], t): [number, string, object] => [t, dir, message]));
  return toLanes(selectLines(toSessionIndex(session), {}) ?? []);
};

/** The lane of each line of the server, `-` for one of the client. */
const lanesOf = (...sent: [dir: string, message: object][]): string =>
  laned(...sent)
    .map((one) => (one.side === 'server' ? one.lane : '-'))
    .join('');

describe('toLanes', () => {
  it('keeps calls that follow each other in one lane', () => {
    expect(lanesOf(['in', call(1)], ['out', answer(1)], ['in', call(2)], ['out', answer(2)])).toBe('-0-0');
  });

  it('gives calls that overlap lanes of their own, and one that is over frees its lane', () => {
    expect(
      lanesOf(
        ['in', call(1)],
        ['in', call(2)],
        ['out', progress(2)],
        ['out', answer(1)],
        ['in', call(3)],
        ['out', answer(3)],
        ['out', answer(2)],
      ),
    ).toBe('--10-01');
  });

  it('gives a line without a request to the call that runs; where several run, a lane of its own', () => {
    const note = { method: 'note' };
    expect(lanesOf(['in', call(1)], ['out', note], ['out', answer(1)])).toBe('-00');
    expect(lanesOf(['in', call(1)], ['in', call(2)], ['out', note], ['out', answer(1)], ['out', answer(2)])).toBe(
      '--201',
    );
  });

  it('joins deltas that follow each other in a lane, whatever comes in other lanes', () => {
    const lines = laned(
      ...([
        ['in', call(1)],
        ['in', call(2)],
      ] as [string, object][]),
      ...([
        ['out', delta(1, 'a')],
        ['out', delta(2, 'x')],
        ['out', delta(1, 'b')],
      ] as [string, object][]),
      ...([
        ['out', answer(1)],
        ['out', answer(2)],
      ] as [string, object][]),
    );
    const values = lines.flatMap((one) => (one.side === 'server' ? [[one.lane, one.line.value]] : []));
    expect(values).toEqual([
      [0, delta(1, 'ab')],
      [1, delta(2, 'x')],
      [0, answer(1)],
      [1, answer(2)],
    ]);
  });
});
