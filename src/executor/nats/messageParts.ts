/** Messages that are longer than a server takes, in parts. */
import { map, type OperatorFunction, scan } from 'rxjs';
import { cutBytes, flatten } from '../../streams';
import type { NatsLink } from '../../transport/nats';

/** A part of a message; more follow, or it is the last. */
export type MessagePart = { data: Uint8Array; isLast: boolean };

/** How long a part may be, as headers count too. */
export const partBytes = ({ maxPayload }: Pick<NatsLink, 'maxPayload'>): number => Math.max(1_024, maxPayload - 4_096);

/** The UTF-8 of a text in parts of at most so many bytes; one part at least. */
export const toParts = (text: string, maxBytes: number): MessagePart[] => {
  const pieces = cutBytes(Buffer.from(text), maxBytes);
  return pieces.map((data, at) => ({ data, isLast: at === pieces.length - 1 }));
};

/** An executor has a server that takes 128 KiB or more: these are the longest message, and more than that is none. */
const MAX_PARTS = 8_192;

/**
 * Joins parts to texts. Of what is longer than `maxBytes`, or has too many parts, only the beginning is kept, which is not a message.
 *   in   a-b-C-D     (a and b have more behind them)
 *   out  ----T-U
 */
export const joinParts =
  (maxBytes: number): OperatorFunction<MessagePart, string> =>
  (part$) =>
    part$.pipe(
      scan((state, part) => addPart(state, part, maxBytes), NO_PARTS),
      map(({ out }) => out),
      flatten(),
    );

type State = { parts: readonly Uint8Array[]; bytes: number; out: readonly string[] };
const NO_PARTS: State = { parts: [], bytes: 0, out: [] };

const addPart = ({ parts, bytes }: State, { data, isLast }: MessagePart, maxBytes: number): State => {
  const isTooMuch = bytes + data.length > maxBytes || parts.length >= MAX_PARTS;
  const all = isTooMuch ? parts : [...parts, data];
  if (!isLast) return { parts: all, bytes: bytes + data.length, out: [] };
  return { ...NO_PARTS, out: [Buffer.concat(all).toString()] };
};
