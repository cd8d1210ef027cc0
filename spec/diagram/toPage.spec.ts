import { join } from 'node:path';
import fc from 'fast-check';
import { toChart, toPage, toPageData } from '../../src/diagram';
import { sessionOf } from '../support/tapes';
import { anySession, hostile } from './tapes';

const TEMPLATE =
  '<title></title><script type="application/json" id="tape">{"data":"none"}</script><script>run</script>';
const FRAME =
  /^<title>([^<>]*)<\/title><script type="application\/json" id="tape">([^<>&]*)<\/script><script>run<\/script>$/;

describe('toPage', () => {
  it('holds any tape as data, which is what it was and cannot be more', () => {
    fc.assert(
      fc.property(anySession, hostile, (session, title) => {
        const data = toPageData(toChart(session), { started: title }, { title, axis: 'ordinal' });
        const [, , json = ''] = FRAME.exec(toPage(TEMPLATE, data)) ?? [];
        expect(json).not.toMatch(/[\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it('takes nothing in the data for a place in the page', () => {
    const data = toPageData(toChart({ meta: {}, entries: [] }), {}, { title: '$& {"data":"none"}', axis: 'ordinal' });
    expect(toPage(TEMPLATE, data)).toMatch(/^<title>\$&amp; {&quot;data&quot;:&quot;none&quot;} · codex-rx</);
  });

  it('refuses a page that is not the one of the build', () => {
    const data = toPageData(toChart({ meta: {}, entries: [] }), {}, { title: 't', axis: 'ordinal' });
    expect(() => toPage('<html></html>', data)).toThrow('the page of the build has no <title></title>');
  });
});

describe('toPageData', () => {
  it('tells who talked, how long, how much', () => {
    const session = sessionOf(join(__dirname, '../fixtures/tapes/exec-approval-parallel.jsonl'));
    const { facts, lanes, spans, threads } = toPageData(toChart(session), session.meta, {
      title: 't',
      axis: 'ordinal',
    });
    expect(facts).toEqual([
      ['client', 'drive 1.0.0'],
      ['server', 'codex-mcp-server 0.28.0'],
      ['protocol', '2025-06-18'],
      ['lasted', '635 ms'],
      ['lines', '33'],
      ['calls', '5'],
      ['failed', '0'],
    ]);
    expect(lanes.map(({ key }) => key)).toEqual([
      ...['request', 'answer', 'question', 'session', 'task', 'exec', 'token', 'agent', 'log'],
    ]);
    expect([spans.length, threads.length]).toEqual([5, 2]);
  });
});
