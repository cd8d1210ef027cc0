import { titleOf, toUserInput } from '../../../src/server/acp/promptInput';

describe('a prompt as input', () => {
  it('has each block in its order', () => {
    expect(
      toUserInput([
        { type: 'text', text: 'look' },
        { type: 'image', data: 'AA', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'file:///w/a%20b.txt', name: 'a b.txt' },
        { type: 'resource_link', uri: 'zed:///x?y', name: 'x' },
        { type: 'resource', resource: { uri: 'file:///w/new.py', text: 'unsaved' } },
        { type: 'resource', resource: { uri: 'file:///w/x.bin', blob: 'AAEC' } },
      ]),
    ).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image', url: 'data:image/png;base64,AA' },
      { type: 'text', text: '[@a b.txt](/w/a b.txt)' },
      { type: 'text', text: '[@x](zed:///x?y)' },
      { type: 'text', text: '<context ref="/w/new.py">\nunsaved\n</context>' },
      { type: 'text', text: '[@/w/x.bin] (4 characters of base64, not shown)' },
    ]);
  });

  it('keeps an address that cannot be read', () => {
    const linkTo = (uri: string) => toUserInput([{ type: 'resource_link', uri, name: 'n' }]);
    expect(linkTo('file:///a%zz')).toEqual([{ type: 'text', text: '[@n](/a%zz)' }]);
    expect(linkTo('file:///C:/a')).toEqual([{ type: 'text', text: '[@n](C:/a)' }]);
  });

  it.each([
    [[]],
    [[{ type: 'text' as const, text: ' \n' }]],
    [[{ type: 'audio' as const, data: 'AA', mimeType: 'audio/wav' }]],
  ])('is refused without anything to read: %j', (prompt) => {
    expect(() => toUserInput(prompt)).toThrow(/Invalid params/);
  });

  it('has the first line of its text as its title', () => {
    expect(
      titleOf([
        { type: 'image', data: '', mimeType: '' },
        { type: 'text', text: ' fix it\nnow' },
      ]),
    ).toBe('fix it');
  });
});
