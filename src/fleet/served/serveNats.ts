/** The exec-server as an executor behind NATS. */
import { randomUUID } from 'node:crypto';
import { arch, availableParallelism, loadavg } from 'node:os';
import type { Writable } from 'node:stream';
import { mergeMap, type Observable, of, switchMap, take, takeUntil } from 'rxjs';
import type { EngineOptions } from '../../agent/engineOptions';
import { configDeps } from '../../agent/wiring/wiring';
import { openSessions, type SessionsDeps, type SessionsOptions } from '../../executor/listen/openSessions';
import { MAX_MESSAGE_BYTES } from '../../executor/listen/serveLines';
import { writeLines } from '../../io/stdio/writeLines';
import { natsFiles } from '../../settings/readNats';
import { natsHere } from '../link/connectNats';
import { serveExecutor } from './serveExecutor';
import { operatorStream, type StreamLimits } from './storeEvents';

type ServeNatsDeps = SessionsDeps & { stdout: Writable; options: EngineOptions };

type ServeNatsOptions = SessionsOptions & {
  /** Of the servers. */
  address: string;
  name: string;
  pool?: string;
  stream: StreamLimits;
  maxConnections: number;
};

/** Serves as an executor, and prints its address. Completes when `stop$` has emitted; all processes are killed. Errors when it cannot serve. */
export const serveNats = (deps: ServeNatsDeps, options: ServeNatsOptions): Observable<never> => {
  const { stop$, stdout, log, processInfo } = deps;
  const { address, name, pool, stream, maxConnections, maxProcesses: capacity } = options;
  const credentialFiles = natsFiles(configDeps(deps));
  const sessions = { ...deps, processInfo: { ...processInfo, credentialFiles } };
  const load = () => (loadavg()[0] ?? 0) / availableParallelism();
  return natsHere(deps)(address).pipe(
    switchMap((link) =>
      serveExecutor({
        link,
        name,
        pool,
        log,
        maxConnections,
        limits: stream,
        maxMessageBytes: MAX_MESSAGE_BYTES,
        instance: randomUUID(),
        version: processInfo.version,
        capacity,
        load,
        metadata: { platform: processInfo.platform, arch: arch() },
        openSessions: (storeFor) => openSessions(sessions, options, storeFor),
      }),
    ),
    mergeMap(() => of(`${address}/${name}`).pipe(writeLines(stdout))),
    takeUntil(stop$),
  );
};

/** Creates the stream of an executor, with a login that may do so, prints its name and completes. */
export const makeNatsStream = (
  { stdout, ...deps }: Pick<ServeNatsDeps, 'stdout' | 'log' | 'processInfo' | 'options'>,
  { address, name, stream }: Pick<ServeNatsOptions, 'address' | 'name' | 'stream'>,
): Observable<never> =>
  natsHere(deps)(address).pipe(
    switchMap((link) => operatorStream(link, name, stream)),
    take(1),
    mergeMap((facts) => of(facts.name).pipe(writeLines(stdout))),
  );
