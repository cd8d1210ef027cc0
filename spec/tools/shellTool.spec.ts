import { EMPTY, of } from 'rxjs';
import { NO_SANDBOX } from '../../src/safety';
import type { CommandRun, RunMode, ToolCall, ToolEvent } from '../../src/tools';
import {
  type CommandPlan,
  type ShellDeps,
  type ShellPlan,
  type ShellSettings,
  shellTool,
} from '../../src/tools/shellTool';
import { trustedEnvironment } from '../../src/tools/trustedEnvironment';
import { patchOf, planned } from '../patch/support';

const settings: ShellSettings = {
  cwd: '/repo',
  approvalPolicy: 'on-request',
  sandboxMode: 'danger-full-access',
  shellEnvironment: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
  mayWrite: (real) => real.startsWith('/repo/'),
};
const careful: Partial<ShellSettings> = { sandboxMode: 'read-only' };
const command = ['rm', 'x'];
const PATCH = patchOf('*** Add File: a', '+x');

const toolOf = (own: Partial<ShellSettings> = {}, deps: Partial<ShellDeps> = {}) => {
  const ran: [CommandRun, RunMode][] = [];
  const tool = shellTool(
    {
      isTrusted: () => of(false),
      parseCommand: () => of([{ type: 'unknown', cmd: 'rm x' }]),
      runCommand: (...run) => {
        ran.push(run);
        return EMPTY;
      },
      environmentOf: () => ({ PATH: '/bin' }),
      check: () => EMPTY,
      apply: () => EMPTY,
      now: () => 0,
      ...deps,
    },
    { ...settings, ...own },
  );
  return { tool, ran };
};
const call = (args: object | string, approved: readonly string[] = []): ToolCall => ({
  callId: 'l',
  args: typeof args === 'string' ? args : JSON.stringify(args),
  isApproved: (key) => approved.includes(key),
});
const planOf = (own: Partial<CommandPlan> = {}): CommandPlan => ({
  kind: 'command',
  callId: 'l',
  args: { command },
  cwd: '/repo',
  trusted: false,
  ...own,
});

const assessed = (made: ToolCall, own?: Partial<ShellSettings>, deps?: Partial<ShellDeps>): unknown[] => {
  const all: unknown[] = [];
  toolOf(own, deps)
    .tool.assess(made)
    .subscribe((one) => all.push(one));
  return all;
};
const KEY = 'shell ["/repo","rm","x"]';
const asked = (plan: CommandPlan, reason?: string) => ({
  verdict: 'ask',
  plan,
  approval: {
    msg: {
      type: 'exec_approval_request',
      call_id: 'l',
      command,
      cwd: plan.cwd,
      ...(reason !== undefined && { reason }),
    },
    subject: '`rm x`',
    what: 'exec command',
    keys: [`shell ${JSON.stringify([plan.cwd, ...command])}`],
  },
});

describe('shellTool', () => {
  it('is known by the name that models have learned elsewhere, too', () => {
    expect(toolOf().tool.otherNames).toEqual(['container.exec']);
  });

  describe('assesses', () => {
    it('a command that may run', () => {
      expect(assessed(call({ command }))).toEqual([{ verdict: 'run', plan: planOf() }]);
    });

    it('a command that only reads', () => {
      const isTrusted = () => of(true);
      expect(assessed(call({ command }), careful, { isTrusted })).toEqual([
        { verdict: 'run', plan: planOf({ trusted: true }) },
      ]);
    });

    it('a command that is asked about, with the reason', () => {
      expect(assessed(call({ command }), careful)).toEqual([asked(planOf(), NO_SANDBOX)]);
      expect(assessed(call({ command }), { approvalPolicy: 'untrusted' })).toEqual([asked(planOf())]);
    });

    it('a command that the model gives a reason for, which comes first', () => {
      const args = { command, justification: 'it is in the way' };
      expect(assessed(call(args), careful)).toEqual([asked(planOf({ args }), `it is in the way\n${NO_SANDBOX}`)]);
      const escalated = { ...args, with_escalated_permissions: true };
      expect(assessed(call(escalated), careful)).toEqual([asked(planOf({ args: escalated }), 'it is in the way')]);
    });

    it('a command that was approved for the session, in this folder only', () => {
      expect(assessed(call({ command }, [KEY]), careful)).toEqual([{ verdict: 'run', plan: planOf() }]);
      const elsewhere = { command, workdir: 'sub' };
      expect(assessed(call(elsewhere, [KEY]), careful)).toEqual([
        asked(planOf({ args: elsewhere, cwd: '/repo/sub' }), NO_SANDBOX),
      ]);
    });

    it.each([[{ command: ['rm', 'x', ''] }], [{ command: ['rm'] }], [{ command: ['rm x'] }]])(
      '%j as another command than the one that was approved',
      (args) => {
        expect(assessed(call(args, [KEY]), careful)).toMatchObject([{ verdict: 'ask' }]);
      },
    );

    it.each([
      [{}, '/repo'],
      [{ workdir: '../a' }, '/a'],
      [{ workdir: '/b' }, '/b'],
    ])('the folder of %j', (more, cwd) => {
      expect(assessed(call({ command, ...more }))).toMatchObject([{ plan: { cwd } }]);
    });

    it.each([
      [['apply_patch', PATCH], undefined, '/repo'],
      [['bash', '-lc', `applypatch <<'EOF'\n${PATCH}\nEOF\n`], 'sub', '/repo/sub'],
      [['bash', '-lc', `cd a && apply_patch <<EOF\n${PATCH}\nEOF`], 'sub', '/repo/sub/a'],
    ])('%j as a patch', (command, workdir, folder) => {
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

    it('a patch by what it changes', () => {
      const check = () => of(planned(PATCH));
      expect(assessed(call({ command: ['apply_patch', PATCH] }), careful, { check })).toMatchObject([
        { verdict: 'ask', plan: { kind: 'patch', patch: { callId: 'l' } }, approval: { keys: ['patch /ws/a'] } },
      ]);
    });

    it('arguments that cannot be read', () => {
      expect(assessed(call('{'))).toEqual([
        { verdict: 'refuse', output: expect.stringMatching(/^failed to parse function arguments: /) },
      ]);
    });
  });

  describe('runs', () => {
    const run = { callId: 'l', argv: command, cwd: '/repo', parsed: [{ type: 'unknown', cmd: 'rm x' }] };

    it.each<[string, ShellPlan, RunMode, object]>([
      ['a command', planOf(), 'direct', { env: { PATH: '/bin' }, timeoutMs: 10_000 }],
      ['a command in the sandbox', planOf(), 'sandboxed', { env: { PATH: '/bin' }, timeoutMs: 10_000 }],
      [
        'a trusted command without the programs of the repository',
        planOf({ trusted: true }),
        'direct',
        { env: trustedEnvironment({ PATH: '/bin' }), timeoutMs: 10_000 },
      ],
      ['a command within its time', planOf({ args: { command, timeout_ms: 0 } }), 'direct', { timeoutMs: 0 }],
      [
        'a command that may take longer than a timer can wait',
        planOf({ args: { command, timeout_ms: 2 ** 40 } }),
        'direct',
        { timeoutMs: 2 ** 31 - 1 },
      ],
    ])('%s', (_, plan, mode, more) => {
      const { tool, ran } = toolOf();
      tool.run(plan, mode).subscribe();
      expect(ran).toEqual([[{ env: { PATH: '/bin' }, ...run, ...more }, mode]]);
    });

    it('a patch', () => {
      const events: ToolEvent[] = [];
      const apply = () => of({ kind: 'applied' as const, summary: 'done' });
      const patch = { callId: 'l', plan: planned(PATCH), unasked: true };
      toolOf({}, { apply })
        .tool.run({ kind: 'patch', patch }, 'direct')
        .subscribe((event) => events.push(event));
      expect(events.map((event) => (event.kind === 'event' ? event.msg.type : event.kind))).toEqual([
        ...['patch_apply_begin', 'patch_apply_end', 'patched', 'output'],
      ]);
    });

    it('nothing until it is subscribed', () => {
      const { tool, ran } = toolOf();
      tool.run(planOf(), 'direct');
      expect(ran).toEqual([]);
    });
  });
});
