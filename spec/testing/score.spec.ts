import { notification, type Phase, request } from '../../src/testing';
import { toScore } from '../../src/testing/score';

const values = { a: request('a'), b: notification('b'), t: '{"jsonrpc":"2.0","method":"t"}', u: '{broken' };
const shown = (...phases: Phase[]) => {
  const { client, server, frames } = toScore(phases);
  const rows = [client, ...server].map(({ notes, end }) =>
    [
      ...notes.map(({ frame, letter, phase }) => `${letter}${frame}${phase}`),
      ...(end ? [`${end.sign}${end.frame}`] : []),
    ].join(' '),
  );
  return { rows, frames };
};

describe('toScore', () => {
  it('reads a frame for each column, one for what stands in parentheses, and times', () => {
    expect(shown({ client: 'a-b|', server: '-(ab) 5s #', values })).toEqual({
      rows: ['a0 b2 |3', 'a1 b1 #5005'],
      frames: 5006,
    });
  });

  it('puts phases one after another, each after the longest row of the one before', () => {
    const first = { name: 'x', client: 'a', server: ['--b', '-b'], values };
    expect(shown(first, { name: 'y', client: 'a', server: 'b' })).toEqual({
      rows: ['a0x a3y', 'b2x b3y', 'b1x'],
      frames: 4,
    });
  });

  it('takes the values of a phase for those after it', () => {
    const { values: all } = toScore([
      { client: 'a', server: '', values: { a: 'first' } },
      { client: 'a', server: '', values: { a: 'second' } },
    ]);
    expect(all).toEqual({ a: 'second' });
  });

  it('parses a text that is JSON, and leaves another as it is', () => {
    const { client } = toScore([{ client: 'tu', server: '', values }]);
    expect(client.notes.map(({ value }) => value)).toEqual([{ jsonrpc: '2.0', method: 't' }, '{broken']);
  });

  it.each<[string, Phase[], string]>([
    ['no phase', [], 'There is nothing to play: pass at least one phase'],
    ['an unknown letter', [{ client: 'w', server: '' }], 'w stands for nothing: add it to values'],
    ['signs of subscriptions', [{ client: '^a', server: '' }], '^a: ^ and ! have no meaning here: remove them'],
    [
      'marbles behind the end',
      [{ client: '|a', server: '', values }],
      '|a: the row continues after its end at |: remove what follows it',
    ],
  ])('throws for %s', (_, phases, message) => {
    expect(() => toScore(phases)).toThrow(message);
  });
});
