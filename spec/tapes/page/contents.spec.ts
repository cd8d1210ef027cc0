import fc from 'fast-check';
import { contentsOf } from '../../../src/tapes/page/contents';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const png = { kind: 'image', url: `data:image/png;base64,${PIXEL}`, type: 'image/png', bytes: 72 };
const text = (one: string) => ({ kind: 'text', text: one });

describe('contentsOf', () => {
  it.each<[string, unknown, object[]]>([
    [
      'the blocks of a result, in their order',
      {
        result: {
          content: [
            { type: 'text', text: 'a' },
            { type: 'image', data: PIXEL, mimeType: 'image/png' },
          ],
        },
      },
      [text('a'), png],
    ],
    [
      'resources that were read, and those within a block',
      {
        result: {
          contents: [
            { uri: 'a:b', text: 'one' },
            { uri: 'a:c', mimeType: 'image/png', blob: PIXEL },
          ],
          content: [{ type: 'resource', resource: { uri: 'a:d', mimeType: 'text/plain', text: 'two' } }],
        },
      },
      [text('one'), png, text('two')],
    ],
    ['images as data URLs', { params: { items: [{ type: 'image', image_url: png.url }] } }, [png]],
    [
      'messages of prompts',
      { result: { messages: [{ role: 'user', content: { type: 'text', text: 'p' } }] } },
      [text('p')],
    ],
    ['an error', { error: { code: -1, message: 'no' } }, [{ kind: 'error', text: 'no' }]],
    [
      'the text of a failed tool, as an error',
      { result: { content: [{ type: 'text', text: 'no' }], isError: true } },
      [{ kind: 'error', text: 'no' }],
    ],
    ['nothing for people', { method: 'ping', params: { text: 'a', data: PIXEL } }, []],
    ['no object', 'text', []],
  ])('finds %s', (_, message, contents) => {
    expect(contentsOf(message)).toEqual(contents);
  });

  it.each([
    ['an SVG', 'image/svg+xml', PIXEL],
    ['a page', 'text/html', PIXEL],
    ['a type that ends the URL', 'image/png,<b>', PIXEL],
    ['what is no base64', 'image/png', 'abc"onerror="alert(1)'],
    ['a number', 'image/png', 5],
  ])('shows no image of %s', (_, mimeType, data) => {
    expect(contentsOf({ result: { content: [{ type: 'image', data, mimeType }] } })).toEqual([]);
    if (typeof data === 'string') expect(contentsOf(`data:${mimeType};base64,${data}`)).toEqual([]);
  });

  it('stops in a message of any size and depth', () => {
    const deep = Array.from({ length: 5000 }).reduce<unknown>((inner) => [inner], { type: 'text', text: 'a' });
    expect(contentsOf(deep)).toEqual([]);
    const wide = Array.from({ length: 300_000 }, () => ({ type: 'text', text: 'a' }));
    expect(contentsOf(wide)).toHaveLength(30);
    expect(contentsOf([Array.from({ length: 20_000 }, () => 0), { type: 'text', text: 'a' }])).toEqual([]);
  });

  it('gives URLs of images only, whatever the message', () => {
    const value = fc.anything({
      values: [fc.string(), fc.constantFrom('image', 'image/png', 'data:image/png;base64,AA')],
    });
    fc.assert(
      fc.property(
        fc.record({ type: value, data: value, mimeType: value, blob: value, text: value, uri: value }),
        (one) => {
          for (const content of contentsOf([one])) {
            if (content.kind === 'image') expect(content.url).toMatch(/^data:image\/[a-z]+;base64,[A-Za-z0-9+/=\s]*$/);
          }
        },
      ),
    );
  });
});
