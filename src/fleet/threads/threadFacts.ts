/** Each message of a thread describes the whole thread in its headers, so that a list reads only the last message of each. */
import { parseObject } from '../../protocol/jsonrpc/json';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import type { NatsHeaders } from '../link/natsLink';

/** `size` in bytes, with this message. */
export type ThreadFacts = Omit<ThreadSummary, 'id' | 'path' | 'writtenMs'>;

const THREAD = 'Codex-Rx-Thread';
const HOLDER = 'Codex-Rx-Holder';
const MAX_CHARS = 4_096;

/** The headers of a message; `from` is the process that writes it. In ASCII, as a header has no other encoding. */
export const toThreadHeaders = (facts: ThreadFacts, from: { host: string; pid: number }): NatsHeaders => {
  const { startedMs, archived, size, cwd, provider, source, cliVersion, preview } = facts;
  return {
    [THREAD]: toAscii({
      startedMs,
      archived,
      size,
      cwd: cwd.slice(0, MAX_CHARS),
      provider,
      source,
      cliVersion,
      preview,
    }),
    [HOLDER]: toAscii({ host: from.host, pid: from.pid }),
  };
};

/** False for a message that no daemon wrote: whoever may send requests to JetStream can have the response sent to the subject of a thread. */
export const isOfThread = (headers: NatsHeaders): boolean => headers[THREAD] !== undefined;

/** Reads the headers of a message; what they lack is '', 0 or false. */
export const readThreadFacts = (headers: NatsHeaders): ThreadFacts => {
  const { startedMs, archived, size, ...texts } = parseObject(headers[THREAD] ?? '') ?? {};
  const { cwd, provider, source, cliVersion, preview } = texts;
  return {
    startedMs: numberOf(startedMs),
    archived: archived === true,
    size: numberOf(size),
    cwd: textOf(cwd),
    provider: textOf(provider),
    source: textOf(source),
    cliVersion: textOf(cliVersion),
    preview: textOf(preview),
  };
};

/** The process that wrote a message; undefined if it does not say so. */
export const readWriter = (headers: NatsHeaders): { host: string; pid: number } | undefined => {
  const { host, pid } = parseObject(headers[HOLDER] ?? '') ?? {};
  return typeof host === 'string' && typeof pid === 'number' ? { host, pid } : undefined;
};

const toAscii = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
