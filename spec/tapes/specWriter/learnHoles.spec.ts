import fc from 'fast-check';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { learnHoles } from '../../../src/tapes/specWriter/learnHoles';
import { pairLines } from '../../../src/tapes/specWriter/zipLeaves';
import { fitsHoles } from '../../../src/tapes/templates/fillHoles';
import { sessionFrom } from '../../support/tapes';

/** The bodies of the first recording with holes; a recording is params of requests and results of responses in turn. */
const learned = (...recordings: unknown[][]): unknown[] => {
  const pairing = pairLines(
    recordings.map((bodies, i) => ({
      name: `${i}`,
      index: toSessionIndex(
        sessionFrom(
          ...bodies.map((body, t): [number, string, object] => {
            const id = Math.floor(t / 2);
            return t % 2 === 0 ? [t, 'in', { id, method: 'ask', params: body }] : [t, 'out', { id, result: body }];
          }),
        ),
      ),
    })),
  );
  const lines = learnHoles(pairing.kind === 'paired' ? pairing.lines : []);
  return lines.map(({ line }) => line.value).map((value) => Object.values(value as object).at(-1));
};

describe('learnHoles', () => {
  it.each<[string, unknown[][], unknown[]]>([
    [
      'keeps what is the same',
      [
        [{}, { a: 1, b: ['x'] }],
        [{}, { a: 1, b: ['x'] }],
      ],
      [{}, { a: 1, b: ['x'] }],
    ],
    [
      'names a hole after its member, with the kind that fits all',
      [
        [{}, { id: 'ab-1', n: 100, at: [null, 'x'], on: true }],
        [{}, { id: 'ab-2', n: 200, at: ['t', 'x'], on: true }],
        [{}, { id: 'ab-2', n: 300, at: [5, 'x'], on: false }],
      ],
      [{}, { id: '<string $id>', n: '<number $n>', at: ['<any $at>', 'x'], on: '<any $on>' }],
    ],
    [
      'has one hole for one value, also in texts and as another kind',
      [
        [{}, { id: 'ab-1', row: 100, text: 'is ab-1 in row 100', same: 'ab-1' }],
        [{}, { id: 'cd-2', row: 200, text: 'is cd-2 in row 200', same: 'cd-2' }],
      ],
      [
        {},
        {
          id: '<string $id>',
          row: '<number $row>',
          text: 'is <string $id> in row <number $row>',
          same: '<string $id>',
        },
      ],
    ],
    [
      'numbers holes of one name',
      [
        [{}, [{ id: 'a-1' }, { id: 'a-2' }]],
        [{}, [{ id: 'b-1' }, { id: 'b-2' }]],
      ],
      [{}, [{ id: '<string $id>' }, { id: '<string $id2>' }]],
    ],
    [
      'binds what the client sends back, however short it is',
      [
        [{}, { id: 1, count: 4 }, { noteId: 1 }, { id: 1 }],
        [{}, { id: 2, count: 5 }, { noteId: 2 }, { id: 2 }],
      ],
      [{}, { id: '<number $id>', count: '<number $count>' }, { noteId: '<number $id>' }, { id: '<number $id>' }],
    ],
    [
      "keeps the client's own value, and its echo",
      [
        [{ ref: 'abc-1' }, { ref: 'abc-1', text: 'for abc-1' }],
        [{ ref: 'abc-2' }, { ref: 'abc-2', text: 'for abc-2' }],
      ],
      [{ ref: 'abc-1' }, { ref: 'abc-1', text: 'for abc-1' }],
    ],
    [
      'does not take short values and times for one that come twice by chance',
      [
        [{}, { a: 1, b: 1, madeAt: '2026-01-01T00:00:00Z', readAt: '2026-01-01T00:00:00Z', now: 1763856000 }],
        [{}, { a: 2, b: 2, madeAt: '2026-01-01T00:00:01Z', readAt: '2026-01-01T00:00:01Z', now: 1763856001 }],
      ],
      [
        {},
        {
          ...{ a: '<number $a>', b: '<number $b>', now: '<number $now>' },
          ...{ madeAt: '<string $madeAt>', readAt: '<string $readAt>' },
        },
      ],
    ],
  ])('%s', (_, recordings, bodies) => {
    expect(learned(...recordings)).toEqual(bodies);
  });

  it('fits each recording, whatever differs', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    );
    const text = fc
      .tuple(fc.stringMatching(/^[a-z0-9-]{1,4}$/), fc.nat())
      .map(([id, n]) => `made ${id}, "n": ${n}. common words`);
    const body = fc.record({
      id: leaf,
      rows: fc.array(leaf, { minLength: 2, maxLength: 2 }),
      text,
      more: fc.tuple(text, leaf),
    });
    fc.assert(
      fc.property(fc.array(body, { minLength: 2, maxLength: 3 }), (bodies) => {
        const [, hole] = learned(...bodies.map((one) => [{}, one]));
        expect(bodies.map((one) => fitsHoles(hole, JSON.parse(JSON.stringify(one)), new Map()))).toEqual(
          bodies.map(() => true),
        );
      }),
    );
  });
});
