import fc from 'fast-check';
import { toPage, toPageData } from '../../../src/tapes/drawing/toPage';
import { sessionFrom } from '../../support/tapes';
import { anySession, draw, hostile } from '../diagram/tapes';

const TEMPLATE =
  '<title></title><script type="application/json" id="tape">{"data":"none"}</script><script>run</script>';
const FRAME =
  /^<title>([^<>]*)<\/title><script type="application\/json" id="tape">([^<>&]*)<\/script><script>run<\/script>$/;

describe('toPage', () => {
  it('holds any tape as data that is unchanged and cannot run', () => {
    fc.assert(
      fc.property(anySession, hostile, (session, title) => {
        const data = toPageData(draw({ ...session, meta: { started: title } }), { title, axis: 'ordinal' });
        const [, , json = ''] = FRAME.exec(toPage(TEMPLATE, data)) ?? [];
        expect(json).not.toMatch(/[\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it('fills no place of the page that is in the data', () => {
    const data = toPageData(draw({ meta: {}, entries: [] }), { title: '$& {"data":"none"}', axis: 'ordinal' });
    expect(toPage(TEMPLATE, data)).toMatch(/^<title>\$&amp; {&quot;data&quot;:&quot;none&quot;} · codex-rx</);
  });

  it('refuses a page that is not the one of the build', () => {
    const data = toPageData(draw({ meta: {}, entries: [] }), { title: 't', axis: 'ordinal' });
    expect(() => toPage('<html></html>', data)).toThrow(
      'The built page has no <title></title>: run npm run build again',
    );
  });
});

describe('toPageData', () => {
  it('has the marbles in columns, each name once', () => {
    const session = sessionFrom(
      [0, 'in', { id: 1, method: 'ping', params: { threadId: 'a' } }],
      [1.234, 'out', { id: 1, result: {} }],
      [2, 'in', [{ id: 2, method: 'ping' }, { method: 'go' }]],
      [3, 'exit', '{"code":0,"sig":null}'],
    );
    const data = toPageData(draw({ ...session, meta: { redacted: true } }), { title: 't', axis: 'linear' });
    expect(data).toEqual({
      title: 't',
      axis: 'linear',
      facts: [
        ['lasted', '3 ms'],
        ['lines', '4'],
        ['calls', '2'],
        ['failed', '0'],
        ['redacted', 'secrets were removed'],
      ],
      lanes: [
        { group: 'request', key: 'request', title: 'client sends' },
        { group: 'answer', key: 'answer', title: 'server responds' },
        { group: 'log', key: 'log', title: 'stderr, notes, end' },
      ],
      threads: ['a'],
      names: ['ping', 'go', 'the server ended with exit code 0'],
      marbles: {
        at: [0, 1.23, 2, 2, 3],
        until: [0, 1.23, 2, 2, 3],
        lane: [0, 1, 0, 0, 2],
        name: [0, 0, 0, 1, 2],
        thread: [0, 0, -1, -1, -1],
        symbol: 'pPpg|',
        mark: [0, 0, 0, 0, 4],
        first: [0, 1, 2, 2, 3],
        count: [1, 1, 1, 1, 1],
        part: [-1, -1, 0, 1, -1],
      },
      spans: [
        [0, 1, 0, 0],
        [2, -1, 3, 0],
      ],
      ends: { client: -1, server: 4 },
      lines: {
        t: [0, 1.23, 2, 3],
        dir: ['in', 'out', 'in', 'exit'],
        number: [1, 2, 3, 4],
        text: session.entries.map(({ entry }) => entry.line),
      },
    });
  });

  it('names the lines of inner seams by their seam', () => {
    const { entries } = sessionFrom([0, 'in', '{}']);
    const seam = entries.map((one) => ({ ...one, entry: { ...one.entry, seam: 'model', call: 1 } }));
    const { lines } = toPageData(draw({ meta: {}, entries: seam }), { title: 't', axis: 'ordinal' });
    expect(lines.dir).toEqual(['model.in']);
  });
});
