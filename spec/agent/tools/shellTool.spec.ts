import { EMPTY, of } from 'rxjs';
import type { CommandSettings } from '../../../src/agent/tools/commandCalls';
import { type ShellDeps, type ShellPlan, shellTool } from '../../../src/agent/tools/shellTool';
import type { ToolCall, ToolEvent } from '../../../src/agent/tools/tool';
import { patchOf, planned } from '../../executor/patch/support';
import { sandbox } from '../support';

const settings: CommandSettings = {
  cwd: '/repo',
  policy: 'on-request',
  mode: 'danger-full-access',
  environment: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
  sandbox: sandbox(),
  sealed: false,
};
const PATCH = patchOf('*** Add File: a', '+x');

const toolOf = (own: Partial<CommandSettings> = {}, deps: Partial<ShellDeps> = {}) =>
  shellTool(
    {
      readTrust: () => of({ trusted: false, why: '' }),
      parseCommand: () => of([{ type: 'unknown', cmd: 'rm x' }]),
      realFolder: (path) => of(path),
      namesPrograms: () => false,
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
