/** Collects the facts of a session that stand above its picture. */
import type { JsonObject } from '../protocol/jsonrpc';
import type { SessionIndex } from '../session';
import type { Chart, Span } from './chart';
import { durationOf } from './durationOf';

/** What is known of a session: its parties, when it began, how long it took, how much it holds. */
export const toFacts = (
  { meta, parties: { client, server, protocol }, entries }: SessionIndex,
  { lastedMs, spans }: { lastedMs: number; spans: readonly Span[] },
): Chart['facts'] => {
  const facts: [string, string | undefined][] = [
    ['client', partyOf(client)],
    ['server', partyOf(server) ?? textOf(meta.server)],
    ['protocol', textOf(protocol)],
    ['started', textOf(meta.started)],
    ['lasted', durationOf(lastedMs)],
    ['lines', String(entries.length)],
    ['calls', String(spans.length)],
    ['failed', String(spans.filter(({ outcome }) => outcome === 'failed').length)],
    ['redacted', meta.redacted === undefined ? undefined : 'secrets were removed'],
  ];
  return facts.flatMap(([label, text]) => (text === undefined ? [] : [[label, text] as [string, string]]));
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const partyOf = (info: JsonObject | undefined): string | undefined => {
  const name = textOf(info?.name);
  return name && [name, textOf(info?.version)].filter((part) => part !== undefined).join(' ');
};
