/** Makes a recording of what was exchanged between a played client and a server. */
import { constants } from 'node:os';
import type { Timestamp } from 'rxjs';
import type { Framing, Traffic } from '../../streams';
import { INPUT_ENDED, type NumberedEntry, type RecordedLine, toRecorded } from '../../tape';
import type { ServerEvent } from '../serverProcess';

/** What goes to a server. */
export type Sent =
  | { kind: 'line'; line: string; status?: number }
  | { kind: 'end' }
  | { kind: 'signal'; signal: NodeJS.Signals };

type Stamped = Timestamp<Traffic<Sent, ServerEvent>>;

/** The entries of a session; times count from the first of them. */
export const toEntries = (traffic: readonly Stamped[], framing: Framing): NumberedEntry[] => {
  const startMs = traffic[0]?.timestamp ?? 0;
  const [signal] = traffic.flatMap(({ value: { item } }) => (item.kind === 'signal' ? [item.signal] : []));
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
      return { dir: 'exit', line: JSON.stringify(toExit(item.exitCode, signal)) };
  }
};

/** Shells and this process's peers count an end by a signal as exit code 128 and the number of the signal. */
const toExit = (code: number, signal: NodeJS.Signals | undefined) =>
  signal !== undefined && code === 128 + constants.signals[signal] ? { code: null, sig: signal } : { code, sig: null };
