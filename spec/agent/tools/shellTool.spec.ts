import { EMPTY, of } from 'rxjs';
import type { CommandDeps, CommandPlan, CommandSettings } from '../../../src/agent/tools/commandCalls';
import { blockDenied, runPlanned, type ShellDeps, type ShellPlan, shellTool } from '../../../src/agent/tools/shellTool';
import type { ApprovalRequest, ClientTerminal, RunMode, ToolCall, ToolEvent } from '../../../src/agent/tools/tool';
import { trustedEnvironment } from '../../../src/agent/tools/trustedEnvironment';
import type { Backend } from '../../../src/executor/backend';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { TerminalRequest } from '../../../src/protocol/codex/events';
import { patchOf, planned } from '../../executor/patch/support';
import { marbles } from '../../support/marbles';
import { sandbox } from '../support';
import { approvalOf, around, command, planOf, READY, RETRY, settingsOf } from './support';

const settings: CommandSettings = {
  cwd: '/repo',
  policy: 'on-request',
  mode: 'danger-full-access',
  environment: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
  sandbox: sandbox(),
  alwaysSandboxed: false,
};
const PATCH = patchOf('*** Add File: a', '+x');

const toolOf = (own: Partial<CommandSettings> = {}, deps: Partial<ShellDeps> = {}) =>
  shellTool(
    {
      readTrust: () => of({ trusted: false, why: '' }),
      decideByRules: () => () => of(undefined),
      parseCommand: () => of([{ type: 'unknown', cmd: 'rm x' }]),
      realFolder: (path) => of(path),
      marksOf: (paths) => of(paths.map(() => undefined)),
      wordsIn: () => of(undefined),
      repositoryOf: () => undefined,
      showsSecrets: () => false,
      runOn: () => () => of({ kind: 'output', text: 'ran' }),
      backend: { start: () => EMPTY },
      environmentOf: () => ({ PATH: '/bin' }),
      trustedPath: (path) => path,
      workspaceProgram: () => undefined,
      check: () => EMPTY,
      apply: () => EMPTY,
      now: () => 0,
      ...deps,
    },
    { ...settings, ...own },
  );
const call = (args: object | string): ToolCall => ({
  callId: 'l',
  args: typeof args === 'string' ? args : JSON.stringify(args),
  isApproved: () => false,
});
const assessed = (made: ToolCall, own?: Partial<CommandSettings>, deps?: Partial<ShellDeps>): unknown[] => {
  const all: unknown[] = [];
  toolOf(own, deps)
    .assess(made)
    .subscribe((one) => all.push(one));
  return all;
};
const ran = (plan: ShellPlan, deps?: Partial<ShellDeps>): string[] => {
  const events: ToolEvent[] = [];
  toolOf({}, deps)
    .run(plan, 'direct')
    .subscribe((event) => events.push(event));
  return events.map((event) => (event.kind === 'event' ? event.msg.type : event.kind));
};

describe('shellTool', () => {
  it('is known by the name that models have learned elsewhere, too', () => {
    expect(toolOf().otherNames).toEqual(['shell', 'local_shell', 'container.exec']);
  });

  it.each([
    [{}, '/repo'],
    [{ workdir: '../a' }, '/a'],
    [{ workdir: '/b' }, '/b'],
  ])('takes the folder of a command from %j', (more, cwd) => {
    const args = { command: ['rm', 'x'], ...more };
    expect(assessed(call(args))).toEqual([
      { verdict: 'run', plan: { kind: 'command', command: { callId: 'l', args, cwd, trusted: false } } },
    ]);
  });

  it.each([
    [['apply_patch', PATCH], undefined, '/repo'],
    [['bash', '-lc', `applypatch <<'EOF'\n${PATCH}\nEOF\n`], 'sub', '/repo/sub'],
    [['bash', '-lc', `cd a && apply_patch <<EOF\n${PATCH}\nEOF`], 'sub', '/repo/sub/a'],
  ])('takes %j for a patch', (command, workdir, folder) => {
    const checked: unknown[] = [];
    const check: ShellDeps['check'] = (...patch) => {
      checked.push(patch);
      return of({ kind: 'empty' });
    };
    expect(assessed(call({ command, ...(workdir && { workdir }) }), {}, { check })).toEqual([
      { verdict: 'refuse', output: 'patch rejected: empty patch' },
    ]);
    expect(checked).toEqual([[PATCH, folder]]);
  });

  it('asks about a patch by what it changes', () => {
    const check = () => of(planned(PATCH));
    expect(assessed(call({ command: ['apply_patch', PATCH] }), { mode: 'read-only' }, { check })).toMatchObject([
      { verdict: 'ask', plan: { kind: 'patch', patch: { callId: 'l' } }, approval: { keys: ['patch /ws/a'] } },
    ]);
  });

  it('refuses arguments that cannot be read', () => {
    expect(assessed(call('{'))).toEqual([
      { verdict: 'refuse', output: expect.stringMatching(/^failed to parse function arguments: /) },
    ]);
  });

  it('runs a command', () => {
    const command = { callId: 'l', args: { command: ['rm', 'x'] }, cwd: '/repo', trusted: false };
    expect(ran({ kind: 'command', command })).toEqual(['output']);
  });

  it('applies a patch', () => {
    const apply = () => of({ kind: 'applied' as const, summary: 'done' });
    const patch = { callId: 'l', plan: planned(PATCH), unasked: true };
    expect(ran({ kind: 'patch', patch }, { apply })).toEqual([
      ...['patch_apply_begin', 'patch_apply_end', 'patched', 'output'],
    ]);
  });
});

describe('runPlanned', () => {
  const own = sandbox(READY);
  const plain = { PATH: '/bin:/repo/bin' };
  const trusted = trustedEnvironment(plain, (path) => `${path} without /repo,/repo`);

  it.each<[string, CommandPlan, RunMode, (deps: CommandDeps) => Backend, object]>([
    ['directly', planOf(), 'direct', ({ backend }) => backend, { env: plain }],
    ['in the sandbox', planOf(), 'sandboxed', () => own.asSet, { env: plain }],
    ['as one that only reads', planOf({ trusted: true }), 'sandboxed', () => own.readOnly, { env: trusted }],
    [
      'that only reads, without a sandbox',
      planOf({ trusted: true }),
      'direct',
      ({ backend }) => backend,
      { env: trusted },
    ],
    [
      'within its time',
      planOf({ args: { command, timeout_ms: 0 } }),
      'direct',
      ({ backend }) => backend,
      { timeoutMs: 0 },
    ],
    [
      'that may take longer than a timer can wait',
      planOf({ args: { command, timeout_ms: 2 ** 40 } }),
      'direct',
      ({ backend }) => backend,
      { timeoutMs: 2 ** 31 - 1 },
    ],
  ])('runs a command %s', (_, plan, mode, backendOf, more) => {
    const { deps, ran } = around();
    runPlanned(deps, settingsOf({ sandbox: own }))(plan, mode).subscribe();
    const run = { callId: 'l', argv: command, cwd: '/repo', parsed: [{ type: 'unknown', cmd: 'rm' }] };
    const decided = mode === 'direct' ? { realCwd: '/repo' } : {}; // a sandbox has its own folders
    expect(ran).toEqual([[backendOf(deps), { ...run, ...decided, env: plain, timeoutMs: 10_000, ...more }]]);
  });

  it('keeps what was approved in the sandbox if the ceiling asks for it', () => {
    const { deps, ran } = around();
    runPlanned(deps, settingsOf({ sandbox: own, alwaysSandboxed: true }))(
      planOf({ again: approvalOf(RETRY) }),
      'direct',
    ).subscribe();
    expect(ran).toMatchObject([
      [own.asSet, { keptBy: { text: expect.stringMatching(/^the operator set a sandbox/) } }],
    ]);
  });

  const listed = { ...settingsOf().environment, includeOnly: ['PATH'] };

  /** What the client is asked, and how many commands run here. */
  const askedBy = (plan: Partial<CommandPlan>, mode: RunMode, own: Partial<CommandSettings>, isHere = true) => {
    const asked: TerminalRequest[] = [];
    const ask: ClientTerminal = (request) => {
      asked.push(request);
      return EMPTY;
    };
    const terminal = { ask, words: 'any' } as const;
    const { deps, ran } = around(isHere ? { terminals: { signals: {}, withheld: () => ['KEY'] } } : {});
    runPlanned(deps, settingsOf(own))({ ...planOf({ terminal }), ...plan }, mode).subscribe();
    return { asked, ran: ran.length };
  };

  it('gives the client a command that runs without a sandbox', () => {
    const env = { KEY: '', PAGER: 'cat', GIT_PAGER: 'cat' };
    const create = { act: 'create', tool: 'l', argv: command, cwd: '/repo', env, maxBytes: 1_048_576 };
    expect(askedBy({}, 'direct', {})).toEqual({ asked: [create], ran: 0 });
  });

  it.each<[string, Partial<CommandPlan>, RunMode, Partial<CommandSettings>]>([
    ['in the sandbox', {}, 'sandboxed', {}],
    ['that was approved, below a ceiling that keeps the sandbox', {}, 'direct', { alwaysSandboxed: true }],
    ['that only reads', { trusted: true }, 'direct', {}],
    ['that a rule allows', { allowed: true }, 'direct', {}],
    ['whose variables are listed', {}, 'direct', { environment: listed }],
    ['of a client without terminals', { terminal: undefined }, 'direct', {}],
    ['with words that the client does not take', { args: { command: ['the make'] } }, 'direct', {}],
  ])('runs itself a command %s', (_, plan, mode, own) => {
    expect(askedBy(plan, mode, own)).toEqual({ asked: [], ran: 1 });
  });

  it('runs a command on another machine than the client itself', () => {
    expect(askedBy({}, 'direct', {}, false)).toEqual({ asked: [], ran: 1 });
  });

  it('runs nothing until it is subscribed', () => {
    const { deps, ran } = around();
    runPlanned(deps, settingsOf())(planOf(), 'direct');
    expect(ran).toEqual([]);
  });
});

const event = (msg: EventMsg): ToolEvent => ({ kind: 'event', msg });
const end = (exit_code: number, stderr: string): ToolEvent =>
  event({
    type: 'exec_command_end',
    call_id: 'l',
    stdout: 'so',
    stderr,
    aggregated_output: '',
    exit_code,
    duration: { secs: 0, nanos: 0 },
    formatted_output: '',
  });
const failed = (message: string): ToolEvent =>
  event({ type: 'background_event', message: `Execution failed: ${message}` });
const again: ApprovalRequest = {
  msg: { type: 'background_event', message: 'again?' },
  subject: 'rm',
  what: 'exec command',
  keys: [],
};
const events: Record<string, ToolEvent> = {
  b: event({ type: 'exec_command_begin', call_id: 'l', command: ['rm'], cwd: '/', parsed_cmd: [] }),
  e: end(0, 'Permission denied'),
  d: end(1, 'Permission denied'),
  f: end(1, 'no such test'),
  s: end(137, ''),
  u: end(128, 'Permission denied'),
  n: end(1, 'Could not resolve host: example.org'),
  t: end(-1, 'Permission denied'),
  o: { kind: 'output', text: 'out' },
  x: { kind: 'blocked', output: 'out', approval: again },
  D: failed('sandbox denied exec error, exit code: 1, stdout: so, stderr: Permission denied'),
  N: failed('sandbox denied exec error, exit code: 1, stdout: so, stderr: Could not resolve host: example.org'),
  U: failed('sandbox denied exec error, exit code: 128, stdout: so, stderr: Permission denied'),
  S: failed('command was killed by a signal'),
};

describe('blockDenied', () => {
  it.each([
    ['passes a command that ended well', 'closed', 'b--(eo|)', 'b--(eo|)'],
    ['passes a command that failed by itself', 'closed', 'b--(fo|)', 'b--(fo|)'],
    ['passes a command that was stopped from here', 'closed', 'b--(to|)', 'b--(to|)'],
    ['blocks a command that was kept from a file', 'open', 'b--(do|)', 'b--(dDx|)'],
    ['blocks a command that a signal ended', 'open', 'b--(so|)', 'b--(sSx|)'],
    ['knows no signal in 128 itself', 'open', 'b--(uo|)', 'b--(uUx|)'],
    ['blocks a command that was kept from the network', 'closed', 'b--(no|)', 'b--(nNx|)'],
    ['passes a command that failed in an open network', 'open', 'b--(no|)', 'b--(no|)'],
    ['passes an output without an end', 'closed', 'o', 'o'],
    ['errors with its source', 'closed', 'b-#', 'b-#'],
  ] as const)('%s', (_, network, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(source, events).pipe(blockDenied({ network, again }))).toBe(expected, events);
    })(),
  );

  it(
    'passes everything where nobody may be asked',
    marbles(({ cold, expectObservable }) => {
      const out$ = cold('b--(do|)', events).pipe(blockDenied({ network: 'closed', again: undefined }));
      expectObservable(out$).toBe('b--(do|)', events);
    }),
  );
});
