import fc from 'fast-check';
import { toPage } from '../../../src/tapes/drawing/toPage';
import { toPageData } from '../../../src/tapes/drawing/toPageData';
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
      'the built page has no <title></title>: run npm run build again',
    );
  });
});
