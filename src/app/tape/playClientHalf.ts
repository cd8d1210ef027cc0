/** Plays the client of a session against a server, and records the session between them. */
import {
  endWith,
  map,
  type Observable,
  type OperatorFunction,
  type Timestamp,
  timeout,
  timestamp,
  toArray,
} from 'rxjs';
import type { JsonObject } from '../../protocol/jsonrpc';
import { type PatienceOptions, replayClient } from '../../replay';
import type { SessionIndex } from '../../session';
import { connectPeers, ofKind, type Traffic } from '../../streams';
import { INPUT_ENDED, type NumberedEntry, type RecordedLine, type Session } from '../../tape';
import type { ServerEvent } from '../serverProcess';

type Sent = { kind: 'line'; line: string } | { kind: 'end' };

/** How much longer than the client's limit a server may be silent before it counts as hanging. */
const GRACE_MS = 5_000;

/** `server` is the process; `meta` is that of the new session. */
export type PlayDeps = {
  server: OperatorFunction<string, ServerEvent>;
  patience: PatienceOptions;
  meta: JsonObject;
};

/**
 * Plays until the server has ended, or has been silent for too long. Emits the new session, with `meta`, and completes.
 *   client i---y---|
 *   server ---Q---T--|     (Q a request, T a result)
 *   out    ----------(s|)    (s the session)
 */
export const playClientHalf = ({ server, patience, meta }: PlayDeps, index: SessionIndex): Observable<Session> => {
  const near: OperatorFunction<ServerEvent, Sent> = (event$) =>
    event$.pipe(
      ofKind('line'),
      map(({ line }) => line),
      replayClient(index, patience),
      map((line): Sent => ({ kind: 'line', line })),
      endWith<Sent>({ kind: 'end' }),
    );
  const far: OperatorFunction<Sent, ServerEvent> = (sent$) =>
    sent$.pipe(
      ofKind('line'),
      map(({ line }) => line),
      server,
    );
  return connectPeers(near, far).pipe(
    timeout({ each: patience.limitMs + GRACE_MS, with: () => [] }),
    timestamp(),
    toArray(),
    map((traffic) => ({ meta, entries: traffic.map(toEntry(traffic[0]?.timestamp ?? 0)) })),
  );
};

const toEntry =
  (startMs: number) =>
  ({ value, timestamp: atMs }: Timestamp<Traffic<Sent, ServerEvent>>, index: number): NumberedEntry => ({
    lineNumber: index + 2,
    entry: { t: atMs - startMs, ...toRecordedLine(value) },
  });

const toRecordedLine = ({ from, item }: Traffic<Sent, ServerEvent>): RecordedLine => {
  if (from === 'near') {
    return item.kind === 'end' ? { dir: 'note', line: INPUT_ENDED } : { dir: 'in', line: item.line };
  }
  if (item.kind === 'line') return { dir: 'out', line: item.line };
  if (item.kind === 'log') return { dir: 'err', line: item.line };
  return item.exitCode === undefined
    ? { dir: 'note', line: item.trouble }
    : { dir: 'exit', line: JSON.stringify({ code: item.exitCode, sig: null }) };
};
