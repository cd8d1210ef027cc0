import fc from 'fast-check';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { alignTexts, learnHoles } from '../../../src/tapes/specWriter/learnHoles';
import { pairLines } from '../../../src/tapes/specWriter/pairRecordings';
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
          a: '<number $a>',
          b: '<number $b>',
          now: '<number $now>',
          madeAt: '<string $madeAt>',
          readAt: '<string $readAt>',
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

/** The parts without empty ones, words joined by |, with their label. */
const drawn = (...texts: string[]): string | undefined =>
  alignTexts(texts)
    ?.map((part) => (typeof part === 'string' ? part : `[${part.label}: ${part.words.join('|')}]`))
    .join('');

describe('alignTexts', () => {
  it.each([
    ['a word', ['made n_1a.', 'made n_2b.'], 'made [: n_1a|n_2b].'],
    ['three texts', ['row 1 of 5', 'row 2 of 5', 'row 1 of 5'], 'row [: 1|2|1] of 5'],
    ['a member of JSON', ['{"id":"a1","n":5}', '{"id":"b2","n":5}'], '{"id":"[id: a1|b2]","n":5}'],
    ['a line of YAML', ['size: 17\nok', 'size: 4\nok'], 'size: [size: 17|4]\nok'],
    ['a path', ['/tmp/x-1/out.txt', '/tmp/x-2/out.txt'], '/tmp/[: x-1|x-2]/out.txt'],
    [
      'a time as one word',
      ['at 2026-11-23T00:05:26.123Z', 'at 2026-11-23T00:06:26.9Z'],
      'at [: 2026-11-23T00:05:26.123Z|2026-11-23T00:06:26.9Z]',
    ],
    [
      'a time of a locale as one word',
      ['made at 11/23/2026, 9:59:59 AM.', 'made at 11/23/2026, 12:00:01 PM.'],
      'made at [: 11/23/2026, 9:59:59 AM|11/23/2026, 12:00:01 PM].',
    ],
    ['a decimal number as one word', ['took 1.5 s', 'took 1.25 s'], 'took [: 1.5|1.25] s'],
    ['lines of ids', ['a1\nb2', 'c3\nd4'], '[: a1|c3]\n[: b2|d4]'],
  ])('finds %s', (_, texts, parts) => {
    expect(drawn(...texts)).toBe(parts);
  });

  it.each([
    ['one word', ['note-1', 'note-2']],
    ['other signs between the words', ['a b', 'a, b']],
    ['more words', ['a b', 'a b c']],
    ['other prose', ['the sun shines', 'a dog barks']],
    ['base64', ['aB3/xx+', 'cD4/yy+']],
  ])('finds nothing in %s', (_, texts) => {
    expect(drawn(...texts)).toBeUndefined();
  });

  it('keeps every text, and gives one text for two that are the same', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.stringMatching(/^[a-z]\d$/), { maxLength: 5 }),
        (text, words) => {
          const texts = [`${text} common ${words.join(' ')}`, `${text} common ${words.map(() => 'x9').join(' ')}`];
          const parts = alignTexts(texts) ?? [];
          for (const at of [0, 1]) {
            expect(parts.map((part) => (typeof part === 'string' ? part : part.words[at])).join('')).toBe(texts[at]);
          }
        },
      ),
    );
  });
});
