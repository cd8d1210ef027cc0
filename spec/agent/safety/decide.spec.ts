import { type Action, decide, OUTSIDE, type Ruling, type SandboxState } from '../../../src/agent/safety/decide';
import { type Ended, isLikelyDenied } from '../../../src/executor/sandbox/isLikelyDenied';
import {
  APPROVAL_POLICIES,
  type ApprovalPolicy,
  SANDBOX_MODES,
  type SandboxMode,
} from '../../../src/protocol/codex/settings';
import { casesOf } from './support';

const READY: SandboxState = { kind: 'ready' };
const MISSING: SandboxState = { kind: 'missing', remedy: 'install it' };

const run: Ruling = { decision: 'run' };
const ask: Ruling = { decision: 'ask' };
const refuse: Ruling = { decision: 'refuse', reason: OUTSIDE };
const sandboxThenAsk: Ruling = { decision: 'sandbox', afterDenial: 'ask' };
const sandboxThenReport: Ruling = { decision: 'sandbox', afterDenial: 'report' };

const ACTIONS = ['reader', 'git', 'command', 'escalated', 'approved', 'patch', 'patchOutside'] as const;
const everyPlace = APPROVAL_POLICIES.flatMap((policy) => SANDBOX_MODES.map((mode) => ({ policy, mode })));
const rulings = (policy: ApprovalPolicy, mode: SandboxMode, sandbox: SandboxState): string =>
  ACTIONS.map((action) => decide({ policy, mode, action, sandbox }).decision).join(' ');

describe('decide', () => {
  it.each([
    // reader, git, command | escalated, approved, patch, patch outside
    ['untrusted', 'read-only', 'sandbox sandbox ask ask run ask ask'],
    ['untrusted', 'workspace-write', 'sandbox sandbox ask ask run ask ask'],
    ['untrusted', 'danger-full-access', 'run sandbox ask ask run ask ask'],
    ['on-failure', 'read-only', 'sandbox sandbox sandbox sandbox run sandbox sandbox'],
    ['on-failure', 'workspace-write', 'sandbox sandbox sandbox sandbox run sandbox sandbox'],
    ['on-failure', 'danger-full-access', 'run run run run run run run'],
    ['on-request', 'read-only', 'sandbox sandbox sandbox ask run ask ask'],
    ['on-request', 'workspace-write', 'sandbox sandbox sandbox ask run sandbox ask'],
    ['on-request', 'danger-full-access', 'run run run run run run run'],
    ['never', 'read-only', 'sandbox sandbox sandbox sandbox run refuse refuse'],
    ['never', 'workspace-write', 'sandbox sandbox sandbox sandbox run sandbox refuse'],
    ['never', 'danger-full-access', 'run run run run run run run'],
  ] as const)('decides under %s in %s', (policy, mode, decisions) => {
    expect(rulings(policy, mode, READY)).toBe(decisions);
  });

  it.each([
    ['untrusted', 'read-only', 'run ask ask ask run ask ask'],
    ['untrusted', 'workspace-write', 'run ask ask ask run ask ask'],
    ['untrusted', 'danger-full-access', 'run ask ask ask run ask ask'],
    ['on-failure', 'read-only', 'run ask ask ask run sandbox sandbox'],
    ['on-failure', 'workspace-write', 'run ask ask ask run sandbox sandbox'],
    ['on-request', 'read-only', 'run ask ask ask run ask ask'],
    ['on-request', 'workspace-write', 'run ask ask ask run sandbox ask'],
    ['never', 'read-only', 'run refuse refuse refuse run refuse refuse'],
    ['never', 'workspace-write', 'run refuse refuse refuse run sandbox refuse'],
  ] as const)('asks or refuses where no sandbox works, under %s in %s', (policy, mode, decisions) => {
    expect(rulings(policy, mode, MISSING)).toBe(decisions);
  });

  it('states what follows a denial', () => {
    const after = (policy: ApprovalPolicy) => decide({ policy, mode: 'read-only', action: 'reader', sandbox: READY });
    expect(APPROVAL_POLICIES.map(after)).toEqual(
      APPROVAL_POLICIES.map((policy) =>
        ['untrusted', 'on-failure'].includes(policy) ? sandboxThenAsk : sandboxThenReport,
      ),
    );
  });

  it('names the remedy where the sandbox is missing, to the person and to the model', () => {
    const verdictFor = (policy: ApprovalPolicy) =>
      decide({ policy, mode: 'read-only', action: 'command', sandbox: MISSING });
    expect(verdictFor('on-request')).toEqual({ decision: 'ask', reason: 'install it' });
    expect(verdictFor('never')).toEqual({ decision: 'refuse', reason: 'install it' });
    expect(verdictFor('untrusted')).toEqual(ask);
  });

  it('refuses a patch outside with the text of the original', () => {
    expect(decide({ policy: 'never', mode: 'workspace-write', action: 'patchOutside', sandbox: READY })).toEqual(
      refuse,
    );
  });

  it.each(everyPlace)('runs what was approved for the session: $policy in $mode', ({ policy, mode }) => {
    expect(decide({ policy, mode, action: 'approved', sandbox: MISSING })).toEqual(run);
  });
});

/** How a recorded command ends: in the sandbox of each mode, and without one. */
type End = Ended | 'timedOut' | 'notStarted';
type Ends = { sandboxed: Record<Exclude<SandboxMode, 'danger-full-access'>, End>; free: End };

const ended = (exitCode: number, stderr = ''): Ended => ({ exitCode, stdout: '', stderr, network: 'closed' });
const OK = ended(0);
const EROFS = ended(1, "touch: cannot touch 'x': Read-only file system\n");
const EPERM = ended(1, 'PermissionError: [Errno 1] Operation not permitted\n');

const everywhere = (end: End): Ends => ({ sandboxed: { 'read-only': end, 'workspace-write': end }, free: end });
const kept = (readOnly: End, workspaceWrite: End): Ends => ({
  sandboxed: { 'read-only': readOnly, 'workspace-write': workspaceWrite },
  free: OK,
});

/** The commands that were recorded, as far as they are known by their name. CORE 11. */
const COMMANDS: Record<string, Ends> = {
  'trusted ls': everywhere(OK),
  'write in cwd': kept(EROFS, OK),
  'write outside': kept(EROFS, EROFS),
  'write /tmp': kept(EROFS, OK),
  'write .git in cwd': kept(EROFS, EROFS),
  'read outside': everywhere(OK),
  'exit 1': everywhere(ended(1, 'se\n')),
  'exit 2': everywhere(ended(2)),
  'exit 127': everywhere(ended(127, 'bash: line 1: nosuchcmd_x: command not found\n')),
  'no such program': everywhere('notStarted'),
  timeout: everywhere('timedOut'),
  signal: everywhere(ended(137)),
  'env flag': everywhere(OK),
  'socket inet': kept(EPERM, EPERM),
};

const PATCHES: Record<string, { isInside: boolean; sandboxed: boolean }> = {
  'patch in cwd': { isInside: true, sandboxed: true },
  'patch outside': { isInside: false, sandboxed: false },
  'patch in .git': { isInside: false, sandboxed: false },
};

type Recorded = {
  id: string;
  approval_policy: ApprovalPolicy;
  sandbox_mode: SandboxMode;
  case: string;
  sequence: string[];
};

const ESCALATED = ' + escalate';
const RETRY = ['ASK[command failed; retry without sandbox?]', 'bg:retrying command without sandbox'];
const SHOWN_CHARS = 63; // the recorder cuts here

const actionOf = ({ case: name, approval_policy: policy, sandbox_mode: mode }: Recorded): Action => {
  const patch = PATCHES[name];
  if (patch)
    return mode === 'danger-full-access' || (patch.isInside && mode !== 'read-only') ? 'patch' : 'patchOutside';
  if (name.startsWith('trusted')) return 'reader';
  return name.endsWith(ESCALATED) && policy === 'on-request' ? 'escalated' : 'command';
};

const failed = (error: string): string => `bg:Execution failed: ${error}`.slice(0, SHOWN_CHARS);
const denial = ({ exitCode }: Ended): string =>
  failed(
    exitCode > 128 ? 'command was killed by a signal' : `sandbox denied exec error, exit code: ${exitCode}, stdout: `,
  );

const ends = (end: End): string => (typeof end === 'string' ? 'end(-1)' : `end(${end.exitCode})`);

/** What a client sees of a command, every question approved. */
const courseOf = (recorded: Recorded): string[] => {
  const { case: name, approval_policy: policy, sandbox_mode: mode } = recorded;
  const { sandboxed, free } = COMMANDS[name.replace(ESCALATED, '')] as Ends;
  const ruling = decide({ policy, mode, action: actionOf(recorded), sandbox: READY });
  const freely = ['begin', ends(free)];
  const question = name.endsWith(ESCALATED) ? 'ASK[need it]' : 'ASK';
  if (ruling.decision === 'refuse') return [];
  if (ruling.decision === 'ask') return [question, ...freely];
  if (ruling.decision === 'run' || mode === 'danger-full-access') return freely;
  const end = sandboxed[mode];
  if (typeof end === 'string' || !isLikelyDenied(end)) return ['begin', ends(end)];
  const first = ['begin', 'end(-1)'];
  return ruling.afterDenial === 'ask' ? [...first, denial(end), ...RETRY, ...freely] : first;
};

const patchCourse = (recorded: Recorded): string[] => {
  const { case: name, approval_policy: policy, sandbox_mode: mode } = recorded;
  const ruling = decide({ policy, mode, action: actionOf(recorded), sandbox: READY });
  const applied = (how: string) => [`pbegin(auto=${how})`, 'pend(True)', 'turn_diff'];
  if (ruling.decision === 'refuse') return [];
  if (ruling.decision === 'ask') return ['ASKPATCH', ...applied('False')];
  const fits = mode === 'danger-full-access' || (mode === 'workspace-write' && PATCHES[name]?.sandboxed);
  if (ruling.decision === 'run' || fits) return applied('True');
  return ['pbegin(auto=True)', 'pend(False)', 'turn_diff', denial(EROFS), ...RETRY, ...applied('True')];
};

const course = (recorded: Recorded): string[] =>
  recorded.case.startsWith('patch') ? patchCourse(recorded) : courseOf(recorded);

/** Where this differs from the original on purpose, and in which of the recorded cases. */
const DIFFERENCES: Record<string, string> = {
  'a plain failure is no denial, so nobody is asked': 'st065 st066 st084 st085 st122 st123 st142 st180',
  'a program that is not there is no denial either': 'st068',
  'stricter: .git is read-only in the sandbox': 'st082 st094 st139 st196',
  'a command that a signal ended without a sandbox has its exit code, and is not asked about again':
    'st013 st032 st051 st070 st089 st165',
};

describe('decide, beside Codex 0.28.0', () => {
  const all = casesOf<Recorded>('safety_table_dev');
  const named = Object.entries(DIFFERENCES).flatMap(([reason, ids]) => ids.split(' ').map((id) => ({ id, reason })));

  it.each(all.filter(({ id }) => !named.some((one) => one.id === id)))(
    'goes the same way in $id: $approval_policy in $sandbox_mode, $case',
    (recorded) => {
      expect(course(recorded)).toEqual(recorded.sequence);
    },
  );

  it.each(named)('differs in $id: $reason', ({ id }) => {
    const recorded = all.find((one) => one.id === id) as Recorded;
    expect(course(recorded)).not.toEqual(recorded.sequence);
  });

  it('has all recorded cases', () => {
    expect(all).toHaveLength(152);
  });
});
