/** A machine for specs of the Codex methods: what is not given fails. */
import { defer } from 'rxjs';
import { silentLog } from '../../../src/log/log';
import type { Request } from '../../../src/protocol/jsonrpc/messages';
import type { CodexHost } from '../../../src/server/codex/host';
import { HostError } from '../../../src/server/codex/host';

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
  archiveStored: missing,
  ...host,
});

export const asked = (method: string, params: object = {}, id: number | string = 1): Request => ({
  kind: 'request',
  id,
  method,
  params: { ...params },
});

export const log = silentLog;
