/** Doubles for the server of ACP: a machine whose sessions can be opened, an engine of several threads, lines as a client writes them. */
import { defer, map, NEVER, type Observable, type OperatorFunction, of } from 'rxjs';
import { silentLog } from '../../src/protocol/log';
import type { CodexHost, SessionFacts, SessionRequest } from '../../src/protocol/methods/host';
import { type AcpServerDeps, acpServer } from '../../src/server/acp/acpServer';
import { noBackpressure } from '../../src/streams/backpressure';
import { after } from '../../src/streams/time/wait';
import { parseLines } from '../../src/threads/lines/readRolloutLine';
import { hostWith } from '../protocol/methods/host';
import { threadsEngine, uuid } from './conversations';

/** What a session runs under, if a spec does not say otherwise. */
export const factsWith = (facts: Partial<SessionFacts> = {}): SessionFacts => ({
  needsLogin: false,
  settings: { cwd: '/w' },
  cwd: '/w',
  model: 'm',
  models: ['m', 'fast'],
  effort: 'medium',
  approvalPolicy: 'on-request',
  sandboxMode: 'workspace-write',
  policies: ['untrusted', 'on-failure', 'on-request', 'never'],
  sandboxModes: ['read-only', 'workspace-write', 'danger-full-access'],
  servers: [],
  prompts: [],
  skills: [],
  rollout: [],
  ...facts,
});

const counter = (first: number) => {
  let next = first;
  return () => next++;
};

/** A machine that has the stored threads of `rollouts`, and any new one. */
export const machineWith = (rollouts: Record<string, string> = {}, host: Partial<CodexHost> = {}): CodexHost =>
  hostWith({
    sessions: {
      find: ({ id, cwd }: SessionRequest): Observable<SessionFacts | null> => {
        if (id === undefined) return of(factsWith({ cwd, settings: { cwd } }));
        const rollout = rollouts[id];
        return of(rollout === undefined ? null : factsWith({ cwd, settings: { cwd }, rollout: parseLines(rollout) }));
      },
      fork: ({ id, cwd }) => {
        const rollout = rollouts[id];
        return of(
          rollout === undefined
            ? null
            : { id: SECOND, facts: factsWith({ cwd, settings: { cwd }, rollout: parseLines(rollout) }) },
        );
      },
      has: (id) => of(rollouts[id] !== undefined),
      rename: () => of(undefined),
      setArchived: (id) => of(rollouts[id] === undefined ? null : true),
      remove: () => of(null),
    },
    ...host,
  });

/** A client that reads at once. */
export const promptly = { backpressure: noBackpressure, after };

/** What the server needs, with nothing left to chance. Calls have the ids `call-0`, `call-1`, … */
export const acpDeps = (deps: Partial<AcpServerDeps> = {}): AcpServerDeps => {
  const [calls, questions] = [counter(0), counter(0)];
  return {
    engine: threadsEngine(),
    log: silentLog,
    stop$: NEVER,
    ...promptly,
    codexHost: () => machineWith(),
    newCallId: () => `call-${calls()}`,
    newQuestionId: questions,
    askTimeoutMs: 600_000,
    now: () => 0,
    version: '0.1.0',
    ...deps,
  };
};

/** The server with its lines read, so that whole messages are compared; without the list of commands that follows each opened session. */
export const acpAgent =
  (deps: Partial<AcpServerDeps> = {}): OperatorFunction<string, unknown> =>
  (line$) =>
    defer(() =>
      line$.pipe(
        acpServer(acpDeps(deps)),
        map((line) => JSON.parse(line) as { params?: { update?: { sessionUpdate?: string } } }),
      ),
    );

export const FIRST = uuid(1);
export const SECOND = uuid(2);

const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });

export const asks = (id: unknown, method: string, params: object = {}): string => line({ id, method, params });
export const notifies = (method: string, params: object): string => line({ method, params });
export const answers = (id: unknown, result: unknown): string => line({ id, result });

export const opens = (id: unknown, params: object = {}): string =>
  asks(id, 'session/new', { cwd: '/w', mcpServers: [], ...params });
export const prompts = (id: unknown, text: string, sessionId = FIRST): string =>
  asks(id, 'session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
export const chooses = (id: unknown, optionId: string): string =>
  answers(id, { outcome: { outcome: 'selected', optionId } });
export const cancels = (sessionId = FIRST): string => notifies('session/cancel', { sessionId });

/** A message of the server as it stands on the line. */
export const says = (message: object): unknown => ({ jsonrpc: '2.0', ...message });

export const responds = (id: unknown, result: unknown): unknown => says({ id, result });
export const refuses = (id: unknown, code: number, message: unknown = expect.any(String)): unknown =>
  says({ id, error: expect.objectContaining({ code, message }) });
export const updates = (update: object, sessionId = FIRST): unknown =>
  says({ method: 'session/update', params: { sessionId, update: expect.objectContaining(update) } });
