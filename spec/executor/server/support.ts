/** Owns doubles of what an exec-server stands on. */
import { EMPTY, NEVER, type Observable, of } from 'rxjs';
import type { Backend, ExecServerDeps, Files, Process } from '../../../src/executor';
import { PROCESS_LIMITS } from '../../../src/executor';
import type { ExecMessage, ExecOutgoing, ProcessSpec } from '../../../src/protocol';

/** A process that takes all and never has news. */
export const calm: Process = {
  read: () => NEVER,
  write: () => of('accepted'),
  closeStdin: () => of('accepted'),
  signal: () => of(undefined),
  terminate: () => of(true),
};

const noFiles = new Proxy({} as Files, { get: () => () => EMPTY });

/** A server over `start`, with what a spec does not care about. */
export const depsOf = (start: Backend['start'], own: Partial<ExecServerDeps> = {}): ExecServerDeps => ({
  backend: { start },
  limits: PROCESS_LIMITS,
  environment: { HOME: '/h', PATH: '/p', API_KEY: 'k' },
  files: noFiles,
  fetch: () => EMPTY,
  shell: { name: 'sh', path: '/bin/sh' },
  newId: () => 'session',
  log: () => {},
  ...own,
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
export const told = (method: string, params: unknown): ExecOutgoing => ({ kind: 'notification', method, params });

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
