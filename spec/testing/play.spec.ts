import { answer, notification, type Phase, request } from '../../src/testing';
import { hasReceivedBefore, openPlay, type Play, receive, sendNext } from '../../src/testing/play';
import { toScore } from '../../src/testing/score';

const UUID = '00000000-0000-4000-8000-000000000001';
const values = {
  a: request('a'),
  A: answer('a', {}),
  N: notification('n', { id: '<uuid 1>' }),
  M: notification('n', { id: '<uuid 1>', more: true }),
  Q: request('q'),
  y: answer('Q', {}),
  u: request('u', { id: '<uuid 1>' }),
};

const open = (client: string, server: Phase['server']): Play => openPlay(toScore([{ client, server, values }]));
const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const note = (id: string, more = {}): string => line({ method: 'n', params: { id, ...more } });

/** The play after the client sent all that it may. */
const sendAll = (play: Play): { play: Play; lines: string[] } => {
  const next = sendNext(play);
  if (next === undefined) return { play, lines: [] };
  const rest = sendAll(next.play);
  return { play: rest.play, lines: [next.line, ...rest.lines] };
};

const lettersLeft = ({ expected }: Play): string[] =>
  expected.map((notes) => notes.map(({ letter }) => letter).join(''));

describe('sendNext', () => {
  it('counts ids of requests from 0', () => {
    expect(sendAll(open('aa', '')).lines).toEqual([line({ id: 0, method: 'a' }), line({ id: 1, method: 'a' })]);
  });

  it('sends nothing before what it refers to has come', () => {
    const play = open('uy', '-(QN)');
    expect(sendNext(play)).toBeUndefined();
    const known = receive(play, note(UUID), 1);
    expect(sendAll(known).lines).toEqual([line({ id: 0, method: 'u', params: { id: UUID } })]);
    const asked = receive(known, line({ id: 'own', method: 'q' }), 1);
    expect(sendAll(asked).lines[1]).toBe(line({ id: 'own', result: {} }));
  });

  it('answers a request of the server once', () => {
    const asked = receive(open('yy', 'Q'), line({ id: 7, method: 'q' }), 0);
    expect(sendAll(asked).lines).toEqual([line({ id: 7, result: {} })]);
  });
});

describe('receive', () => {
  it('takes the note that a message fits, whatever its place', () => {
    expect(lettersLeft(receive(open('', 'NM'), note(UUID, { more: true }), 0))).toEqual(['N']);
  });

  it('takes the first note of its kind where none fits, and the values of its holes', () => {
    const play = receive(open('', 'NM'), note(UUID, { other: true }), 0);
    expect(lettersLeft(play)).toEqual(['M']);
    expect([...play.known]).toEqual([['<uuid 1>', UUID]]);
  });

  it('keeps what plays no note in the row of its kind, else in the first', () => {
    const play = receive(receive(open('', ['A', 'N']), line({ method: 'else' }), 3), note('x'), 4);
    expect(play.received.map((row) => row.map(({ frame }) => frame))).toEqual([[3], [4]]);
  });

  it('has letters for ids in values, and answers the oldest request', () => {
    const { play } = sendAll(open('aa', '--A'));
    const answered = receive(play, line({ id: 0, result: {} }), 2);
    expect(answered.received).toEqual([[{ frame: 2, value: answer('a', {}) }]]);
    expect(answered.clientRequests.map((one) => one.open)).toEqual([false, true]);
  });

  it('takes a delta for the first note that begins with it, not for a later note that it is the whole of', () => {
    const delta = (text: string): string => line({ method: 'a_delta', params: { delta: text } });
    const values = { D: notification('a_delta', { delta: 'ab' }), E: notification('a_delta', { delta: 'a' }) };
    const play = openPlay(toScore([{ client: '', server: 'DE', values }]));
    expect(lettersLeft(receive(play, delta('a'), 0))).toEqual(['E']);
  });

  it('takes deltas that follow each other for one note', () => {
    const delta = (text: string): string => line({ method: 'a_delta', params: { delta: text } });
    const deltas = { D: notification('a_delta', { delta: 'ab' }) };
    const play = openPlay(toScore([{ client: '', server: 'DD', values: deltas }]));
    expect(lettersLeft(receive(receive(play, delta('a'), 0), delta('b'), 0))).toEqual(['D']);
  });

  it('ignores blank lines, and leaves the play before it as it was', () => {
    const play = open('a', 'A');
    expect(receive(play, ' ', 0)).toBe(play);
    const before = JSON.stringify(play);
    receive(sendAll(play).play, line({ id: 0, result: {} }), 0);
    expect(JSON.stringify(play)).toBe(before);
  });
});

describe('hasReceivedBefore', () => {
  it('compares with the first note of any row that has not come', () => {
    const play = open('', ['--A', '-N']);
    expect([0, 1, 2, 3].map((frame) => hasReceivedBefore(play, frame))).toEqual([true, true, false, false]);
    expect(hasReceivedBefore(receive(play, note(UUID), 1), 2)).toBe(true);
    expect(hasReceivedBefore(open('', ''), Number.POSITIVE_INFINITY)).toBe(true);
  });
});
