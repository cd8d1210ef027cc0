/** Turns the traffic of two peers into marbles. */
import { concatMap, type OperatorFunction, scan, type Timestamp } from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { decodeMessage } from '../../protocol/jsonrpc/decodeMessage';
import type { Traffic } from '../../streams/connectPeers';
import { type Look, lookOfReceived, lookOfSent, type Mark, type Open } from './mark';
import { plain } from './text';

/** What one of the peers sent, and when. `near` is the client. */
export type TimedTraffic = Timestamp<Traffic<string, ServerEvent>>;

type State = { startMs?: number; open: Open; marks: Mark[] };

/**
 * Each message becomes one mark; its time counts from the first. The end of the server is no mark, it ends the stream.
 * The names and texts of marks hold no terminal control sequences.
 *   in  a---b    (at 7 ms and at 11 ms)
 *   out A---B    (atMs 0 and 4)
 */
export const toMarks = (): OperatorFunction<TimedTraffic, Mark> => (traffic$) =>
  traffic$.pipe(
    scan(draw, { open: new Map(), marks: [] } as State),
    concatMap(({ marks }) => marks),
  );

const draw = ({ startMs, open }: State, { value, timestamp }: TimedTraffic): State => {
  const start = startMs ?? timestamp;
  const atMs = timestamp - start;
  const frame = { atMs, untilMs: atMs, sent: value.from === 'near', count: 1 };
  if (value.from === 'near') {
    const message = decodeMessage(value.item);
    const look = lookOfSent(message);
    const nowOpen = message.kind === 'request' ? new Map(open).set(message.id, look) : open;
    return { startMs: start, open: nowOpen, marks: [{ ...frame, ...visible(look), message }] };
  }
  if (value.item.kind === 'ended') return { startMs: start, open, marks: [] };
  if (value.item.kind === 'log') {
    const look = { lane: 'log', symbol: ' ', name: 'stderr', text: plain(value.item.line) } as const;
    return { startMs: start, open, marks: [{ ...frame, ...look }] };
  }
  const message = decodeMessage(value.item.line);
  return { startMs: start, open, marks: [{ ...frame, ...visible(lookOfReceived(message, open)), message }] };
};

const visible = (look: Look): Look => ({ ...look, name: plain(look.name), text: plain(look.text) });
