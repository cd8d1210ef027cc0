/** Doubles around the agent: a configuration, a person, commands and models that are marbles, and the events of a call. */
import { asyncScheduler, defer, EMPTY, NEVER, type Observable, of } from 'rxjs';
import { type NativeDeps, nativeAgent } from '../../src/agent/nativeAgent';
import { type History, noHistory } from '../../src/agent/thread/history';
import type { Turn } from '../../src/agent/thread/steps';
import type { Workspace } from '../../src/agent/thread/workspace';
import { NO_TOOLS } from '../../src/agent/toolServers/toolServer';
import { type BuiltInDeps, builtInTools } from '../../src/agent/tools/builtInTools';
import type { CommandRun } from '../../src/agent/tools/commandOutcome';
import { type ToolEvent, toolTable } from '../../src/agent/tools/tool';
import { sessionApprovals } from '../../src/agent/turns/approval';
import type { SessionSandbox } from '../../src/executor/sandbox/openSandboxes';
import type { Agent, Ask, ReviewResult } from '../../src/protocol/codex/engine';
import type { EventMsg } from '../../src/protocol/codex/eventMsg';
import type { CodexEvent, Event } from '../../src/protocol/codex/events';
import { type Op, type TurnOp, toInput } from '../../src/protocol/codex/operations';
import { silentLog } from '../../src/protocol/log';
import type { CustomToolCall, FunctionCall, ResponseItem } from '../../src/protocol/model/items';
import type { Model } from '../../src/protocol/model/model';
import type { ModelRequest } from '../../src/protocol/model/request';
import { request } from '../../src/protocol/rpc/request';
import type { Config } from '../../src/settings/config';
import { stoppedNote } from '../../src/threads/lines/prompts';
import { messageOf, provider } from '../support/models';
import { recordOf, storeOf } from '../support/threadStore';

export const config = (own: Partial<Config> = {}): Config => ({
  model: 'm',
  provider: provider(),
  approvalPolicy: 'on-request',
  sandboxMode: 'danger-full-access',
  workspaceWrite: { writableRoots: [], networkAccess: false, excludeTmpdirEnvVar: false, excludeSlashTmp: false },
  alwaysSandboxed: false,
  environmentId: 'local',
  cwd: '/repo',
  folders: {},
  includePlanTool: false,
  reasoningEffort: 'medium',
  reasoningSummary: 'auto',
  supportsReasoningSummaries: false,
  contextWindow: 1_000,
  disableResponseStorage: false,
  showRawReasoning: false,
  projectDocMaxBytes: 32_768,
  shellEnvironment: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
  mcpServers: {},
  history: { persistence: 'none' },
  tools: { webSearch: false, viewImage: false },
  preferredAuthMethod: 'chatgpt',
  warnings: [],
  ...own,
});

export const turn = (callId: string, thread: TurnOp['thread'], own: Partial<TurnOp> = {}): TurnOp => ({
  kind: 'turn',
  callId,
  eventId: `${callId}-event`,
  thread,
  input: toInput(`do ${callId}`),
  askable: true,
  ...own,
});
export const interrupt = (callId: string): Op => ({ kind: 'interrupt', callId });

export const call = (call_id: string, args: object | string, name = 'shell'): FunctionCall => ({
  type: 'function_call',
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
  call_id,
});
export const shell = (call_id: string, ...command: string[]): FunctionCall => call(call_id, { command });
export const custom = (call_id: string, name: string, input: string): CustomToolCall => ({
  type: 'custom_tool_call',
  name,
  input,
  call_id,
});
export const outputOf = (call_id: string, output: string): ResponseItem => ({
  type: 'function_call_output',
  call_id,
  output,
});
export const reasoning = (id: string, ...parts: string[]): ResponseItem => ({
  type: 'reasoning',
  id,
  summary: parts.map((text) => ({ type: 'summary_text', text })),
});

/** What a model reads after a turn that was not done. */
export const noteOf = (fault?: string): ResponseItem => messageOf('user', stoppedNote(fault));

/** What a model is sent before the first message of the user. */
export const environment = messageOf(
  'user',
  [
    '<environment_context>',
    '  <cwd>/repo</cwd>',
    '  <approval_policy>on-request</approval_policy>',
    '  <sandbox_mode>danger-full-access</sandbox_mode>',
    '  <network_access>enabled</network_access>',
    '</environment_context>',
  ].join('\n'),
);

/** Why no sandbox works in these specs, unless they say otherwise. */
export const NO_SANDBOX = 'install bubblewrap';

/** The sandbox of a thread that may write to /repo. */
export const sandbox = (own: Partial<SessionSandbox> = {}): SessionSandbox => ({
  ready$: of({ kind: 'missing', remedy: NO_SANDBOX }),
  asSet: { start: () => EMPTY },
  readOnly: { start: () => EMPTY },
  mayWrite: (real) => real.startsWith('/repo/'),
  writable: ['/repo'],
  network: 'closed',
  ...own,
});

const beginOf = (call_id: string, command: readonly string[], cwd = '/repo'): EventMsg => ({
  type: 'exec_command_begin',
  call_id,
  command,
  cwd,
  parsed_cmd: [],
});
const endOf = (call_id: string): EventMsg => ({
  type: 'exec_command_end',
  call_id,
  stdout: '',
  stderr: '',
  aggregated_output: '',
  exit_code: 0,
  duration: { secs: 0, nanos: 0 },
  formatted_output: '',
});

/** The events of a command: B begin, E end, O output, all of it small letters as it goes in. */
export const command = (call_id: string, ...argv: string[]): Record<'b' | 'e' | 'o', ToolEvent> => ({
  b: { kind: 'event', msg: beginOf(call_id, argv) },
  e: { kind: 'event', msg: endOf(call_id) },
  o: { kind: 'output', text: `${call_id} ran` },
});

/** The events of one call, by its ids. */
export const voice = (callId: string, threadId: string, turnId: string) => {
  const eventWith = (msg: EventMsg, own: Partial<CodexEvent> = {}): CodexEvent => ({
    kind: 'event',
    callId,
    threadId,
    turnId,
    id: `${callId}-event`,
    msg,
    ...own,
  });
  return {
    event: eventWith,
    configured: eventWith(
      {
        type: 'session_configured',
        session_id: threadId,
        model: 'm',
        model_provider_id: 'mock',
        approval_policy: 'on-request',
        sandbox_mode: 'danger-full-access',
        cwd: '/repo',
        history_log_id: 7,
        history_entry_count: 2,
      },
      { id: '' },
    ),
    started: eventWith({ type: 'task_started', model_context_window: 1_000 }),
    delta: (delta: string) => eventWith({ type: 'agent_message_delta', delta, item_id: '' }),
    message: (message: string) => eventWith({ type: 'agent_message', message }),
    begin: (call_id: string, argv: string[], cwd?: string) => eventWith(beginOf(call_id, argv, cwd)),
    end: (call_id: string) => eventWith(endOf(call_id)),
    question: (question: number, call_id: string, argv: string[], own: { cwd?: string; reason?: string } = {}) =>
      eventWith(
        { type: 'exec_approval_request', call_id, command: argv, cwd: '/repo', ...own },
        { question, covers: 'bytes' },
      ),
    declined: (argv: string, reason?: string, question?: number): Event => ({
      kind: 'declined',
      callId,
      what: `\`${argv}\``,
      reason,
      question,
    }),
    streamError: (message: string) => eventWith({ type: 'stream_error', message }),
    error: (message: string) => eventWith({ type: 'error', message }),
    complete: (last_agent_message: string | null) => eventWith({ type: 'task_complete', last_agent_message }),
    aborted: eventWith({ type: 'turn_aborted', reason: 'interrupted' }),
  };
};

/** The first call begins thread n1 with turn n2; each later turn of it takes the next number. */
export const first = voice('a', 'n1', 'n2');
export const second = voice('b', 'n1', 'n3');
/** The events of every first call before those of its model. */
export const opened = { C: first.configured, S: first.started };

/** A model that answers the nth question with the nth answer and keeps what it was asked. */
export const modelOf = (answers: Observable<never>[] | ReturnType<Model>[]) => {
  const requests: ModelRequest[] = [];
  const model: Model = (request) => {
    requests.push(request);
    return answers[requests.length - 1] ?? NEVER;
  };
  return { model, requests };
};

export type Answered = { id: number; verdict: ReviewResult };
export const unaskable: ReviewResult = { decision: 'denied', reason: 'nobody is there' };

/** A person who answers through `answer$`; questions are numbered from 0. */
export const personOf = (answer$: Observable<Answered>): Ask => {
  let question = 0;
  const ask = request<Answered>({ response$: answer$, newId: () => question++ });
  return ({ askable }, put, then) =>
    askable ? ask(put, ({ id, verdict }) => then({ ...verdict, question: id })) : then(unaskable);
};

/** Ids n1, n2, … */
export const ids = (): (() => string) => {
  let last = 0;
  return () => `n${++last}`;
};

type Around = {
  answers?: ReturnType<Model>[];
  commands?: Record<string, Observable<ToolEvent>>;
  answer$?: Observable<Answered>;
  own?: Partial<Config>;
  deps?: Partial<NativeDeps>;
  shell?: Partial<BuiltInDeps>;
  workspace?: Partial<Workspace>;
};

/** What an agent needs, and what it did with it: what models were asked, what ran, what was logged. */
export const around = ({
  answers = [],
  commands = {},
  own = {},
  deps = {},
  shell = {},
  workspace = {},
}: Omit<Around, 'answer$'>) => {
  const { model, requests } = modelOf(answers);
  const ran: CommandRun[] = [];
  const logged: unknown[][] = [];
  const tools = builtInTools({
    readTrust: () => of({ trusted: false, why: '' }),
    decideByRules: () => () => of(undefined),
    parseCommand: () => of([]),
    realFolder: (path) => of(path),
    marksOf: (paths) => of(paths.map(() => undefined)),
    wordsIn: () => of(undefined),
    repositoryOf: () => undefined,
    showsSecrets: () => false,
    backend: { start: () => EMPTY },
    trustedPath: (path) => path,
    workspaceProgram: () => undefined,
    runOn: () => (run) =>
      defer(() => {
        ran.push(run);
        return commands[run.argv.join(' ')] ?? EMPTY;
      }),
    environmentOf: () => ({ PATH: '/bin' }),
    readImage: (path) => of({ kind: 'image', url: `data:${path}` }),
    check: () => EMPTY,
    apply: () => EMPTY,
    now: () => 0,
    openSandbox: () => sandbox(),
    ...shell,
  });
  const workspaceOf = (config: Config): Workspace => ({
    config,
    builtIn: tools(config),
    userInstructions: () => of(undefined),
    writableRoots: () => ['/repo', '/tmp'],
    folders: {},
    readImage: (path) => of({ kind: 'image', url: `data:${path}` }),
    turnDiff: (changes) => [...changes.keys()].map((path) => `diff of ${path}`).join(),
    ...workspace,
  });
  const native: NativeDeps = {
    configure: () => config(own),
    promptHistory: () => ({ history_log_id: 7, history_entry_count: 2 }),
    keepPrompt: () => EMPTY,
    modelOf: () => model,
    openWorkspace: (config) => of(workspaceOf(config)),
    turnTimeoutMs: 3_600_000,
    random: () => 0.5,
    notify: () => {},
    now: () => asyncScheduler.now(),
    clockMs: () => asyncScheduler.now(),
    steadyMs: () => asyncScheduler.now(),
    turnClockMs: () => asyncScheduler.now(),
    openTools: () => () => of(NO_TOOLS),
    openStore: () => storeOf().store,
    storedSettings: (settings) => settings,
    newId: ids(),
    log: (...record) => {
      logged.push(record);
    },
    ...deps,
  };
  return { native, workspaceOf, requests, ran, logged };
};

/** A whole agent; ops go in, events come out. */
export const agentOf = ({ answer$ = NEVER, ...rest }: Around) => {
  const { native, ...did } = around(rest);
  const agent: Agent = nativeAgent(native)(personOf(answer$));
  return { agent, ...did };
};

/** A turn as the inner operators see it. */
export const turnOf = (model: Model, own: Partial<Config> = {}, { workspaceOf } = around({})): Turn => {
  const workspace = workspaceOf(config(own));
  return {
    op: turn('a', { start: {} }),
    thread: {
      id: 'n1',
      settings: {},
      config: config(own),
      model,
      history: noHistory,
      record: recordOf(),
      recorded: {},
      recordedFolders: {},
      approvals: sessionApprovals(),
      workspace,
    },
    turnId: 'n2',
    opensThread: false,
    tools: toolTable(workspace.builtIn),
  };
};

export const historyOf = (...past: ResponseItem[]): History => ({ ...noHistory, past });

/** Asked about in every policy but full access. */
export const CAUTIOUS = { sandboxMode: 'read-only' } as const;
export { silentLog };
