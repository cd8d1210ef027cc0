/** The NATS messages between clients and executors. A header names the kind of each; a message that is longer than a server takes is sent in parts. */
import type { OperatorFunction } from 'rxjs';
import { cutBytes } from '../../streams/bytes/toBuffer';
import { mapAccum } from '../../streams/gather';
import type { NatsLink } from '../link/natsLink';

const MORE = 'more';

/** The header that names the kind of a message. */
export const KIND_HEADER = 'Codex-Rx-Kind';

/**
 * `begin`: the first message of a connection, which opens it. `more`: a part with others after it. `last`: a message, or its last part. `ping`: is
 * answered, with `unknown` by an executor that does not know the connection. `end`: closes the connection.
 */
export type BusKind = 'begin' | typeof MORE | 'last' | 'ping' | 'unknown' | 'end';

const KINDS: readonly BusKind[] = ['begin', MORE, 'ping', 'unknown', 'end'];

/** A message without the header is `last`. */
export const kindOf = (headers: Readonly<Record<string, string>> | undefined): BusKind =>
  KINDS.find((kind) => kind === headers?.[KIND_HEADER]) ?? 'last';

/** The header of a message of this kind; none for `last`. */
export const kindHeader = (kind: BusKind): Record<string, string> => (kind === 'last' ? {} : { [KIND_HEADER]: kind });

/** No bytes. */
export const NOTHING = new Uint8Array();

/** A part of a message; more follow, or it is the last. */
export type MessagePart = { data: Uint8Array; isLast: boolean };

/** How many bytes a part may have; the rest of the payload is for its headers, which count too. */
export const partBytes = ({ maxPayload }: Pick<NatsLink, 'maxPayload'>): number => Math.max(1_024, maxPayload - 4_096);

/** The UTF-8 of a text in parts of at most so many bytes; one part at least. */
export const toParts = (text: string, maxBytes: number): MessagePart[] => {
  const pieces = cutBytes(Buffer.from(text), maxBytes);
  return pieces.map((data, at) => ({ data, isLast: at === pieces.length - 1 }));
};

/** The server of an executor takes 128 KiB or more, so the longest message fits into this many parts; one with more is rejected. */
const MAX_PARTS = 8_192;

/** The parts of a message so far, and how many bytes they have. `isBroken`: it is too long or has lost parts, and gets no more. */
export type Unfinished = { parts: readonly Uint8Array[]; bytes: number; isBroken: boolean };

/** No message has begun. */
export const NO_PARTS: Unfinished = { parts: [], bytes: 0, isBroken: false };

/** A message whose parts were dropped: when its last part arrives, no decoder accepts it. */
export const BROKEN: Unfinished = { ...NO_PARTS, isBroken: true };

/** Adds a part; with the last one, `text` is the message. Of a longer message only the beginning is kept, which no decoder accepts. */
export const addPart = (
  unfinished: Unfinished,
  { data, isLast }: MessagePart,
  maxBytes: number,
): { unfinished: Unfinished; text?: string } => {
  const { parts, bytes } = unfinished;
  const isBroken = unfinished.isBroken || bytes + data.length > maxBytes || parts.length >= MAX_PARTS;
  const next = isBroken
    ? { ...unfinished, isBroken }
    : { parts: [...parts, data], bytes: bytes + data.length, isBroken };
  return isLast ? { unfinished: NO_PARTS, text: Buffer.concat(next.parts).toString() } : { unfinished: next };
};

/**
 * Joins parts to texts; see `addPart` for what is too long.
 *   in   a-b-C-D     (a and b have more after them)
 *   out  ----T-U
 */
export const joinParts = (maxBytes: number): OperatorFunction<MessagePart, string> =>
  mapAccum((state, part) => {
    const { unfinished, text } = addPart(state, part, maxBytes);
    return { state: unfinished, ...(text !== undefined && { output: text }) };
  }, NO_PARTS);
