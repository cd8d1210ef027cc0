import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { decompressed } from '../../../src/io/http/responseBody';

const body = (bytes: Uint8Array, error?: Error): Readable =>
  Readable.from(
    (function* () {
      yield bytes;
      if (error) throw error;
    })(),
  );

describe('decompressed', () => {
  it.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    [' gzip ', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('reads %j', async (encoding, compress) => {
    expect(await text(decompressed(body(compress(Buffer.from('grüße'))), encoding))).toBe('grüße');
  });

  it.each([[undefined], ['identity'], ['unknown']])('is the response itself with %j', (encoding) => {
    const plain = body(Buffer.from('x'));
    expect(decompressed(plain, encoding)).toBe(plain);
  });

  it.each([
    ['of the response     ', body(gzipSync('x').subarray(0, 5), new Error('reset')), 'reset'],
    ['of bytes that are none', body(Buffer.from('plain')), 'incorrect header check'],
  ])('errors with an error %s', async (_, one, message) => {
    await expect(text(decompressed(one, 'gzip'))).rejects.toThrow(message);
  });
});
