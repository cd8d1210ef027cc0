import { compare, type LaneResult } from '../../../src/tapes/diff/compare';
import {
  describeLane,
  learnPlaces,
  placesOf,
  titleOf,
  toMarbles,
  unstablePlaces,
  withoutPlaces,
} from '../../../src/tapes/diff/describeLane';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toCanonical } from '../../../src/tapes/matching/matchKey';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const line = (label: string, lineNumber: number) => ({ lineNumber, value: {}, text: label, label });
const lane = (own: Partial<LaneResult> = {}): LaneResult => ({
  label: 'tools/call codex',
  lineNumber: 3,
  recorded: [line('task_started', 4), line('response', 5)],
  now: [line('task_started', 7), line('error', 8)],
  ...own,
});
const value = (path: string) => ({ path, expected: 1, actual: 2 });

describe('describeLane', () => {
  it('has no lines for a lane that is the same', () => {
    expect(describeLane(lane())).toEqual([]);
  });

  it('has the reason alone where a side lacks the lane', () => {
    expect(describeLane(lane({ difference: { at: 0, reason: 'not\nnow', values: [] } }))).toEqual([
      expect.stringMatching(/^not[^\n]+now$/),
    ]);
  });

  it('has the marbles, the places, and the values that differ', () => {
    const lines = describeLane(lane({ difference: { at: 1, values: [value('a'), value('b')] as never } }));
    expect(lines).toContain('recorded: response (line 5); now: error (line 8)');
    expect(lines.slice(lines.indexOf('recorded: response (line 5); now: error (line 8)') + 1)).toHaveLength(2);
  });

  it('names a side that has ended, and shows ten values at most', () => {
    const values = Array.from({ length: 12 }, (_, i) => value(`p${i}`)) as never;
    const lines = describeLane(lane({ now: [line('task_started', 7)], difference: { at: 1, values } }));
    expect(lines).toContain('recorded: response (line 5); now: nothing');
    expect(lines.at(-1)).toBe('… and 2 more');
    expect(lines.filter((one) => /p\d/.test(one))).toHaveLength(10);
  });

  it.each([
    ['texts', ['hello wörld\n', 'hello\n'], ['"hello wörld\\n"', '"hello\\n"']],
    ['bytes that are no text', [Buffer.from([0xff, 0xfe]), 'hello\n'], ['"//4="', '"aGVsbG8K"']],
  ])('shows output of a command as %s', (_, [before = '', after = ''], [recorded, now]) => {
    const output = (text: string | Buffer) => ({
      type: 'exec_command_output_delta',
      chunk: Buffer.from(text as string).toString('base64'),
    });
    const [result] = compare(called(output(before)), called(output(after)), ALL_MASKS);
    expect(describeLane(result as LaneResult).at(-1)).toBe(
      `message.params.msg.chunk: recorded ${recorded}, now ${now}`,
    );
  });
});

describe('titleOf', () => {
  it.each([
    [3, 'tools/call codex (line 3)'],
    [0, 'tools/call codex'],
  ])('names the request and line %i', (lineNumber, title) => {
    expect(titleOf(lane({ lineNumber }))).toBe(title);
  });
});

const event = (id: unknown, msg: object) => ({ method: 'codex/event', params: { _meta: { requestId: id }, msg } });

/** One call that brings these events about. */
const called = (...msgs: object[]) =>
  toSessionIndex(
    sessionFrom(
      [0, 'in', { id: 1, method: 'tools/call', params: { name: 'a' } }],
      ...msgs.map((msg, i): [number, string, object] => [i, 'out', event(1, msg)]),
      [99, 'out', { id: 1, result: 'ok' }],
    ),
  );

describe('toMarbles', () => {
  const drawn = (before: object[], now: object[]) => {
    const [result] = compare(called(...before), called(...now), ALL_MASKS);
    return result ? toMarbles(result) : [];
  };
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((type) => ({ type })) as [object, object, object, object];

  it('aligns two runs and marks where they part', () => {
    expect(drawn([a, b, c], [a, d, c])).toEqual([
      'recorded  -a-b-c-d-|',
      'now       -a-e-c-d-|',
      '             ^',
      'a a, b b, c c, d response, e d',
    ]);
  });

  it('leaves a gap for what one side lacks', () => {
    expect(drawn([a, b, c], [a, c]).slice(0, 3)).toEqual([
      'recorded  -a-b-c-d-|',
      'now       -a---c-d-|',
      '             ^',
    ]);
    expect(drawn([a, c], [a, b, c]).slice(0, 3)).toEqual([
      'recorded  -a---b-c-|',
      'now       -a-d-b-c-|',
      '             ^',
    ]);
  });

  it('shows the surroundings of a difference in a long run', () => {
    const many = Array.from({ length: 200 }, (_, i) => ({ type: `t${i}` }));
    const [recorded, now, mark] = drawn(many, many.with(100, { type: 'a' })) as [string, string, string];
    expect(recorded.length).toBe(now.length);
    expect(recorded).toMatch(/^recorded {2}…-.*-…$/);
    expect(recorded[mark.indexOf('^')]).not.toBe(now[mark.indexOf('^')]);
    expect(recorded.slice(0, mark.indexOf('^')).replace('recorded', 'now     ')).toBe(now.slice(0, mark.indexOf('^')));
  });
});

describe('places', () => {
  const line = (value: object) => ({ lineNumber: 1, value, text: toCanonical(value), label: 'response' });
  const lane = (recorded: object[], now: object[], own: Partial<LaneResult> = {}): LaneResult => {
    const at = recorded.findIndex((value, i) => toCanonical(value) !== toCanonical(now[i]));
    const result = { label: 'call', lineNumber: 3, recorded: recorded.map(line), now: now.map(line), ...own };
    return at === -1 ? result : { difference: { at, values: [] }, ...result };
  };
  const namesOf = (result: LaneResult): string[] => placesOf(result).map(({ name }) => name);

  describe('placesOf', () => {
    it('names each value of each line that differs', () => {
      expect(namesOf(lane([{ a: 1, b: 1 }, { c: 1 }, { d: 1 }], [{ a: 2, b: 2 }, { c: 1 }, { d: 2 }]))).toEqual([
        'call: message.a',
        'call: message.b',
        'call: message.d',
      ]);
      expect(placesOf(lane([{ a: 1 }], [{ a: 2 }]))[0]?.id).toBe('call (line 3): message.a');
    });

    it.each<[string, LaneResult, string[]]>([
      ['what is the same', lane([{ a: 1 }], [{ a: 1 }]), []],
      ['a message less', lane([{ a: 1 }, { b: 1 }], [{ a: 1 }]), ['call: a message less']],
      [
        'a message more',
        lane([{ a: 1 }], [{ a: 1 }, { b: 1 }], { difference: { at: 1, values: [] } }),
        ['call: a message more'],
      ],
      ['a reason', lane([{ a: 1 }], [], { difference: { at: 0, reason: 'not now', values: [] } }), ['call: not now']],
    ])('names %s', (_, result, names) => {
      expect(namesOf(result)).toEqual(names);
    });
  });

  describe('unstablePlaces', () => {
    const run = (a: number, b: number): LaneResult[] => [lane([{ a: 1, b: 1 }], [{ a, b }])];

    it.each<[string, LaneResult[][], string[]]>([
      ['nothing where all runs differ alike', [run(2, 2), run(2, 2)], []],
      ['a value that is another each time', [run(2, 2), run(2, 3)], ['call (line 3): message.b']],
      ['what differs in one run only', [run(2, 1), run(2, 2), run(2, 1)], ['call (line 3): message.b']],
      [
        'all where one run is as recorded',
        [run(1, 1), run(2, 2)],
        ['call (line 3): message.a', 'call (line 3): message.b'],
      ],
      ['nothing of one run', [run(2, 2)], []],
    ])('finds %s', (_, runs, ids) => {
      expect([...unstablePlaces(runs)]).toEqual(ids);
    });
  });

  describe('learnPlaces', () => {
    it('finds what differs between two recordings, which may differ in a third', () => {
      const learned = learnPlaces([lane([{ a: 1, b: 1 }], [{ a: 2, b: 1 }])]);
      expect([...learned]).toEqual(['call (line 3): message.a']);
      expect(withoutPlaces([lane([{ a: 1, b: 1 }], [{ a: 3, b: 1 }])], learned)[0]?.difference).toBeUndefined();
      expect(withoutPlaces([lane([{ a: 1, b: 1 }], [{ a: 3, b: 2 }])], learned)[0]?.difference).toBeDefined();
    });
  });

  describe('withoutPlaces', () => {
    const ids = new Set(['call (line 3): message.a', 'call (line 3): not now']);

    it.each<[string, LaneResult, unknown]>([
      [
        'the rest of a line',
        lane([{ a: 1, b: 1 }], [{ a: 2, b: 2 }]),
        { at: 0, values: [{ path: 'message.b', recorded: 1, now: 2 }] },
      ],
      [
        'a later line',
        lane([{ a: 1 }, { b: 1 }], [{ a: 2 }, { b: 2 }]),
        { at: 1, values: [{ path: 'message.b', recorded: 1, now: 2 }] },
      ],
      ['a message less', lane([{ a: 1 }, { b: 1 }], [{ a: 2 }]), { at: 1, values: [] }],
      ['nothing', lane([{ a: 1 }], [{ a: 2 }]), undefined],
      ['nothing of a reason', lane([], [], { difference: { at: 0, reason: 'not now', values: [] } }), undefined],
      [
        'another reason',
        lane([], [], { difference: { at: 0, reason: 'x', values: [] } }),
        { at: 0, reason: 'x', values: [] },
      ],
      ['what is the same', lane([{ a: 1 }], [{ a: 1 }]), undefined],
    ])('leaves %s', (_, result, difference) => {
      expect(withoutPlaces([result], ids)[0]?.difference).toEqual(difference);
    });
  });
});
