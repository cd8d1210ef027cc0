import { compare } from '../../../src/tapes/diff/compare';
import { toReport } from '../../../src/tapes/diff/toReport';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
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

describe('toJunit', () => {
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
