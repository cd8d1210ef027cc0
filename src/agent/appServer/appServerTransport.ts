/** The process of the installed Codex, as a transport. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import { defer } from 'rxjs';
import { childTransport } from '../../executor/childTransport';
import { localBackend } from '../../executor/local/localBackend';
import { isFolder } from '../../io/paths/look';
import { presentVariables } from '../../io/processes/presentVariables';
import { decodeBareMessage } from '../../protocol/jsonrpc/decodeMessage';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { RpcTransport } from '../../protocol/rpc/messages';
import { codexSettings } from '../../settings/codexSettings';
import type { Found } from '../findCodex';
import { CannotBegin } from '../turns/rejection';
import { codexHomeFault, configDeps, seamsOf, type Wiring } from '../wiring/wiring';

/** What to do when there is no Codex. */
const notFoundText = (looked: readonly string[]): string =>
  `No codex was found in ${looked.join(', ')}. Install it (npm install -g @openai/codex), or name it by --codex or CODEX_BIN.`;

/** For a deleted working folder, in which Codex would be started. */
const goneText = (folder: string): string =>
  `The working folder of the server is gone: ${folder}. Create it, or start the server in a folder that stays.`;

/**
 * One life of the app-server. Codex is found anew each time, so an update takes effect at the next start. Errors with CannotBegin where
 * it cannot be started.
 */
export const appServerTransport = (wiring: Wiring, find: () => Found): RpcTransport<JsonObject> => {
  const { processInfo, log, backpressure, watch } = wiring;
  const local = localBackend({ spawn, backpressure, signals: constants.signals, watch });
  const backend = seamsOf(wiring).backend(local);
  return (out$) =>
    defer(() => {
      const fault = codexHomeFault(wiring);
      if (fault !== undefined) throw new CannotBegin(fault);
      if (!isFolder(processInfo.cwd)) throw new CannotBegin(goneText(processInfo.cwd));
      const found = find();
      if ('looked' in found) throw new CannotBegin(notFoundText(found.looked));
      const { overrides } = codexSettings(configDeps(wiring), 'same');
      const command = [...found.argv, 'app-server', ...overrides.flatMap((override) => ['-c', override])];
      const env = withFolders(presentVariables(processInfo.env), found.folders);
      return childTransport({
        backend,
        command,
        cwd: processInfo.cwd,
        env,
        log,
        title: 'The codex app-server',
        program: 'codex',
        decode: decodeBareMessage,
      })(out$);
    });
};

const withFolders = (env: Record<string, string>, folders: readonly string[]): Record<string, string> => {
  const name = env.PATH === undefined && env.Path !== undefined ? 'Path' : 'PATH';
  return { ...env, [name]: [...folders, env[name] ?? ''].filter(Boolean).join(delimiter) };
};
