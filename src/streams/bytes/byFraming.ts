/** Detects from its beginning how a byte stream frames its messages: in lines, or with headers that state their length. */
import { concat, concatMap, connect, defer, mergeMap, type OperatorFunction, startWith, take } from 'rxjs';
import { toBuffer } from './toBuffer';

/** How messages are framed; `contentLength` is that of language servers and debug adapters. */
export type Framing = 'lines' | 'contentLength';

const BEGINNING = 'content-';

/**
 * Reads a stream by the operator for its framing. Source: Language Server Protocol 3.17, Base Protocol.
 *   in   -C--o--|    (C 'Conten', o 't-Length: …')
 *   out  ----m--|    (m of the operator for contentLength)
 */
export const byFraming =
  <T>(read: Readonly<Record<Framing, OperatorFunction<Uint8Array, T>>>): OperatorFunction<Uint8Array, T> =>
  (chunk$) =>
    chunk$.pipe(
      joinFirst(),
      connect((shared$) =>
        shared$.pipe(
          take(1),
          mergeMap((first) => shared$.pipe(startWith(first), read[framingOf(first)])),
        ),
      ),
    );

const textOf = (bytes: Uint8Array): string =>
  toBuffer(bytes.subarray(0, BEGINNING.length)).toString('latin1').toLowerCase();

const framingOf = (first: Uint8Array): Framing => (textOf(first) === BEGINNING ? 'contentLength' : 'lines');

/** Joins the first chunks until they show the framing. */
const joinFirst = (): OperatorFunction<Uint8Array, Uint8Array> => (chunk$) =>
  defer(() => {
    let first: Uint8Array | undefined = new Uint8Array();
    const pass = (chunk: Uint8Array): Uint8Array[] => {
      if (first === undefined) return [chunk];
      const joined: Uint8Array = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
      const text = textOf(joined);
      first = text.length < BEGINNING.length && BEGINNING.startsWith(text) ? joined : undefined;
      return first === undefined ? [joined] : [];
    };
    return concat(
      chunk$.pipe(concatMap(pass)),
      defer(() => (first === undefined || first.length === 0 ? [] : [first])),
    );
  });
