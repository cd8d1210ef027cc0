import { notification, type Phase, request } from '../../src/testing';
import { judge, type Meaning } from '../../src/testing/judge';
import { openPlay, type Play, receive } from '../../src/testing/play';
import { type End, toScore } from '../../src/testing/score';

const values = {
  a: request('a'),
  N: notification('n', { at: 1 }),
  M: notification('m'),
  U: notification('u', { id: '<uuid 1>' }),
};
const line = (method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) });

/** A session in which these lines came, each at its frame. */
const playOf = (phase: Omit<Phase, 'values'>, ...lines: [frame: number, line: string][]): Play =>
  lines.reduce((play, [frame, text]) => receive(play, text, frame), openPlay(toScore([{ ...phase, values }])));

const verdict = (play: Play, meaning: Meaning, end?: End): string[] =>
  judge(play, end, meaning).flatMap((text) => text.split('\n'));

describe('judge', () => {
  it('has nothing to remark where everything came as it is written', () => {
    const play = playOf({ client: '', server: 'N-M' }, [5, line('n', { at: 1 })], [5, line('m')]);
    expect(verdict(play, 'order')).toEqual([]);
  });

  it('draws the first difference, with the letter of what came instead', () => {
    const play = playOf({ client: 'a', server: '-NM' }, [0, line('m')], [0, line('n', { at: 1 })]);
    expect(verdict(play, 'order').slice(0, 5)).toEqual([
      '  client    a---',
      '  expected  -NM-',
      '  actual    --MN',
      '             ^',
      '  expected N (n); actual M (m)',
    ]);
  });

  it('takes messages in parentheses in any order', () => {
    const lines: [number, string][] = [
      [0, line('m')],
      [0, line('n', { at: 1 })],
    ];
    expect(verdict(playOf({ client: '', server: '(NM)' }, ...lines), 'order')).toEqual([]);
  });

  it('draws a difference for each row', () => {
    expect(judge(playOf({ client: '', server: ['N', 'M'] }), undefined, 'order')).toHaveLength(2);
  });

  it('compares frames where a column is a time', () => {
    const play = playOf({ client: '', server: '--M' }, [3, line('m')]);
    expect(verdict(play, 'order')).toEqual([]);
    expect(verdict(play, 'time').at(-1)).toBe('  expected M (m); actual M (m), at 2 ms and at 3 ms');
  });

  it('compares the end only where one is written', () => {
    expect(verdict(playOf({ client: '', server: '' }), 'order', { frame: 0, sign: '#' })).toEqual([]);
    expect(verdict(playOf({ client: '', server: '|' }), 'order', { frame: 0, sign: '|' })).toEqual([]);
    expect(verdict(playOf({ client: '', server: '|' }), 'order', { frame: 0, sign: '#' }).at(-1)).toBe(
      '  expected | (the end); actual # (the end)',
    );
  });

  it('does not write the values of holes into the play', () => {
    const play = openPlay(toScore([{ client: '', server: 'U', values }]));
    const received = {
      ...play,
      received: [[{ frame: 0, value: { ...values.U, params: { id: crypto.randomUUID() } } }]],
    };
    expect(verdict(received, 'order')).toEqual([]);
    expect(play.known.size).toBe(0);
  });
});
