/** A machine for specs of the Codex methods: what is not given fails. */
import { defer } from 'rxjs';
import type { Request } from '../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../src/protocol/log';
import { type CodexHost, HostError } from '../../../src/protocol/methods/host';

const missing = (): never => {
  throw new HostError('not here');
};

export const hostWith = (host: Partial<CodexHost> = {}): CodexHost => ({
  savedConfig: missing,
  folder: (path) => path,
  git: missing,
  runOneOff: missing,
  files: missing,
  account: {
    current: () => ({}),
    preferred: () => 'chatgpt',
    refresh$: defer(missing),
    logout$: defer(missing),
    login$: defer(missing),
  },
  listStored: missing,
  findStored: missing,
  readStored: missing,
  archiveStored: missing,
  listTapes: missing,
  readTape: missing,
  sessions: { find: missing, fork: missing, has: missing, rename: missing, setArchived: missing, remove: missing },
  ...host,
});

export const asked = (method: string, params: object = {}, id: number | string = 1): Request => ({
  kind: 'request',
  id,
  method,
  params: { ...params },
});

export const log = silentLog;
