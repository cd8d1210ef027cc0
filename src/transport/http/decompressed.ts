/** The body of a response as it was before compression. */
import type { IncomingMessage } from 'node:http';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { lazy } from '../../lazy';

/** Some servers and proxies compress without a request for it. */
export const decompressed = (response: IncomingMessage): Readable => {
  const decoder = toDecoder(response.headers['content-encoding']?.trim().toLowerCase());
  if (decoder === undefined) return response;
  pipeline(response, decoder, () => {}); // an error of the response becomes one of the decoder, whose reader gets it
  return decoder;
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
