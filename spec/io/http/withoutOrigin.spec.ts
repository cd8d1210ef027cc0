import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { withoutOrigin } from '../../../src/io/http/relayHttp';

const passed = (...chunks: string[]): Promise<string> =>
  text(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(withoutOrigin('http://up:1')));

describe('withoutOrigin', () => {
  it.each([
    [
      ['event: endpoint\ndata: http://up:1/m?sessionId=1\n\n', 'data: x\n\n'],
      'event: endpoint\ndata: /m?sessionId=1\n\ndata: x\n\n',
    ],
    [['event: endpoint\r\ndata:http://up:1/m\r\n\r\n'], 'event: endpoint\r\ndata:/m\r\n\r\n'],
    [['event: endpoint\ndata: /m\n\n'], 'event: endpoint\ndata: /m\n\n'],
    [['event: endpoint\ndata: http://other/m\n\n'], 'event: endpoint\ndata: http://other/m\n\n'],
    [
      ['data: http://up:1/m\n\n', 'event: endpoint\ndata: http://up:1/m\n\n'],
      'data: http://up:1/m\n\nevent: endpoint\ndata: http://up:1/m\n\n',
    ],
  ])('makes of %j %j', async (chunks, expected) => {
    expect(await passed(...chunks)).toBe(expected);
  });
});
