/** How clients and executors mark the NATS messages they send each other: one header names the kind of each. */

const MORE = 'more';

/** The header that names the kind of a message. */
export const KIND_HEADER = 'Codex-Rx-Kind';

/**
 * `begin` opens a connection with its first message, `more` is a part with others after it, `last` a message or the last part of one; `ping` is answered, with
 * `unknown` by an executor that does not know the connection; `end` closes it.
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
