/** Owns daemons that keep their threads on one NATS server, and reads what the server has of a thread. */
import { firstValueFrom, type Observable, switchMap, take, toArray } from 'rxjs';
import { connectNats } from '../../../src/fleet/link/connectNats';
import type { NatsLink, NatsStored } from '../../../src/fleet/link/natsLink';
import { readStored } from '../../../src/fleet/operators/readStream';
import { silentLog } from '../../../src/protocol/log';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';
import { codexCall, greet } from '../daemon/legacy';
import { type Json, type Peer, startServer } from '../daemon/peer';
import { type Home, openHome } from '../home';

/** Runs on a connection of its own, which is closed afterwards. */
export const onLink = <T>(address: string, run: (link: NatsLink) => Observable<T>): Promise<T> =>
  firstValueFrom(connectNats({ address, settings: NATS_DEFAULTS, log: silentLog }).pipe(switchMap(run), take(1)));

/** Makes the bucket of leases of a store, which end so early that a spec can wait for it. */
export const withLeases = (address: string, name: string, leaseMs: number): Promise<unknown> =>
  onLink(address, (link) =>
    link.ensureBucket({ name: `codex-rx-leases-${name}`, maxBytes: 0, maxAgeMs: leaseMs, replicas: 1 }),
  );

/** The messages of a thread, in order, up to the one that the leader of the stream has last. */
export const messagesOf = (address: string, name: string, id: string): Promise<NatsStored[]> =>
  onLink(address, (link) =>
    readStored(link)(`codex-rx-threads-${name}`, `codex-rx.threads.${name}.${id}`).pipe(toArray()),
  );

/** The lines of a thread as objects; throws if one is none. */
export const linesOf = async (address: string, name: string, id: string): Promise<Json[]> => {
  const messages = await messagesOf(address, name, id);
  const text = Buffer.concat(messages.map(({ data }) => data)).toString('utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};

/** The prompts and the answers in a thread, in order. */
export const talkIn = (lines: readonly Json[]): string[] =>
  lines.flatMap(({ type, payload }) =>
    type === 'event_msg' && ['user_message', 'agent_message'].includes(payload.type) ? [String(payload.message)] : [],
  );

export type DaemonOptions = { store: string; script: object; home?: Home; env?: Record<string, string> };

/** A daemon on a machine of its own, as far as its files go; greeted. */
export const startDaemon = async ({ store, script, home = openHome(), env = {} }: DaemonOptions): Promise<Peer> => {
  const peer = startServer({ home, script, env, args: ['-c', `thread_store="${store}"`] });
  await greet(peer);
  return peer;
};

/** A call of the tool codex, without approvals and sandbox. */
export const begin = (peer: Peer, prompt: string): Promise<Json> =>
  peer.request('tools/call', codexCall(peer, prompt, { 'approval-policy': 'never', sandbox: 'danger-full-access' }));

export const reply = (peer: Peer, threadId: string, prompt: string): Promise<Json> =>
  peer.request('tools/call', { name: 'codex-reply', arguments: { threadId, prompt } });

export const threadOf = (answer: Json): string => answer.result.structuredContent.threadId;
