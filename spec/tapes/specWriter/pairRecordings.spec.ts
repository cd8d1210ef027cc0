import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { pairLines, shapeDifference, toPath, zipLeaves } from '../../../src/tapes/specWriter/pairRecordings';
import { sessionFrom } from '../../support/tapes';

describe('zipLeaves', () => {
  it('gives the first value with other leaves, and keeps the envelope', () => {
    const at: string[] = [];
    const zipped = zipLeaves(
      [
        { id: 1, method: 'm', params: { _meta: { progressToken: 1 }, a: [1, { b: 'x' }], id: 5 } },
        { id: 2, method: 'm', params: { _meta: { progressToken: 2 }, a: [3, { b: 'y' }], id: 6 } },
      ],
      [],
      (leaves, place) => {
        at.push(toPath(place));
        return leaves.join('|');
      },
    );
    expect(zipped).toEqual({
      id: 1,
      method: 'm',
      params: { _meta: { progressToken: 1 }, a: ['1|3', { b: 'x|y' }], id: '5|6' },
    });
    expect(at).toEqual(['message.params.a[0]', 'message.params.a[1].b', 'message.params.id']);
  });
});

describe('shapeDifference', () => {
  it.each<[string, unknown[], unknown]>([
    ['none between values', [{ a: 1 }, { a: 'x' }, { a: null }], undefined],
    [
      'none in the order of members',
      [
        { a: 1, b: 2 },
        { b: 1, a: 2 },
      ],
      undefined,
    ],
    [
      'another length',
      [{ a: [1] }, { a: [1] }, { a: [1, 2] }],
      { place: ['a'], first: 'has 1 item', now: 'has 2 items', other: 2 },
    ],
    ['a missing member', [[{ a: 1 }], [{}]], { place: [0], first: 'has a', now: 'has no a', other: 1 }],
    ['an added member', [{}, { b: 1 }], { place: [], first: 'has no b', now: 'has b', other: 1 }],
    [
      'an object for a value',
      [{ a: 1 }, { a: {} }],
      { place: ['a'], first: 'is a value', now: 'is an object', other: 1 },
    ],
  ])('finds %s', (_, values, difference) => {
    expect(shapeDifference(values)).toEqual(difference);
  });
});

const LINES: Record<string, readonly [dir: string, message: object]> = {
  a: ['in', { id: 1, method: 'tools/call', params: { name: 'a' } }],
  b: ['in', { id: 2, method: 'tools/call', params: { name: 'b' } }],
  c: ['in', { id: 2, method: 'tools/call', params: { name: 'c' } }],
  A: ['out', { id: 1, result: {} }],
  B: ['out', { id: 2, result: {} }],
  E: ['out', { id: 2, error: { code: 1, message: 'no' } }],
  N: ['out', { method: 'notifications/message', params: {} }],
};

/** Recordings, each written as the letters of its lines. */
const paired = (...recordings: string[]) =>
  pairLines(
    recordings.map((letters, i) => ({
      name: `${i + 1}.jsonl`,
      index: toSessionIndex(
        sessionFrom(
          ...[...letters].map((letter, t): [number, string, object] => {
            const [dir, message] = LINES[letter] ?? ['note', {}];
            return [t, dir, message];
          }),
        ),
      ),
    })),
  );

const NO_LINE = 'has no line in its place';

describe('pairLines', () => {
  it.each([
    [
      'the same lines',
      ['aAbB', 'aAbB', 'aAbB'],
      [
        [1, 1, 1],
        [2, 2, 2],
        [3, 3, 3],
        [4, 4, 4],
      ],
    ],
    [
      'responses in another order',
      ['abAB', 'abBA'],
      [
        [1, 1],
        [2, 2],
        [3, 4],
        [4, 3],
      ],
    ],
    [
      'a notification at another time',
      ['aNAbB', 'aAbNB'],
      [
        [1, 1],
        [2, 4],
        [3, 2],
        [4, 3],
        [5, 5],
      ],
    ],
  ])('pairs %s', (_, recordings, lineNumbers) => {
    const pairing = paired(...recordings);
    const lines = pairing.kind === 'paired' ? pairing.lines : [];
    expect(lines.map(({ line, others }) => [line, ...others].map((one) => one.line.lineNumber))).toEqual(lineNumbers);
  });

  it.each([
    [
      'another request',
      ['aAbB', 'aAcB'],
      '1.jsonl:3 is tools/call b of the client; 2.jsonl:3 is tools/call c of the client',
    ],
    ['a missing request', ['aAbB', 'aA'], `1.jsonl:3 is tools/call b of the client; 2.jsonl ${NO_LINE}`],
    [
      'an added request in the third',
      ['aA', 'aA', 'aAbB'],
      `3.jsonl:3 is tools/call b of the client; 1.jsonl ${NO_LINE}`,
    ],
    ['an error', ['aAbB', 'aAbE'], `1.jsonl:4 is response of the server to tools/call b; 2.jsonl ${NO_LINE}`],
    ['a missing notification', ['aNA', 'aA'], `1.jsonl:2 is notifications/message of the server; 2.jsonl ${NO_LINE}`],
  ])('reports %s', (_, recordings, reason) => {
    expect(paired(...recordings)).toEqual({ kind: 'differs', reason });
  });
});
