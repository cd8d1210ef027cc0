import { compare } from '../../../src/tapes/diff/compare';
import { toReport, toReports } from '../../../src/tapes/diff/toReport';
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
      '0 of 1 line of the client have other results; what belongs to no request differs',
    );
  });

  it('writes a line for each of several sessions, those that differ or cannot be used in full', () => {
    const sessions = [
      { name: 'a.jsonl', results: same },
      { name: 'b.jsonl', results },
      { name: 'c.jsonl', results: [], problem: 'it holds no tape' },
    ];
    const lines = toReports({ format: 'text', columns: 80 }, sessions).split('\n');
    expect([lines[0], lines[1], lines[2], ...lines.slice(-3)]).toEqual([
      'SAME: a.jsonl: 1 line of the client, 1 of the server',
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
