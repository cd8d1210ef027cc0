/** Makes the address that an event stream begins with relative, so that a client sends its messages through the relay. */
import { Transform } from 'node:stream';

/** The event that the older HTTP transport of MCP begins with. Source: MCP 2024-11-05, HTTP with SSE. */
const ENDPOINT = /^(?:\ufeff)?event: ?endpoint\r?\ndata: ?/;

/** Passes bytes; takes the origin out of the address in the first chunk, where that is the event `endpoint`. */
export const withoutOrigin = (origin: string): Transform => {
  let isFirst = true;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const text = isFirst ? chunk.toString('utf8') : '';
      isFirst = false;
      const [head] = ENDPOINT.exec(text) ?? [''];
      const isOwn = head !== '' && text.startsWith(origin, head.length);
      done(null, isOwn ? head + text.slice(head.length + origin.length) : chunk);
    },
  });
};
