import { escapeXml, tag } from '../../../src/tapes/drawing/xml';

describe('escapeXml', () => {
  it('escapes what has a meaning, and what XML cannot hold or nobody would see', () => {
    expect(escapeXml(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
    expect(escapeXml('\u0000\u001b\ud800\uffff🚀\n')).toBe('\\x00\\x1b\\ud800\\uffff🚀\\n');
  });
});

describe('tag', () => {
  it('writes attributes with one decimal at most, leaves out what is undefined, and closes', () => {
    expect(tag('g', { x: 1.26, y: undefined, class: '"' })).toBe('<g x="1.3" class="&quot;"/>');
    expect(tag('g', {}, tag('a', {}), 'b')).toBe('<g><a/>b</g>');
  });
});
