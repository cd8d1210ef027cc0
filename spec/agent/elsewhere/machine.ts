/** A double of another machine: folders and files behind the methods of an exec-server, and processes that live as a spec says. */
import { concat, NEVER, type Observable, of, throwError } from 'rxjs';
import type { Wiring } from '../../../src/agent/wiring/wiring';
import type { Executor, Executors, Process, Reached, Started } from '../../../src/executor/backend';
import type { ProcessEvent, ProcessSpec } from '../../../src/protocol/exec/process';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { facts } from '../../executor/server/files';

export type Machine = {
  files?: Record<string, string>;
  folders?: readonly string[];
  info?: JsonObject;
  start?: (spec: ProcessSpec) => Observable<Started | ProcessEvent>;
};

const toPath = (uri: unknown): string => decodeURIComponent(new URL(String(uri)).pathname);

/** `specs`: the processes that were started there. */
export const machine = ({ files = {}, folders = ['/srv'], info = { platformOs: 'linux' }, start }: Machine = {}) => {
  const specs: ProcessSpec[] = [];
  const answers: Record<string, (path: string) => unknown> = {
    'fs/getMetadata': (path) =>
      folders.includes(path)
        ? facts({ isDirectory: true, isFile: false })
        : path in files && facts({ size: files[path]?.length }),
    'fs/canonicalize': (path) => (folders.includes(path) || path in files) && { path: `file://${path}` },
    'fs/readFile': (path) => path in files && { dataBase64: Buffer.from(files[path] ?? '').toString('base64') },
  };
  const executor: Executor = {
    request: (method, { path }) => {
      if (method === 'environment/info') return of(info);
      const answer = answers[method]?.(toPath(path));
      return answer ? of(answer) : throwError(() => new RpcError(-32600, 'No such file or directory (os error 2)'));
    },
    start: (spec) => {
      specs.push(spec);
      return start?.(spec) ?? NEVER;
    },
  };
  return { executor, specs };
};

/** A process that is started, and never ends. */
export const running = (process: Partial<Process> = {}): Observable<Started> =>
  concat(of<Started>({ kind: 'started', process: process as Process }), NEVER);

/** The same wiring, whose executors are these; `asked`: each environment and member that was reached. */
export const reaching = (wiring: Wiring, reach: (id: string, member?: string) => Observable<Reached>) => {
  const asked: [string, string | undefined][] = [];
  const executors: Executors = {
    backendOf: () => ({ start: () => NEVER }),
    reach: (id, member) => {
      asked.push([id, member]);
      return reach(id, member);
    },
  };
  return { wiring: { ...wiring, executors: () => executors }, asked };
};
