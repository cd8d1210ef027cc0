/** Plays the client of a session against a server, and records the session between them. */
import {
  endWith,
  filter,
  map,
  type Observable,
  type OperatorFunction,
  pipe,
  type Timestamp,
  timeout,
  timestamp,
  toArray,
} from 'rxjs';
import type { JsonObject } from '../../protocol/jsonrpc';
import { type PatienceOptions, replayClient } from '../../replay';
import type { SessionIndex } from '../../session';
import { connectPeers, type Traffic } from '../../streams';
import { INPUT_ENDED, type RecordedLine, type Session } from '../../tape';
import type { ServerEvent } from '../serverProcess';

type Sent = { kind: 'line'; line: string } | { kind: 'end' };

/** How much longer than the client's limit a server may be silent before it counts as hanging. */
const GRACE_MS = 5_000;

/** The note of a server that ended with exit code 0; any other end has a note of its own. */
export const ENDED_WELL = 'the server ended well';

/** @param server as an operator from lines; @param meta of the new session */
export type PlayDeps = { server: OperatorFunction<string, ServerEvent>; patience: PatienceOptions; meta: JsonObject };

/**
 * Plays until the server has ended, or has been silent for too long. Emits the new session, with `meta`, and completes.
 *   client i---y---|
 *   server ---Q---T--|     (Q a request, T a result)
 *   out    ----------(s|)    (s the session)
 */
export const playClientHalf = ({ server, patience, meta }: PlayDeps, index: SessionIndex): Observable<Session> => {
  const near: OperatorFunction<ServerEvent, Sent> = pipe(
    linesOf(),
    replayClient(index, patience),
    map((line): Sent => ({ kind: 'line', line })),
    endWith<Sent>({ kind: 'end' }),
  );
  const far: OperatorFunction<Sent, ServerEvent> = pipe(linesOf(), server);
  return connectPeers(near, far).pipe(
    timeout({ each: patience.limitMs + GRACE_MS, with: () => [] }),
    timestamp(),
    toArray(),
    map((traffic) => ({ meta, entries: toEntries(traffic) })),
  );
};

const linesOf = (): OperatorFunction<{ kind: string; line?: string }, string> =>
  pipe(
    filter((item): item is { kind: 'line'; line: string } => item.kind === 'line'),
    map(({ line }) => line),
  );

const toEntries = (traffic: readonly Timestamp<Traffic<Sent, ServerEvent>>[]): Session['entries'] =>
  traffic.map(({ value, timestamp: atMs }, i) => {
    const t = atMs - (traffic[0]?.timestamp ?? atMs);
    return { lineNumber: i + 2, entry: { t, ...toRecordedLine(value) } };
  });

const toRecordedLine = ({ from, item }: Traffic<Sent, ServerEvent>): RecordedLine => {
  if (from === 'near') {
    return item.kind === 'end' ? { dir: 'note', line: INPUT_ENDED } : { dir: 'in', line: item.line };
  }
  if (item.kind === 'line') return { dir: 'out', line: item.line };
  if (item.kind === 'log') return { dir: 'err', line: item.line };
  return { dir: 'note', line: item.trouble || ENDED_WELL };
};
