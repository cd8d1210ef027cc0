import { APPROVAL_POLICIES, type ApprovalPolicy, SANDBOX_MODES, type SandboxMode } from '../../src/protocol/codex';
import { type Assessment, assess, NO_SANDBOX, type Situation } from '../../src/safety';
import { casesOf } from './support';

type Recorded = {
  id: string;
  approval_policy: ApprovalPolicy;
  sandbox_mode: SandboxMode;
  case: string;
  sequence: string[];
};

const run: Assessment = { verdict: 'run' };
const ask: Assessment = { verdict: 'ask' };
const unsandboxed: Assessment = { verdict: 'ask', reason: NO_SANDBOX };
const plain = { trusted: false, approved: false, escalated: false };

const everyPlace = APPROVAL_POLICIES.flatMap((policy) => SANDBOX_MODES.map((sandbox) => ({ policy, sandbox })));

describe('assess', () => {
  it.each([
    ['untrusted', 'read-only', ask],
    ['untrusted', 'workspace-write', ask],
    ['untrusted', 'danger-full-access', ask],
    ['on-failure', 'read-only', unsandboxed],
    ['on-failure', 'workspace-write', unsandboxed],
    ['on-failure', 'danger-full-access', run],
    ['on-request', 'read-only', unsandboxed],
    ['on-request', 'workspace-write', unsandboxed],
    ['on-request', 'danger-full-access', run],
    ['never', 'read-only', unsandboxed],
    ['never', 'workspace-write', unsandboxed],
    ['never', 'danger-full-access', run],
  ] as const)('answers %s in %s', (policy, sandbox, expected) => {
    expect(assess({ policy, sandbox, ...plain })).toEqual(expected);
  });

  it.each(everyPlace)('runs what is trusted or approved, also when escalated: $policy in $sandbox', (place) => {
    const answers = [
      assess({ ...place, ...plain, trusted: true }),
      assess({ ...place, ...plain, approved: true }),
      assess({ ...place, trusted: true, approved: true, escalated: true }),
    ];
    expect(answers).toEqual([run, run, run]);
  });

  it('leaves the reason to the model when it escalates on request, and to nobody else', () => {
    const escalated: Situation = { ...plain, policy: 'on-request', sandbox: 'read-only', escalated: true };
    expect(assess(escalated)).toEqual(ask);
    expect(assess({ ...escalated, policy: 'on-failure' })).toEqual(unsandboxed);
    expect(assess({ ...escalated, policy: 'never' })).toEqual(unsandboxed);
    expect(assess({ ...escalated, policy: 'untrusted' })).toEqual(ask);
    expect(assess({ ...escalated, sandbox: 'danger-full-access' })).toEqual(run);
  });

  describe('beside Codex 0.28.0', () => {
    const commands = casesOf<Recorded>('safety_table_dev').filter(({ case: name }) => !name.startsWith('patch'));
    const judge = (recorded: Recorded): Assessment =>
      assess({
        policy: recorded.approval_policy,
        sandbox: recorded.sandbox_mode,
        trusted: recorded.case.startsWith('trusted'),
        approved: false,
        escalated: recorded.case.endsWith('+ escalate'),
      });
    const asked = ({ sequence }: Recorded): boolean => sequence[0]?.startsWith('ASK') ?? false;
    const differing = commands.filter((recorded) => asked(recorded) !== (judge(recorded).verdict === 'ask'));
    const cell = (one: Recorded): string => `${one.approval_policy} in ${one.sandbox_mode}`;

    it('asks wherever the original asks', () => {
      expect(commands.filter(asked).every((recorded) => judge(recorded).verdict === 'ask')).toBe(true);
    });

    it('agrees in every cell but the six that the original runs inside a sandbox', () => {
      expect([...new Set(differing.map(cell))].sort()).toEqual([
        'never in read-only',
        'never in workspace-write',
        'on-failure in read-only',
        'on-failure in workspace-write',
        'on-request in read-only',
        'on-request in workspace-write',
      ]);
    });

    it('says in every differing case that the sandbox is missing', () => {
      expect(differing.map(judge)).toEqual(differing.map(() => unsandboxed));
    });

    it('agrees with the original about whether the model gave the reason', () => {
      const escalated = commands.filter(
        (one) => one.sequence[0] === 'ASK[need it]' && one.approval_policy === 'on-request',
      );
      expect(escalated.length).toBeGreaterThan(0);
      expect(escalated.map(judge)).toEqual(escalated.map(() => ask));
    });
  });
});
