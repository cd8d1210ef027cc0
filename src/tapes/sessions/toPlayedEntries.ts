/** Makes a recording of what was exchanged between a played client and a server. */
import { constants } from 'node:os';
import type { Timestamp } from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import type { Framing } from '../../streams/bytes/byFraming';
import type { Traffic } from '../../streams/connectPeers';
import { INPUT_ENDED, type NumberedEntry, type RecordedLine } from '../format/tape';
import { toRecorded } from '../format/withLength';

/** What goes to a server. */
export type Sent =
  | { kind: 'line'; line: string; status?: number }
  | { kind: 'end' }
  | { kind: 'signal'; signal: NodeJS.Signals };

type Stamped = Timestamp<Traffic<Sent, ServerEvent>>;

/** What passed until the server had ended. */
const beforeEnd = (traffic: readonly Stamped[]): Stamped['value'][] => {
  const ended = traffic.findIndex(({ value: { item } }) => item.kind === 'ended');
  return traffic.slice(0, ended === -1 ? undefined : ended).map(({ value }) => value);
};

/** Which side began the end of the session: the client, by a signal or by the end of its input, or the server. */
export const toEndedBy = (traffic: readonly Stamped[]): 'client' | 'server' =>
  beforeEnd(traffic).some(({ item: { kind } }) => kind === 'end' || kind === 'signal') ? 'client' : 'server';

/** The entries of a session; times count from the first of them. */
export const toEntries = (traffic: readonly Stamped[], framing: Framing): NumberedEntry[] => {
  const startMs = traffic[0]?.timestamp ?? 0;
  const [signal] = beforeEnd(traffic).flatMap(({ item }) => (item.kind === 'signal' ? [item.signal] : []));
  return traffic
    .flatMap(({ value, timestamp: atMs }) => {
      const recorded = toRecordedLine(value, { signal, framing });
      return recorded === undefined ? [] : [{ t: atMs - startMs, ...recorded }];
    })
    .map((entry, index) => ({ lineNumber: index + 2, entry }));
};

const toRecordedLine = (
  { from, item }: Traffic<Sent, ServerEvent>,
  { signal, framing }: { signal: NodeJS.Signals | undefined; framing: Framing },
): RecordedLine | undefined => {
  switch (item.kind) {
    case 'line':
      return {
        ...toRecorded(from === 'near' ? 'in' : 'out', item.line, framing),
        ...(item.status !== undefined && { status: item.status }),
      };
    case 'end':
      return { dir: 'note', line: INPUT_ENDED };
    case 'signal':
      return undefined;
    case 'log':
      return { dir: 'err', line: item.line };
    case 'ended':
      if (item.exitCode === undefined) return { dir: 'note', line: item.trouble };
      return { dir: 'exit', line: JSON.stringify(toExit(item.exitCode, item.signal ?? signal)) };
  }
};

/** Shells and this process's peers count an end by a signal as exit code 128 and the number of the signal. */
const toExit = (code: number, signal: NodeJS.Signals | undefined) =>
  signal !== undefined && code === 128 + constants.signals[signal] ? { code: null, sig: signal } : { code, sig: null };
