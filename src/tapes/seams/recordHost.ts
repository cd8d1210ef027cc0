/** Records what the Codex methods get from this machine. */
import { map, type Observable } from 'rxjs';
import { maskAddress } from '../../io/log/maskAddress';
import { REDACTED } from '../../io/log/redactText';
import { isObject } from '../../protocol/jsonrpc/json';
import type { CodexHost, SessionRequest } from '../../protocol/methods/host';
import { counter } from '../../streams/counter';
import { type Chance, recordCalls } from '../format/seams';
import type { Tape } from '../format/tape';

/** The seam of the machine behind the Codex methods. */
export const HOST_SEAM = 'host';

/** A request at that seam: a member of the host, and its arguments. */
export type HostRequest = readonly [member: string, ...args: unknown[]];

/** The names under which the values are recorded that the host returns at once. */
export const HOST_DRAWS = { login: 'host.login', preferred: 'host.preferred' } as const;

/** The host, recorded. The token of a login and config.toml are never written; folders are checked on the disk and not recorded. */
export const recordHost =
  (tape: Tape, chance: Chance) =>
  (plain: CodexHost): CodexHost => {
    const deps = {
      tape,
      seam: HOST_SEAM,
      newCall: counter(),
      toRequestLine: JSON.stringify,
      toResponseLine: (value: unknown) => JSON.stringify(value ?? null, withoutValues),
    };
    const call: Call = (run, ...request) =>
      recordCalls<HostRequest, never>(deps, () => run() as Observable<never>)(request);
    return {
      savedConfig: plain.savedConfig,
      folder: plain.folder,
      git: (folder, args) => call(() => plain.git(folder, args), 'git', folder, args),
      runOneOff: (command) => call(() => plain.runOneOff(command), 'runOneOff', command),
      files: (folder) => call(() => plain.files(folder), 'files', folder),
      listStored: (page) => call(() => plain.listStored(page), 'listStored', page),
      findStored: (named) => call(() => plain.findStored(named), 'findStored', named),
      readStored: (id) => call(() => plain.readStored(id), 'readStored', id),
      archiveStored: (id) => call(() => plain.archiveStored(id).pipe(map(toNothing)), 'archiveStored', id),
      listTapes: () => call(() => plain.listTapes(), 'listTapes'),
      readTape: (name) => call(() => plain.readTape(name), 'readTape', name),
      sessions: recordSessions(call, plain.sessions),
      account: recordAccount(call, chance, plain.account),
    };
  };

/** Tables of servers, and the headers and the address of a gateway, may hold keys. */
export const withoutServers = ({ servers, gateway, ...asked }: SessionRequest) => ({
  ...asked,
  servers: Object.keys(servers),
  ...(gateway && { gateway: { ...gateway, url: maskAddress(gateway.url), headers: Object.keys(gateway.headers) } }),
});

/** Of the variables and headers of a server only the names are written. */
const withoutValues = (name: string, value: unknown): unknown => {
  if (name === 'base_url' && typeof value === 'string') return maskAddress(value);
  return (name === 'env' || name === 'http_headers') && isObject(value)
    ? Object.fromEntries(Object.keys(value).map((key) => [key, REDACTED]))
    : value;
};

type Call = <R>(run: () => Observable<R>, ...request: HostRequest) => Observable<R>;

/** A result that nobody uses is not written, as it may be a secret. */
const toNothing = (): null => null;

/** What tells a thread that is there from none. */
const toFound = (found: unknown): true | null => (found === null ? null : true);

const recordSessions = (call: Call, sessions: CodexHost['sessions']): CodexHost['sessions'] => ({
  find: (asked) => call(() => sessions.find(asked), 'findSession', withoutServers(asked)),
  fork: (asked) => call(() => sessions.fork(asked), 'forkSession', withoutServers(asked)),
  has: (id) => call(() => sessions.has(id), 'hasSession', id),
  rename: (id, name) => call(() => sessions.rename(id, name).pipe(map(toNothing)), 'renameSession', id, name),
  setArchived: (id, archived) =>
    call(() => sessions.setArchived(id, archived).pipe(map(toFound)), 'setArchived', id, archived),
  remove: (id) => call(() => sessions.remove(id).pipe(map(toNothing)), 'removeSession', id),
});

const recordAccount = (call: Call, chance: Chance, account: CodexHost['account']): CodexHost['account'] => ({
  current: () => drawBeside(chance, account.current()),
  preferred: chance(HOST_DRAWS.preferred, account.preferred),
  refresh$: call(() => account.refresh$.pipe(map(toNothing)), 'refresh'),
  logout$: call(() => account.logout$.pipe(map(toNothing)), 'logout'),
  login$: call(() => account.login$, 'login'),
});

type Login = ReturnType<CodexHost['account']['current']>;

/** Records what a tape may hold of a login: all but its token. */
const drawBeside = (chance: Chance, { token, ...shown }: Login): Login => ({
  ...chance(HOST_DRAWS.login, () => shown)(),
  ...(token !== undefined && { token }),
});
