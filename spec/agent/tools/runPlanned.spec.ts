import type { CommandDeps, CommandPlan } from '../../../src/agent/tools/commandCalls';
import { runPlanned } from '../../../src/agent/tools/shellTool';
import type { RunMode } from '../../../src/agent/tools/tool';
import { trustedEnvironment } from '../../../src/agent/tools/trustedEnvironment';
import type { Backend } from '../../../src/executor/backend';
import { sandbox } from '../support';
import { approvalOf, around, command, planOf, READY, RETRY, settingsOf } from './support';

describe('runPlanned', () => {
  const own = sandbox(READY);
  const plain = { PATH: '/bin:/repo/bin' };
  const trusted = trustedEnvironment({ PATH: '/bin:/repo/bin without /repo,/repo' });

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

  it('keeps what was approved in the sandbox where the ceiling is sealed', () => {
    const { deps, ran } = around();
    runPlanned(deps, settingsOf({ sandbox: own, sealed: true }))(
      planOf({ again: approvalOf(RETRY) }),
      'direct',
    ).subscribe();
    expect(ran).toMatchObject([
      [own.asSet, { keptBy: { text: expect.stringMatching(/^the operator set a sandbox/) } }],
    ]);
  });

  it('runs nothing until it is subscribed', () => {
    const { deps, ran } = around();
    runPlanned(deps, settingsOf())(planOf(), 'direct');
    expect(ran).toEqual([]);
  });
});
