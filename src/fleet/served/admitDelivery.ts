/** Which connections of clients are open at an executor, with their unfinished messages. */
import type { Accumulated } from '../../streams/mapAccum';
import { isPlainName } from '../../streams/text/plainName';
import { type BusKind, kindOf } from '../executor/busMessage';
import { addPart, BROKEN, NO_PARTS, type Unfinished } from '../executor/messageParts';
import type { NatsDelivery } from '../link/natsLink';
import { lastToken } from '../link/tokens';

/** @param maxConnections at once; @param maxMessageBytes of one message, and of all incomplete messages together */
export type AdmitLimits = { maxConnections: number; maxMessageBytes: number };

/** A delivery for a connection, or that one is over. */
export type Arrival = { kind: 'received'; delivery: NatsDelivery } | { kind: 'over'; connection: string };

/** A delivery for a connection, which `isOpen` or not; `text`: the message that it completes. */
export type Admitted = {
  connection: string;
  kind: BusKind;
  isOpen: boolean;
  text?: string | undefined;
  respond: NatsDelivery['respond'];
};

/** The open connections by name, with their unfinished messages. */
export type Connections = ReadonlyMap<string, Unfinished>;

/** None is open: the state that the reducer begins with. */
export const NO_CONNECTIONS: Connections = new Map();

/**
 * A reducer. `begin` opens a connection, where fewer than `maxConnections` are open and its name is a plain one; on an open connection it
 * is a part like any other. Unfinished messages share one budget: beyond it the connection with the most unfinished bytes loses its
 * message, which is rejected when its last part comes.
 */
export const admitDelivery =
  (limits: AdmitLimits) =>
  (open: Connections, arrival: Arrival): Accumulated<Connections, Admitted> => {
    if (arrival.kind === 'over') return { state: without(open, arrival.connection) };
    const { delivery } = arrival;
    const connection = lastToken(delivery.subject);
    const kind = kindOf(delivery.headers);
    const now = kind === 'begin' && mayOpen(open, connection, limits) ? new Map(open).set(connection, NO_PARTS) : open;
    const unfinished = now.get(connection);
    const { respond } = delivery;
    const output: Admitted = { connection, kind, isOpen: unfinished !== undefined, respond };
    if (unfinished === undefined || kind === 'ping' || kind === 'end') return { state: now, output };
    const added = addPart(unfinished, { data: delivery.data, isLast: kind !== 'more' }, limits.maxMessageBytes);
    const state = added.unfinished === unfinished ? now : new Map(now).set(connection, added.unfinished);
    return {
      state: kind === 'more' ? within(limits, state) : state,
      output: { connection, kind, isOpen: true, respond, text: added.text },
    };
  };

const mayOpen = (open: Connections, connection: string, { maxConnections }: AdmitLimits): boolean =>
  open.size < maxConnections && isPlainName(connection) && !open.has(connection);

const without = (open: Connections, connection: string): Connections => {
  const left = new Map(open);
  left.delete(connection);
  return left;
};

const within = ({ maxMessageBytes }: AdmitLimits, open: Connections): Connections => {
  const all = [...open];
  if (all.reduce((sum, [, { bytes }]) => sum + bytes, 0) <= maxMessageBytes) return open;
  const [greatest] = all.sort(([, one], [, other]) => other.bytes - one.bytes);
  return greatest === undefined ? open : new Map(open).set(greatest[0], BROKEN);
};
