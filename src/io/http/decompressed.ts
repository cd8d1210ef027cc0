/** The body of a response as it was before compression. */
import type { Duplex, Readable } from 'node:stream';
import { lazy } from '../../streams/lazy/lazy';

/**
 * Some servers and proxies compress without a request for it. The body is not destroyed with the result: the rest of it may be read without.
 * @param encoding as the header of the response names it
 */
export const decompressed = (body: Readable, encoding: string | undefined): Readable => {
  const decoder = toDecoder(encoding?.trim().toLowerCase());
  if (decoder === undefined) return body;
  body.once('error', (error) => decoder.destroy(error)); // whose reader gets it
  return body.pipe(decoder);
};

const toDecoder = (encoding: string | undefined): Duplex | undefined => {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib().createGunzip();
    case 'deflate':
      return zlib().createInflate();
    case 'br':
      return zlib().createBrotliDecompress();
    default:
      return undefined;
  }
};

/** Loaded by the first compressed response. */
const zlib = lazy(() => require('node:zlib') as typeof import('node:zlib'));
