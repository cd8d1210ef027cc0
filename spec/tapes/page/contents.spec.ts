import fc from 'fast-check';
import { contentsOf, hoverOfCluster, hoverOfMarble } from '../../../src/tapes/page/contents';
import { modelOf } from './model';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const png = { kind: 'image', url: `data:image/png;base64,${PIXEL}`, type: 'image/png', bytes: 72 };
const text = (one: string) => ({ kind: 'text', text: one });

const result = (text: string) => JSON.stringify({ id: 1, result: { content: [{ type: 'text', text }] } });
const model = modelOf(
  [
    { text: '{"id":1,"method":"tools/call","params":{"name":"echo","arguments":{}}}' },
    { lane: 1, at: 25, text: result('hello') },
    { text: '{"method":"ping"}' },
    { text: 'no JSON' },
    { text: '{"id":1,"error":{"code":-1,"message":"broken"}}' },
    { text: result('x'.repeat(400)) },
    { count: 2, text: '{"method":"d","params":{"delta":"a"}}' },
  ],
  [[0, 1, 0, 0]],
);

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

describe('hoverOfMarble', () => {
  it('has the name, the lane, the time, how long its call took, and the text in the message', () => {
    expect(hoverOfMarble(model, 0)).toEqual({
      title: 'ping',
      lines: ['client sends · at 0 ms · answered after 25 ms · line 2'],
      preview: 'name: "echo", arguments: {}',
    });
    expect(hoverOfMarble(model, 1)).toEqual({
      title: 'pong',
      lines: ['server responds · at 25 ms · took 25 ms · line 3'],
      preview: 'hello',
    });
  });

  it.each([
    [2, ''],
    [3, 'no JSON'],
    [4, 'broken'],
    [5, `${'x'.repeat(280)}…`],
    [6, 'delta: "a"'],
  ])('shows of marble %i the beginning', (marble, preview) => {
    expect(hoverOfMarble(model, marble).preview).toBe(preview);
  });

  it('counts the messages of a run', () => {
    expect(hoverOfMarble(model, 6).lines[0]).toMatch(/2 messages$/);
  });
});

describe('hoverOfCluster', () => {
  it('counts the names of its lane', () => {
    expect(hoverOfCluster(model, { first: 0, last: 6, lane: 0 })).toEqual({
      title: 'client sends',
      lines: ['0 ms to 60 ms'],
      preview: '6 × ping',
    });
  });

  it('lists five names, the most frequent first, and counts the rest', () => {
    const many = modelOf(Array.from({ length: 9 }, () => ({})));
    many.names.splice(0, 2, ...['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    many.marbles.name.splice(0, 9, 0, 1, 2, 3, 4, 5, 6, 6, 6);
    expect(hoverOfCluster(many, { first: 0, last: 8, lane: 0 }).preview.split('\n')).toEqual([
      ...['3 × g', '1 × a', '1 × b', '1 × c', '1 × d', 'and 2 more names'],
    ]);
  });
});
