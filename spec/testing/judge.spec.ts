import type { ComparedMarble } from '../../src/streams/marbles/drawMismatch';
import { notification, type Phase, request } from '../../src/testing';
import { type IsSame, inAnyOrder, inPlace, judge, type Meaning } from '../../src/testing/judge';
import type { MaskLists } from '../../src/testing/phase';
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

  it('takes as replay what differs from run to run, but nothing else', () => {
    const text = (value: object) => ({ content: [{ type: 'text', text: JSON.stringify(value, null, 2) }] });
    const written = { ...text({ at: 1, timestamp: 1795899062, pid: 7 }), session_id: 'sess_8fk2m49xq1w7' };
    const score = toScore([{ client: '', server: 'N', values: { N: notification('n', written) } }], {
      compare: 'asReplay',
    });
    const differences = (now: object): string[] =>
      judge(receive(openPlay(score), line('n', now), 0), undefined, 'order');
    const later = { ...text({ timestamp: 1795899999, pid: 12, at: 1 }), session_id: 'sess_p03zk7v2ha6t' };
    expect(differences(later)).toEqual([]);
    expect(differences({ ...later, ...text({ at: 2, timestamp: 1795899999, pid: 12 }) })[0]).toContain(
      'message.params.content[0].text.json.at: expected 1, actual 2',
    );
    expect(differences({ ...later, session_id: 'sess_8fk2m49xq1w8' })).toHaveLength(1);
  });

  it('leaves out what the masks of a tape leave out, and compares what they unmask', () => {
    const judged = (masks: MaskLists, ...lines: string[]): string[] => {
      const score = toScore([{ client: '', server: 'NM', values }], { compare: 'asReplay', masks });
      return verdict(
        lines.reduce((one, now) => receive(one, now, 0), openPlay(score)),
        'order',
      );
    };
    const other = [line('n', { at: 2 }), line('m')];
    expect(judged({}, ...other)).not.toEqual([]);
    expect(judged({ 'ignore-path': ['params.at'] }, ...other)).toEqual([]);
    expect(judged({ 'ignore-method': ['n'] }, line('n'), line('m'), line('n'))).toEqual([]);
    const report = line('notifications/progress', { progress: 1 });
    expect(judged({}, line('n', { at: 1 }), report, line('m'))).toEqual([]);
    expect(judged({ unmask: ['progress'] }, line('n', { at: 1 }), report, line('m'))).not.toEqual([]);
    expect(() => judged({ mask: ['('] })).toThrow('--mask ( cannot be used');
  });

  it('leaves out the response to a call that the masks leave out', () => {
    const call = { jsonrpc: '2.0', id: '<id>', method: 'tools/call', params: { name: 'now' } };
    const answered = { C: { jsonrpc: '2.0', id: '<id of c>', result: 1 }, c: call };
    const masks = { 'ignore-method': ['tools/call now'] };
    const open = openPlay(toScore([{ client: 'c', server: '-C', values: answered }], { compare: 'asReplay', masks }));
    const play: Play = { ...open, clientRequests: [{ letter: 'c', id: 0, open: true }] };
    expect(verdict(receive(play, JSON.stringify({ jsonrpc: '2.0', id: 0, result: 2 }), 0), 'order')).toEqual([]);
  });

  it('takes what belongs to no request before or after what does, or another method, as replay', () => {
    const answer = { jsonrpc: '2.0', id: '<id of a>', result: {} };
    const more = { ...values, A: answer };
    const opened = (compare?: 'asReplay') =>
      openPlay(toScore([{ client: 'a', server: '-MNA', values: more }], { compare }));
    const inOrder = (play: Play, ...lines: string[]): string[] => {
      const begun: Play = { ...play, clientRequests: [{ letter: 'a', id: 0, open: true }] };
      return verdict(
        lines.reduce((one, now) => receive(one, now, 0), begun),
        'order',
      );
    };
    const [m, n, a] = [line('m'), line('n', { at: 1 }), JSON.stringify({ ...answer, id: 0 })] as const;
    expect(inOrder(opened('asReplay'), a, m, n)).toEqual([]);
    expect(inOrder(opened('asReplay'), n, a, m)).toEqual([]);
    expect(inOrder(opened('asReplay'), m, n, n, a)).not.toEqual([]);
    expect(inOrder(opened(), a, m, n)).not.toEqual([]);
  });

  it('lets a server stay that ended well on the tape, as replay', () => {
    const ended = { client: '', server: 'M|', values };
    const opened = (compare?: 'asReplay') => receive(openPlay(toScore([ended], { compare })), line('m'), 0);
    expect(verdict(opened('asReplay'), 'order')).toEqual([]);
    expect(verdict(opened('asReplay'), 'order', { frame: 9, sign: '#' })).not.toEqual([]);
    expect(verdict(opened(), 'order')).not.toEqual([]);
  });

  it('takes any number of reports of progress as replay', () => {
    const more = { ...values, P: notification('notifications/progress', { progress: 7 }) };
    const score = toScore([{ client: '', server: 'PPM', values: more }], { compare: 'asReplay' });
    const play = [line('notifications/progress', { progress: 1 }), line('m')].reduce(
      (one, now) => receive(one, now, 0),
      openPlay(score),
    );
    expect(verdict(play, 'order')).toEqual([]);
  });
});

const row = (letters: string, frames: readonly number[]): ComparedMarble[] =>
  [...letters].map((symbol, i) => ({ frame: frames[i] ?? 0, symbol, value: symbol, label: symbol, phase: undefined }));

const isSame: IsSame = (expected, actual) => expected !== undefined && expected.value === actual?.value;

const lettersOf = (marbles: readonly ComparedMarble[]): string => marbles.map(({ symbol }) => symbol).join('');

describe('inAnyOrder', () => {
  it('puts the marbles of one frame into the order in which they were received', () => {
    expect(lettersOf(inAnyOrder(row('abcd', [1, 1, 1, 2]), row('cabd', []), isSame))).toBe('cabd');
  });

  it('keeps the order of frames', () => {
    expect(lettersOf(inAnyOrder(row('ab', [1, 2]), row('ba', []), isSame))).toBe('ab');
  });

  it('keeps the first of a frame where none of it was received', () => {
    expect(lettersOf(inAnyOrder(row('abc', [1, 1, 1]), row('xcb', []), isSame))).toBe('acb');
  });

  it('has nothing to order in an empty row', () => {
    expect(inAnyOrder([], row('a', [1]), isSame)).toEqual([]);
  });
});

describe('inPlace', () => {
  const framesOf = (marbles: readonly ComparedMarble[]) => marbles.map(({ symbol, frame }) => [symbol, frame]);

  it('gives a received marble the frame of the expected one', () => {
    expect(framesOf(inPlace(row('ab', [3, 7]), row('ab', [0, 0]), isSame))).toEqual([
      ['a', 3],
      ['b', 7],
    ]);
  });

  it('places one that was not expected directly after the one before it', () => {
    expect(framesOf(inPlace(row('ab', [3, 7]), row('axb', [0, 0, 0]), isSame))).toEqual([
      ['a', 3],
      ['x', 3.001],
      ['b', 7],
    ]);
  });
});
