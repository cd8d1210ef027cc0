/** Owns doubles of what an exec-server stands on. */
import { EMPTY, NEVER, type Observable, of } from 'rxjs';
import type { Backend, Process } from '../../../src/executor/backend';
import type { Files } from '../../../src/executor/files';
import { execMethods } from '../../../src/executor/server/execMethods';
import type { Ended, ExecServerDeps } from '../../../src/executor/server/execServer';
import { type ExecSessions, type ExecSessionsDeps, execSessions } from '../../../src/executor/server/execSessions';
import { PROCESS_LIMITS, type ProcessLimits } from '../../../src/executor/server/processLimits';
import type { ExecMessage, ExecOutgoing } from '../../../src/protocol/exec/codec';
import type { ProcessSpec } from '../../../src/protocol/exec/process';
import { noBackpressure } from '../../../src/streams/backpressure';

/** A process that takes all input and emits nothing. */
export const calm: Process = {
  read: () => NEVER,
  acknowledge: () => of(undefined),
  write: () => of('accepted'),
  closeStdin: () => of('accepted'),
  signal: () => of(undefined),
  terminate: () => of(true),
};

/** Room for all that a spec starts. */
export const LIMITS: ProcessLimits = PROCESS_LIMITS;

const noFiles = new Proxy({} as Files, { get: () => () => EMPTY });

export const SURROUNDINGS = {
  shell: { name: 'sh', path: '/bin/sh' },
  version: '1.2.3',
  cwd: '/w o',
  home: '/h',
  tempDir: '/t',
  platform: 'linux',
};

/** Sessions over `start`, with what a spec does not care about. */
export const sessionsOf = (
  start: Backend['start'],
  { limits = LIMITS, ...own }: Partial<ExecSessionsDeps & { limits: ProcessLimits }> = {},
): ExecSessions =>
  execSessions({
    methodsOf: () =>
      execMethods({
        backendFor: () => ({ start }),
        isLikelyDenied: () => false,
        limits,
        environment: { HOME: '/h', PATH: '/p', API_KEY: 'k' },
        files: noFiles,
        fetch: () => EMPTY,
        serverEnvironment: SURROUNDINGS,
        insideOf: () => ({ request: () => NEVER, alive$: NEVER, hint: '' }),
        methodLimits: { allow: [], deny: [], network: 'open' },
      }),
    newId: () => 'session',
    graceMs: 0,
    maxSessions: 9,
    stop$: NEVER,
    log: () => {},
    ...own,
  });

/** A connection to a server of its own. */
export const depsOf = (...how: Parameters<typeof sessionsOf>): ExecServerDeps => ({
  sessions: sessionsOf(...how),
  backpressure: noBackpressure,
  source: 'JSON-RPC message from exec-server stdio',
  log: () => {},
});

export const ask = (id: number, method: string, params: unknown = {}): ExecMessage => ({
  kind: 'request',
  id,
  method,
  params,
});
export const note = (method: string, params: unknown = {}): ExecMessage => ({ kind: 'notification', method, params });
export const result = (id: number, value: unknown): ExecOutgoing => ({ kind: 'response', id, result: value });
export const refusal = (id: number, code: number, message: string): ExecOutgoing => ({
  kind: 'response',
  id,
  error: { code, message },
});
export const notificationOf = (method: string, params: unknown): ExecOutgoing => ({
  kind: 'notification',
  method,
  params,
});

/** The params of a start. */
export const startOf = (processId: string, own: Record<string, unknown> = {}) => ({
  processId,
  argv: ['prog'],
  cwd: '/',
  env: {},
  tty: false,
  ...own,
});

/** A backend that remembers what it was asked to start. */
export const startsOf = (life: (spec: ProcessSpec) => Observable<never>) => {
  const specs: ProcessSpec[] = [];
  return {
    specs,
    start: (spec: ProcessSpec) => {
      specs.push(spec);
      return life(spec);
    },
  };
};

/** The handshake's messages by letter. */
export const HELLO = { i: ask(0, 'initialize', { clientName: 'c' }), n: note('initialized') };
export const GREETED = { I: result(0, { sessionId: 'session' }) };

/** How a connection ends that the server ends. */
export const BROKEN: Ended = { kind: 'ended', why: 'broken' };
export const REPLACED: Ended = { kind: 'ended', why: 'replaced' };
