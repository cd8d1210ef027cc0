/** Starts this server as a client would, and makes the handshake of MCP. */
import { defer, map, type Observable, switchMap, take, timeout } from 'rxjs';
import type { Backend } from '../../executor/backend';
import { childTransport } from '../../executor/childTransport';
import { presentVariables } from '../../io/processes/markedEnvironment';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { isObject } from '../../protocol/jsonrpc/json';
import type { Log } from '../../protocol/log';
import { handshake, openPeer } from '../../protocol/rpc/openPeer';
import type { Result } from './finding';

export type OwnServerDeps = { backend: Backend; argv: readonly string[]; processInfo: ProcessInfo; log: Log };

const LIMIT_MS = 10_000;
const CLIENT = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'codex-rx-doctor', title: 'codex-rx doctor', version: '1' },
};

/** Emits the tools of the server once it has answered, and ends it. Errors where it does not start or does not answer. */
export const examineOwnServer = ({ backend, argv, processInfo, log }: OwnServerDeps): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    const { cwd, env } = processInfo;
    const transport = childTransport({
      backend,
      command: argv,
      cwd,
      env: presentVariables(env),
      log,
      title: 'The server',
      program: 'codex-rx',
    });
    return openPeer({ transport, name: 'the server' }).pipe(
      handshake({ params: CLIENT, ready: 'notifications/initialized' }),
      switchMap(({ peer }) => peer.request('tools/list', {})),
      take(1),
      timeout(LIMIT_MS),
      map((result) => ({ text: `answers, with the tools ${namesOf(result).join(', ')}`, ms: Date.now() - startMs })),
    );
  });

const namesOf = (result: unknown): string[] =>
  isObject(result) && Array.isArray(result.tools)
    ? result.tools.map((tool) => (isObject(tool) ? String(tool.name) : '?'))
    : [];
