/** Collects the facts of a session that are shown above its picture. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { toVisible } from '../../streams/text/visible';
import { durationOf } from '../page/labels';
import { type SessionIndex, toServerEnd } from '../session/sessionIndex';
import type { Chart, Span } from './chart';
import { isDrawn } from './looks';

/**
 * What is known of a session: its parties, when it began, how long it took, how much it holds. Inner calls are calls of the daemon to its model, its
 * executor and so on.
 */
export const toFacts = (
  { meta, parties: { client, server, protocol }, entries, calls, seamCalls, exit }: SessionIndex,
  { lastedMs, spans }: { lastedMs: number; spans: readonly Span[] },
): Chart['facts'] => {
  const inner = seamCalls.filter(isDrawn).length;
  const facts: [string, string | undefined][] = [
    ['client', partyOf(client)],
    ['server', partyOf(server) ?? textOf(meta.server)],
    ['protocol', textOf(protocol)],
    ['started', toMinute(textOf(meta.started))],
    ['lasted', durationOf(lastedMs)],
    ['lines', String(entries.length)],
    ['calls', String(calls.length)],
    ['inner calls', inner === 0 ? undefined : String(inner)],
    ['failed', String(spans.filter(({ outcome }) => outcome === 'failed').length)],
    ['ended', exit === undefined || exit.code === 0 ? undefined : toServerEnd(exit).text],
    ['redacted', meta.redacted === undefined ? undefined : 'secrets were removed'],
  ];
  return facts.flatMap(([label, text]) =>
    text === undefined ? [] : [[label, toVisible(text.slice(0, MAX_CHARS))] as [string, string]],
  );
};

/** A peer may give itself a name of any length. */
const MAX_CHARS = 200;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** `2026-11-23 04:48 UTC` of a time in ISO 8601; any other text as it is. */
const toMinute = (time: string | undefined): string | undefined =>
  time?.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/, '$1 $2 UTC');

const partyOf = (info: JsonObject | undefined): string | undefined => {
  const name = textOf(info?.name);
  return name && [name, textOf(info?.version)].filter((part) => part !== undefined).join(' ');
};
