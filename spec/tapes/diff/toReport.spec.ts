import fc from 'fast-check';
import { compare, type LaneResult } from '../../../src/tapes/diff/compare';
import { describeAlike, groupAlike, toReport, toReports } from '../../../src/tapes/diff/toReport';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { faultsOf, HOSTILE } from '../../support/hostile';
import { sessionFrom } from '../../support/tapes';

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

describe('toReport', () => {
  const results = compare(called({ exit_code: 0 }), called({ exit_code: 7 }), ALL_MASKS);
  const same = compare(called(), called(), ALL_MASKS);

  it('writes text', () => {
    expect(toReport({ format: 'text', columns: 80 }, same, 't')).toBe('SAME: 1 line of the client, 1 of the server\n');
    expect(toReport({ format: 'text', columns: 80 }, results, 't')).toContain(
      'message.params.msg.exit_code: recorded 0, now 7',
    );
  });

  it('counts the lines of the client, and names what belongs to none of them', () => {
    const noted = (level: string) =>
      toSessionIndex(sessionFrom([0, 'in', { id: 1, method: 'a' }], [1, 'out', { method: 'note', params: { level } }]));
    const other = compare(noted('low'), noted('high'), ALL_MASKS);
    const endOf = (text: string): string | undefined => text.trimEnd().split('\n').at(-1);
    expect(endOf(toReport({ format: 'text', columns: 80 }, results, 't'))).toBe(
      '1 of 1 line of the client has other results',
    );
    expect(endOf(toReport({ format: 'text', columns: 80 }, other, 't'))).toBe(
      '0 of 1 line of the client have other results; note outside of requests differs',
    );
  });

  it('is quiet about those of several sessions that are the same', () => {
    const sessions = [
      { name: 'a.jsonl', results: same },
      { name: 'b.jsonl', results },
      { name: 'c.jsonl', results: [], problem: 'it holds no tape' },
    ];
    const lines = toReports({ format: 'text', columns: 80 }, sessions).split('\n');
    expect([lines[0], lines[1], ...lines.slice(-3)]).toEqual([
      'DIFFERS: b.jsonl',
      '  DIFFERS: tools/call a (line 1)',
      'CANNOT BE USED: c.jsonl: it holds no tape',
      '3 sessions: 1 the same, 1 differ, 1 cannot be used',
      '',
    ]);
    expect(JSON.parse(toReports({ format: 'json', columns: 80 }, sessions))).toMatchObject({
      same: false,
      compared: 3,
      sessions: [
        { name: 'a.jsonl', same: true, differences: [] },
        { name: 'b.jsonl', same: false, differences: [{ request: 'tools/call a' }] },
        { name: 'c.jsonl', same: false, problem: 'it holds no tape' },
      ],
    });
    expect(toReports({ format: 'junit', columns: 80 }, sessions).match(/<testsuite .*>/g)).toEqual([
      '<testsuite name="a.jsonl" tests="2" failures="0" errors="0" skipped="0">',
      '<testsuite name="b.jsonl" tests="2" failures="1" errors="0" skipped="0">',
      '<testsuite name="c.jsonl" tests="1" failures="0" errors="1" skipped="0">',
    ]);
  });

  it('writes one block for many results that differ alike, as text only', () => {
    const calls = Array.from({ length: 28 }, (_, i) => ({ id: i, method: 'tools/call', params: { name: 'a', i } }));
    const versioned = (version: number) =>
      toSessionIndex(
        sessionFrom(
          ...calls.map((call): [number, string, object] => [0, 'in', call]),
          ...calls.map(({ id }): [number, string, object] => [1, 'out', { id, result: { id, version } }]),
        ),
      );
    const alike = compare(versioned(1), versioned(2), ALL_MASKS);
    const text = toReport({ format: 'text', columns: 80 }, alike, 't');
    expect(text.match(/DIFFERS/g)).toHaveLength(1);
    expect(text).toContain('the same in 27 more results: tools/call a (lines 2, 3, 4,');
    expect(text).toContain('28 of 28 lines of the client have other results');
    expect(JSON.parse(toReport({ format: 'json', columns: 80 }, alike, 't')).differences).toHaveLength(28);
    expect(toReport({ format: 'junit', columns: 80 }, alike, 't').match(/<failure/g)).toHaveLength(28);
  });

  it('writes JSON', () => {
    expect(JSON.parse(toReport({ format: 'json', columns: 80 }, same, 't'))).toEqual({
      same: true,
      compared: 2,
      differences: [],
    });
    expect(JSON.parse(toReport({ format: 'json', columns: 80 }, results, 't'))).toMatchObject({
      same: false,
      differences: [{ request: 'tools/call a', line: 1, at: 0, recorded: { line: 2 }, now: { line: 2 } }],
    });
  });

  it.each(['text', 'json', 'junit'] as const)('shows what would command a terminal, as %s', (format) => {
    const [before, now] = [{ type: HOSTILE }, { type: HOSTILE, [HOSTILE]: HOSTILE }];
    const report = toReport({ format, columns: 80 }, compare(called(before), called(now), ALL_MASKS), HOSTILE);
    expect(faultsOf(report)).toEqual([]);
    expect(report).toContain('\\u001b');
  });
});

describe('toJunit', () => {
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

  it('has a case for each lane, with the differences as text', () => {
    const results = compare(called({ a: '<x>' }), called({ a: ']]>&' }), ALL_MASKS);
    expect(toReport({ format: 'junit', columns: 80 }, results, 'a&b.jsonl').split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites tests="2" failures="1" errors="0" skipped="0">',
      '  <testsuite name="a&amp;b.jsonl" tests="2" failures="1" errors="0" skipped="0">',
      '    <testcase classname="a&amp;b.jsonl" name="tools/call a (line 1)">',
      '      <failure message="differs from the tape"><![CDATA[recorded  -a-b-|',
      'now       -c-b-|',
      '           ^',
      'a codex/event, b response, c codex/event',
      'recorded: codex/event (line 2); now: codex/event (line 2)',
      'message.params.msg.a: recorded "<x>", now "]]]]><![CDATA[>&"]]></failure>',
      '    </testcase>',
      '    <testcase classname="a&amp;b.jsonl" name="what belongs to no request"/>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ]);
  });

  it('leaves out characters that XML cannot hold', () => {
    const results = compare(called({ a: 'x' }), called({ a: '\u0000\u001b[31m' }), ALL_MASKS);
    expect(toReport({ format: 'junit', columns: 80 }, results, 't')).not.toMatch(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/,
    );
  });
});

type Value = { path: string; recorded: unknown; now: unknown };

const line = (label: string) => ({ lineNumber: 1, value: {}, text: label, label });

const lane = (lineNumber: number, values: Value[], own: Partial<LaneResult> = {}): LaneResult => ({
  label: 'tools/call read',
  lineNumber,
  recorded: [line('response')],
  now: [line('response')],
  difference: { at: 0, values },
  ...own,
});

const version = (path = 'message.result.version', now: unknown = 2): Value => ({ path, recorded: 1, now });

const linesOf = (...results: LaneResult[]): number[][] =>
  groupAlike(results).map((group) => group.map(({ lineNumber }) => lineNumber));

describe('groupAlike', () => {
  it('is one group of what has the same values at the same paths, whatever the items and the requests', () => {
    const other = lane(7, [version('message.result.list[7].version')], { label: 'tools/call write' });
    const twice = lane(9, [version('message.result.list[0].version'), version('message.result.list[1].version')]);
    expect(linesOf(lane(3, [version('message.result.list[2].version')]), other, twice)).toEqual([[3, 7, 9]]);
  });

  it.each<[string, LaneResult]>([
    ['another value', lane(5, [version('message.result.version', 3)])],
    ['a value of another type', lane(5, [version('message.result.version', '2')])],
    ['another path', lane(5, [version('message.result.other')])],
    ['one value more', lane(5, [version(), version('message.result.other')])],
    ['another kind of message', lane(5, [version()], { now: [line('error')] })],
    ['a reason', lane(5, [version()], { difference: { at: 0, values: [version()], reason: 'not now' } })],
    ['what belongs to no request', lane(0, [version()])],
  ])('keeps %s apart', (_, other) => {
    expect(linesOf(lane(3, [version()]), other)).toHaveLength(2);
  });

  it('keeps every result, once, in order', () => {
    const value = fc.record({
      path: fc.constantFrom('message.a', 'message.b[0]', 'message.b[1]'),
      recorded: fc.constantFrom(1, '1'),
      now: fc.constantFrom(2, '2', undefined),
    });
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 1, maxLength: 2 })), (all) => {
        const results = all.map((values, i) => lane(i + 1, values));
        const groups = groupAlike(results);
        expect(groups.flat().toSorted((a, b) => a.lineNumber - b.lineNumber)).toEqual(results);
        for (const group of groups) expect(group).toEqual(group.toSorted((a, b) => a.lineNumber - b.lineNumber));
      }),
    );
  });
});

describe('describeAlike', () => {
  it('has no lines where there is no other result', () => {
    expect(describeAlike([], 80)).toEqual([]);
  });

  it('counts the results and names their lines, in lines of that width', () => {
    const others = [lane(5, []), lane(8, [], { label: 'tools/call write' }), lane(9, [])];
    expect(describeAlike(others, 90)).toEqual([
      'the same in 3 more results: tools/call read (lines 5, 9), tools/call write (line 8)',
    ]);
    const narrow = describeAlike(others, 40);
    expect(narrow.join(' ')).toBe(describeAlike(others, 200).join(' '));
    expect(narrow.every(({ length }) => length <= 40)).toBe(true);
  });

  it('counts what is beyond a hundred lines', () => {
    const others = Array.from({ length: 120 }, (_, i) => lane(i + 1, []));
    expect(describeAlike(others, 2000)).toEqual([expect.stringMatching(/ 99, 100\), and 20 more$/)]);
  });

  it('shows what would command a terminal', () => {
    expect(faultsOf(describeAlike([lane(5, [], { label: HOSTILE })], 80).join('\n'))).toEqual([]);
  });
});
