/**
 * The bytes of a connection as the response to one request. Own code: with the parser, the messages and the streams of node:http a reply of
 * the agent takes a quarter more time (1.6 instead of 1.27 ms, docs/benchmarks.md), and undici needs twice the time for the first turn of a process.
 */
import { readSmallChunks } from './readSmallChunks';
import { closedEarly, FIRST_PHASE, type Phase, type ReadStep, readStep } from './readStep';
import type { ResponseHead } from './responseHead';

/**
 * What one piece of the connection brings: the head, once; bytes of the body; and its end, or what is wrong with what follows. Behind an end that
 * `isReusable` the connection can take another request.
 */
export type ResponsePiece = {
  head?: ResponseHead | undefined;
  body: Uint8Array[];
  end?: { isReusable: boolean } | undefined;
  error?: Error;
};

/** `close`: the server has ended the connection, which ends some bodies. Nothing is to be read behind an end or an error. */
export type ResponseReader = { read: (bytes: Buffer) => ResponsePiece; close: () => ResponsePiece };

/**
 * Reads one response, cut anywhere. Responses with a status of 1xx before it are skipped.
 *   bytes  'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na'   'bc'
 *   read   { head: { status: 200, … }, body: ['a'] }         { body: ['bc'], end: { isReusable: true } }
 * Changed in place: where it is in the response, and the beginning of a head or line that has not ended.
 * Source: RFC 9112, 2 to 7.
 */
export const responseReader = (): ResponseReader => {
  let phase: Phase = FIRST_PHASE;
  let rest: Buffer = NOTHING;
  const read = (bytes: Buffer): ResponsePiece => {
    const body: Uint8Array[] = [];
    let head: ResponseHead | undefined;
    try {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      while (phase.kind !== 'over') {
        const step: ReadStep | undefined = nextStep(phase, rest);
        if (step === undefined) break;
        phase = step.phase;
        rest = rest.subarray(step.used);
        head ??= step.head;
        if (step.body !== undefined) body.push(step.body);
      }
      return { head, body, end: phase.kind === 'over' ? toEnd(phase, rest) : undefined };
    } catch (error) {
      return { head, body, error: error as Error };
    }
  };
  const close = (): ResponsePiece =>
    phase.kind === 'untilClose' ? { body: [], end: { isReusable: false } } : { body: [], error: closedEarly(phase) };
  return { read, close };
};

const nextStep = (phase: Exclude<Phase, { kind: 'over' }>, bytes: Buffer): ReadStep | undefined => {
  const small = phase.kind === 'size' ? readSmallChunks(bytes) : undefined;
  return small === undefined ? readStep(phase, bytes) : { phase, ...small };
};

/** What a server sends behind its response, unasked, must not become the response to the next request. */
const toEnd = ({ isReusable }: { isReusable: boolean }, left: Buffer) => ({
  isReusable: isReusable && left.length === 0,
});

const NOTHING = Buffer.alloc(0);
