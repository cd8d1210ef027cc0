import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { decompressed } from '../../../src/transport/http/decompressed';

const response = (encoding: string | undefined, bytes: Uint8Array, error?: Error): IncomingMessage =>
  Object.assign(
    Readable.from(
      (function* () {
        yield bytes;
        if (error) throw error;
      })(),
    ),
    { headers: { ...(encoding !== undefined && { 'content-encoding': encoding }) } },
  ) as unknown as IncomingMessage;

describe('decompressed', () => {
  it.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    [' gzip ', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('reads %j', async (encoding, compress) => {
    expect(await text(decompressed(response(encoding, compress(Buffer.from('grüße')))))).toBe('grüße');
  });

  it.each([[undefined], ['identity'], ['unknown']])('is the response itself with %j', (encoding) => {
    const plain = response(encoding, Buffer.from('x'));
    expect(decompressed(plain)).toBe(plain);
  });

  it.each([
    ['of the response     ', response('gzip', gzipSync('x').subarray(0, 5), new Error('reset')), 'reset'],
    ['of bytes that are none', response('gzip', Buffer.from('plain')), 'incorrect header check'],
  ])('errors with an error %s', async (_, one, message) => {
    await expect(text(decompressed(one))).rejects.toThrow(message);
  });
});
