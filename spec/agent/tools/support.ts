/** The calls of `shell` and `apply_patch` that the specs of the tools plan and run. */
import { EMPTY, of } from 'rxjs';
import type { CommandDeps, CommandPlan, CommandSettings } from '../../../src/agent/tools/commandCalls';
import type { CommandRun } from '../../../src/agent/tools/commandOutcome';
import type { PatchSettings } from '../../../src/agent/tools/patchCalls';
import type { ApprovalRequest } from '../../../src/agent/tools/tool';
import type { Backend } from '../../../src/executor/backend';
import { type Plan, toFileChanges } from '../../../src/executor/patch/plan';
import type { SessionSandbox } from '../../../src/executor/sandbox/openSandboxes';
import type { ApprovalPolicy, SandboxMode } from '../../../src/protocol/codex/settings';
import { sandbox } from '../support';

export const command = ['rm', 'the x'];
export const READY: Partial<SessionSandbox> = { ready$: of({ kind: 'ready' }) };
export const RETRY = 'command failed; retry without sandbox?';

/** Dependencies of which each command that runs is kept. */
export const around = (deps: Partial<CommandDeps> = {}) => {
  const ran: [Backend, CommandRun][] = [];
  const all: CommandDeps = {
    readTrust: () => of({ trusted: false, why: '' }),
    decideByRules: () => () => of(undefined),
    parseCommand: () => of([{ type: 'unknown', cmd: 'rm' }]),
    realFolder: (path) => of(path),
    marksOf: (paths) => of(paths.map(() => undefined)),
    wordsIn: () => of(undefined),
    repositoryOf: () => undefined,
    showsSecrets: () => false,
    runOn: (backend) => (run) => {
      ran.push([backend, run]);
      return EMPTY;
    },
    backend: { start: () => EMPTY },
    now: () => 0,
    environmentOf: () => ({ PATH: '/bin:/repo/bin' }),
    workspaceProgram: () => undefined,
    trustedPath: (path, workspace) => `${path} without ${workspace.join()}`,
    ...deps,
  };
  return { deps: all, ran };
};
export const settingsOf = (own: Partial<CommandSettings> = {}): CommandSettings => ({
  policy: 'on-request',
  mode: 'workspace-write',
  cwd: '/repo',
  environment: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
  sandbox: sandbox(READY),
  alwaysSandboxed: false,
  ...own,
});
export const planOf = (own: Partial<CommandPlan> = {}): CommandPlan => ({
  callId: 'l',
  args: { command },
  cwd: '/repo',
  realCwd: '/repo',
  trusted: false,
  ...own,
});
export const approvalOf = (reason?: string, cwd = '/repo'): ApprovalRequest => ({
  msg: { type: 'exec_approval_request', call_id: 'l', command, cwd, ...(reason !== undefined && { reason }) },
  subject: "`rm 'the x'`",
  what: 'exec command',
  covers: 'bytes',
  keys: ['', ' []'].map((marks) => `shell ${JSON.stringify([cwd, ...command])}${marks}`),
});
/** The plan of a command that a person is asked about, or was. */
export const askedPlanOf = (own: Partial<CommandPlan> = {}): CommandPlan =>
  planOf({ keys: approvalOf(undefined, own.realCwd).keys, ...own });

export const patchSettingsOf = (policy: ApprovalPolicy, mode: SandboxMode): PatchSettings => ({
  policy,
  mode,
  alwaysSandboxed: false,
  mayWrite: (real) => mode === 'workspace-write' && !real.startsWith('/ws/out'),
});

export const patchApprovalOf = (plan: Plan, reason?: string): ApprovalRequest => ({
  msg: {
    type: 'apply_patch_approval_request',
    call_id: 'p',
    changes: toFileChanges(plan),
    ...(reason !== undefined && { reason }),
  },
  subject: `the patch of ${plan.files.map(({ path }) => path).join(', ')}`,
  what: 'patch',
  keys: plan.files.map(({ real }) => `patch ${real}`),
});
