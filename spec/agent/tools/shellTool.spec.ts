import fc from 'fast-check';
import { EMPTY, of } from 'rxjs';
import type { CommandDeps, CommandPlan, CommandSettings } from '../../../src/agent/tools/commandCalls';
import {
  blockDenied,
  findPatch,
  readHereDocument,
  runPlanned,
  type ShellDeps,
  type ShellPlan,
  shellTool,
} from '../../../src/agent/tools/shellTool';
import type { ApprovalRequest, ClientTerminal, RunMode, ToolCall, ToolEvent } from '../../../src/agent/tools/tool';
import { trustedEnvironment } from '../../../src/agent/tools/trustedEnvironment';
import type { Backend } from '../../../src/executor/backend';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { TerminalRequest } from '../../../src/protocol/codex/events';
import { patchOf, planned } from '../../executor/patch/support';
import { casesOf } from '../../support/cases';
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

type Recorded = { id: string; note: string; argv: string[]; kind: 'patch' | 'exec' | 'error' };

/** Where we differ, and why. */
const OTHERWISE: Record<string, { kind: 'patch' | 'command'; why: string }> = {
  aa15: { kind: 'command', why: 'the program is another one' },
  aa16: { kind: 'patch', why: 'cd DIR && is understood' },
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

describe('findPatch', () => {
  const PATCH = '*** Begin Patch\n*** Add File: new.txt\n+hi\n*** End Patch';
  const found = (argv: readonly string[]) => findPatch(argv, '/ws');
  const script = (text: string) => found(['bash', '-lc', text]);

  it.each(casesOf<Recorded>('apply_patch_argv_dev').map((recorded) => [recorded.id, recorded.note, recorded] as const))(
    'decides %s as Codex 0.28.0 does, or better: %s',
    (id, _, { argv, kind }) => {
      const expected = OTHERWISE[id]?.kind ?? (kind === 'exec' ? 'command' : 'patch');
      expect(found(argv) ? 'patch' : 'command').toBe(expected);
    },
  );

  it.each(['apply_patch', 'applypatch'])('takes the one argument of %s as it is', (program) => {
    expect(found([program, 'x\n'])).toEqual({ text: 'x\n', folder: '/ws' });
    expect([found([program]), found([program, 'x', 'y']), found([`/bin/${program}`, 'x'])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [`apply_patch <<'EOF'\n${PATCH}\nEOF\n`],
    [`apply_patch <<"EOF"\n${PATCH}\nEOF`],
    [`apply_patch <<\\EOF\n${PATCH}\nEOF\n\n`],
    [`apply_patch<<EOF\n${PATCH}\nEOF\n`],
    [`applypatch  << 'a b'\t\n${PATCH}\na b\n`],
    [`\n  apply_patch <<E.O-F\n${PATCH}\n\nE.O-F  \n`],
    [`apply_patch <<'EOF'\n${PATCH}\n`], // bash reads to the end too
    [`apply_patch <<-'EOF'\n\t${PATCH.replaceAll('\n', '\n\t')}\n\tEOF\n`],
  ])('reads the here-document of %j', (text) => {
    expect(script(text)).toEqual({ text: PATCH, folder: '/ws' });
  });

  it.each([
    ['apply_patch <<E', '\nls\ncat f\n', 'ls\ncat f'],
    ['apply_patch <<E && ls', '', '&& ls'],
    ['apply_patch <<E | tail', '\nls', '| tail\nls'],
    ['set -e\napply_patch <<E', '\nls', 'ls'],
    ['set -euo pipefail; apply_patch <<E', '\n', undefined],
    ['cat <<E | apply_patch', '\n', undefined],
    ['cat <<E | apply_patch && ls', '', '&& ls'],
  ])('finds the patch of %j and what else the script would run', (before, after, rest) => {
    expect(script(`${before}\n${PATCH}\nE${after}`)).toEqual({
      text: PATCH,
      folder: '/ws',
      ...(rest !== undefined && { rest }),
    });
  });

  it.each([
    ['cd sub &&', '/ws/sub'],
    ['cd sub/x.d&&', '/ws/sub/x.d'],
    ['cd /abs &&\n', '/abs'],
    ["cd 'a b' &&", '/ws/a b'],
    ['cd "../a b" &&', '/a b'],
    ['cd . &&', '/ws'],
  ])('follows %j', (before, folder) => {
    expect(script(`${before} apply_patch <<'EOF'\n${PATCH}\nEOF\n`)).toEqual({ text: PATCH, folder });
  });

  it.each([
    'cd - &&',
    'cd "-" &&',
    'cd -P x &&',
    'cd ~ &&',
    'cd $HOME &&',
    'cd "$HOME" &&',
    'cd `pwd` &&',
    'cd a* &&',
    'cd {a,b} &&',
    'cd a\\ b &&',
    "cd a'b' &&",
    'cd "" &&',
    'cd &&',
    'cd a b &&',
    'cd a;',
    'cd a ||',
    'cd a &',
    'cd a\n',
    'pushd a &&',
    'A=1',
    'sudo',
    '! ',
    '(',
  ])('leaves a script that begins with %j to bash', (before) => {
    expect(script(`${before} apply_patch <<'EOF'\n${PATCH}\nEOF\n`)).toBeUndefined();
  });

  it.each([
    ['a second redirection', `apply_patch <<'EOF' > f\n${PATCH}\nEOF\n`],
    ['a second document', `apply_patch <<A <<B\n${PATCH}\nA\nB\n`],
    ['an argument', `apply_patch x <<'EOF'\n${PATCH}\nEOF\n`],
    ['a here-string', `apply_patch <<<'${PATCH}'`],
    ['an end word that is expanded', `apply_patch <<$E\n${PATCH}\n$E\n`],
    ['no document', 'apply_patch'],
    ['no line', 'apply_patch <<EOF'],
    ['a document for another program', `cat <<'EOF'\n${PATCH}\nEOF\n`],
    ['a document that another program reads', `cat <<'EOF' | sh\n${PATCH}\nEOF\n`],
    ['another program', `apply_patch_x <<'EOF'\n${PATCH}\nEOF\n`],
    ['a comment', `apply_patch <<'EOF' # x\n${PATCH}\nEOF\n`],
  ])('leaves a script with %s to bash', (_, text) => {
    expect(script(text)).toBeUndefined();
  });

  it.each([
    ['bash', '-c'],
    ['sh', '-lc'],
    ['/bin/bash', '-lc'],
    ['bash', '-l'],
  ])('knows no other shell than bash -lc: %s %s', (shell, option) => {
    expect(found([shell, option, `apply_patch <<'EOF'\n${PATCH}\nEOF\n`])).toBeUndefined();
  });

  it('expands nothing in a document without quotes', () => {
    expect(script('apply_patch <<EOF\n+$HOME `id` \\\nEOF\n')?.text).toBe('+$HOME `id` \\');
  });

  it('reads a script of megabytes', () => {
    const body = `+${'x'.repeat(99)}\n`.repeat(100_000);
    expect(script(`cd sub && apply_patch <<'EOF'\n${body}EOF\n`)?.text).toBe(body.trimEnd());
    expect(script(`apply_patch <<'EOF'${' '.repeat(1_000_000)}x\nEOF\n`)).toBeUndefined();
    expect(script(`${' '.repeat(1_000_000)}x`)).toBeUndefined();
  });
});

const read = (script: string) => readHereDocument(script, ['apply_patch', 'applypatch']);

describe('readHereDocument', () => {
  it.each([
    ['a document               ', 'apply_patch <<EOF\na\nb\nEOF\n', { body: 'a\nb' }],
    ['another name             ', 'applypatch <<EOF\na\nEOF', { body: 'a' }],
    ['a quoted end             ', "apply_patch <<'E F'\na\nE F\n", { body: 'a' }],
    ['a backslash at the end   ', 'apply_patch <<\\EOF\na\nEOF', { body: 'a' }],
    ['one without its last line', 'apply_patch <<EOF\na\n\n', { body: 'a' }],
    ['tabs that are dropped    ', 'apply_patch <<-EOF\n\t\ta\n\tEOF', { body: 'a' }],
    ['tabs that are kept       ', 'apply_patch <<EOF\n\ta\nEOF', { body: '\ta' }],
    ['a folder                 ', 'cd d/e && apply_patch <<EOF\na\nEOF', { folder: 'd/e', body: 'a' }],
    ['a folder in quotes       ', 'cd "d e" && apply_patch <<EOF\na\nEOF', { folder: 'd e', body: 'a' }],
    ['blanks behind the end    ', 'apply_patch <<EOF\na\nEOF  \n \n', { body: 'a' }],
    ['what bash would expand   ', 'apply_patch <<EOF\n$HOME `x`\nEOF', { body: '$HOME `x`' }],
    ['no document              ', 'apply_patch a', undefined],
    ['another program          ', 'cat <<EOF\na\nEOF', undefined],
    ['more behind it           ', 'apply_patch <<EOF\na\nEOF\nrm -r x', { body: 'a', rest: 'rm -r x' }],
    ['more in its first line   ', 'apply_patch <<EOF; rm x\na\nEOF', { body: 'a', rest: '; rm x' }],
    ['a folder that is expanded', 'cd $d && apply_patch <<EOF\na\nEOF', undefined],
    ['the folder before        ', 'cd - && apply_patch <<EOF\na\nEOF', undefined],
    ['an empty folder          ', 'cd "" && apply_patch <<EOF\na\nEOF', undefined],
    ['a program before it      ', 'rm x && apply_patch <<EOF\na\nEOF', undefined],
  ])('reads %s', (_, script, expected) => {
    expect(read(script)).toEqual(expected);
  });

  it('reads back any lines that do not end the document', () => {
    const line = fc.string().filter((text) => !text.includes('\n') && text.trimEnd() !== 'EOF');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const body = lines.join('\n').replace(/\n+$/, '');
        expect(read(`apply_patch <<EOF\n${body}\nEOF\n`)).toEqual({ body });
      }),
    );
  });
});
