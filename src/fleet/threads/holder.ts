/** Who has a thread, as its lease says. */
import { parseObject } from '../../protocol/jsonrpc/json';
import { ThreadError } from '../../threads/threadError';

/** A process; `store` is different for each of its stores, `token` for each lease. */
export type Holder = { host: string; pid: number; store: string; token: string };

/** The value of a lease. */
export const toLeaseData = ({ host, pid, store, token }: Holder): Uint8Array =>
  new Uint8Array(Buffer.from(JSON.stringify({ host, pid, store, token })));

/** Reads the value of a lease; a member that it lacks is '' or 0. */
export const readHolder = (data: Uint8Array): Holder => {
  const { host, pid, store, token } = parseObject(Buffer.from(data).toString('utf8')) ?? {};
  return { host: textOf(host), pid: typeof pid === 'number' ? pid : 0, store: textOf(store), token: textOf(token) };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Names a process, for people. */
const holderText = ({ host, pid }: Pick<Holder, 'host' | 'pid'>): string =>
  pid === 0 ? 'another program' : `the process ${pid} of the host ${host}`;

/** Why a thread that is in use cannot be taken. */
export const inUse = (
  id: string,
  holder: Holder,
  { store, leaseMs }: { store: string; leaseMs: number },
): ThreadError =>
  new ThreadError(
    holder.store === store
      ? `The thread ${id} is open in this server, where a turn of it runs. Call again when that has ended.`
      : `The thread ${id} is in use by ${holderText(holder)}. Call again when the turn there has ended; if that process has died, in ${Math.ceil(leaseMs / 1_000)} s.`,
  );

/** Another process has written to the thread since. */
export class FencedOff extends ThreadError {
  override name = 'FencedOff';
}

/** Why a turn is stopped when another process has taken its thread. */
export const takenOver = (id: string, holder: Pick<Holder, 'host' | 'pid'> | undefined): FencedOff =>
  new FencedOff(
    `The thread ${id} was taken over by ${holder === undefined ? 'another process' : holderText(holder)}, as this one did not renew its lease in time. The turn is stopped, and what it did since is not in the thread. Call again to go on with the thread as it is there.`,
  );

/** Why a turn is stopped when its process cannot know whether it still has the thread. */
export const leaseOver = (id: string, address: string, leaseMs: number): ThreadError =>
  new ThreadError(
    `The lease of the thread ${id} is over: ${address} did not let it be renewed in time (${Math.ceil(leaseMs / 1_000)} s). The turn is stopped, as another process may have the thread. Call again when the server answers.`,
  );
