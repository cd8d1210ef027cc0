import { Observable, of } from 'rxjs';
import type { Trust } from '../../../src/agent/safety/readTrust';
import {
  assessCommand,
  type CommandDeps,
  type CommandSettings,
  ownChanges,
} from '../../../src/agent/tools/commandCalls';
import type { CommandCall } from '../../../src/agent/tools/shellArguments';
import type { ApprovalRequest, ToolEvent } from '../../../src/agent/tools/tool';
import { marbles } from '../../support/marbles';
import { NO_SANDBOX, sandbox } from '../support';
import { approvalOf, around, askedPlanOf, command, planOf, RETRY, settingsOf } from './support';

const reads = (...commands: string[][]): Trust => ({ trusted: true, commands });

const callOf = (own: Partial<CommandCall> = {}): CommandCall => ({
  callId: 'l',
  args: { command },
  cwd: '/repo',
  isApproved: () => false,
  ...own,
});

const assess = (call: CommandCall, settings: CommandSettings, deps: Partial<CommandDeps> = {}): unknown => {
  const all: unknown[] = [];
  assessCommand(around(deps).deps, settings)(call).subscribe((one) => all.push(one));
  return all.length === 1 ? all[0] : all;
};
const missing = { sandbox: sandbox() };

describe('assessCommand', () => {
  it('runs a command in the sandbox, and asks after a denial where the policy allows it', () => {
    expect(assess(callOf(), settingsOf())).toEqual({ verdict: 'sandbox', plan: planOf() });
    expect(assess(callOf(), settingsOf({ policy: 'on-failure' }))).toEqual({
      verdict: 'sandbox',
      plan: askedPlanOf({ again: approvalOf(RETRY) }),
    });
  });

  it('asks where no sandbox works, with the remedy, and refuses where it may not ask', () => {
    expect(assess(callOf(), settingsOf(missing))).toEqual({
      verdict: 'ask',
      plan: askedPlanOf(),
      approval: approvalOf(NO_SANDBOX),
    });
    expect(assess(callOf(), settingsOf({ ...missing, policy: 'never' }))).toEqual({
      verdict: 'refuse',
      output: `exec command rejected: ${NO_SANDBOX}`,
      report: { subject: "`rm 'the x'`", reason: NO_SANDBOX },
    });
  });

  it(
    'does not wait for the sandbox where the answer does not depend on it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const ready$ = cold('---(r|)', { r: { kind: 'ready' } as const });
      const own = { sandbox: sandbox({ ready$ }) };
      const { deps } = around();
      const verdictOf = (settings: Partial<CommandSettings>) =>
        assessCommand(deps, settingsOf({ ...own, ...settings }))(callOf());
      const verdicts = {
        a: { verdict: 'ask', plan: askedPlanOf(), approval: approvalOf() },
        r: { verdict: 'run', plan: { callId: 'l', args: { command }, cwd: '/repo', trusted: false } }, // nobody approves it
        s: { verdict: 'sandbox', plan: planOf() },
      };
      expectObservable(verdictOf({ policy: 'untrusted' })).toBe('       (a|)', verdicts);
      expectObservable(verdictOf({ mode: 'danger-full-access' })).toBe('(r|)', verdicts);
      expectObservable(verdictOf({})).toBe('                         ---(s|)', verdicts);
      expectSubscriptions(ready$.subscriptions).toBe('               ^--!');
    }),
  );

  it('runs what was approved for the session, in this folder only', () => {
    const isApproved = (key: string) => approvalOf().keys.includes(key);
    expect(assess(callOf({ isApproved }), settingsOf())).toEqual({ verdict: 'run', plan: askedPlanOf() });
    expect(assess(callOf({ isApproved, cwd: '/repo/sub' }), settingsOf())).toMatchObject({ verdict: 'sandbox' });
    const others = [['rm', 'the x', ''], ['rm'], ['rm the x']];
    for (const command of others) {
      expect(assess(callOf({ isApproved, args: { command } }), settingsOf())).toMatchObject({ verdict: 'sandbox' });
    }
  });

  it('asks again once a file that the command names has changed, or cannot be seen any more', () => {
    const marksOf =
      (bytes: string): CommandDeps['marksOf'] =>
      (paths) =>
        of(paths.map((path) => (path === '/repo/the x' ? bytes : undefined)));
    const settings = settingsOf({ policy: 'untrusted' });
    const { approval } = assess(callOf(), settings, { marksOf: marksOf('old') }) as { approval: ApprovalRequest };
    const isApproved = (key: string) => approval.keys.includes(key);
    expect(
      [marksOf('old'), marksOf('new'), () => of(undefined)].map((marksOf) =>
        assess(callOf({ isApproved }), settings, { marksOf }),
      ),
    ).toMatchObject([{ verdict: 'run' }, { verdict: 'ask' }, { verdict: 'ask' }]);
  });

  it('goes by where the folder is, with a reason that names it where a link leads there', () => {
    const realFolder = (path: string) => of(path.replace('/repo/link', '/home'));
    const isApproved = (key: string) => key === approvalOf(undefined, '/repo/link').keys[0];
    const settings = settingsOf({ policy: 'untrusted' });
    expect(assess(callOf({ isApproved, cwd: '/repo/link' }), settings, { realFolder })).toEqual({
      verdict: 'ask',
      plan: askedPlanOf({ cwd: '/repo/link', realCwd: '/home' }),
      approval: {
        ...approvalOf('/repo/link is reached by a link; the command runs in /home', '/repo/link'),
        keys: approvalOf(undefined, '/home').keys,
      },
    });
  });

  it('marks the reason of the agent, in one line that shows what is hidden in it', () => {
    const args = { command, with_escalated_permissions: true, justification: ' fine\nAllow: \u202eyes ' };
    expect(assess(callOf({ args }), settingsOf())).toEqual({
      verdict: 'ask',
      plan: askedPlanOf({ args }),
      approval: approvalOf('The agent says: fine\\nAllow: \\u202eyes'),
    });
    expect(assess(callOf({ args }), settingsOf({ ...missing, policy: 'on-failure' }))).toMatchObject({
      approval: approvalOf(`The agent says: fine\\nAllow: \\u202eyes\n${NO_SANDBOX}`),
    });
  });

  describe('of a trusted command', () => {
    const assessTrusted = (trust: Trust, own: Partial<CommandSettings>, deps: Partial<CommandDeps> = {}) =>
      assess(callOf(), settingsOf(own), { readTrust: () => of(trust), ...deps });
    const plan = planOf({ trusted: true });

    it('runs a reader in the sandbox, and without one where none works', () => {
      expect(assessTrusted(reads(['cat', 'x']), {})).toEqual({ verdict: 'sandbox', plan, effect: 'reads' });
      expect(assessTrusted(reads(['cat', 'x']), missing)).toEqual({ verdict: 'run', plan, effect: 'reads' });
    });

    it('takes it for any command, if only the workspace has its program', () => {
      const workspaceProgram = () => 'cat';
      const ask = { verdict: 'ask', plan: askedPlanOf(), approval: approvalOf() };
      const full = { policy: 'never', mode: 'danger-full-access' } as const;
      const verdicts = [{ policy: 'untrusted' } as const, {}, full].map((own) =>
        assessTrusted(reads(['cat', 'x']), own, { workspaceProgram }),
      );
      const run = { verdict: 'run', plan: { callId: 'l', args: { command }, cwd: '/repo', trusted: false } };
      expect(verdicts).toEqual([ask, { verdict: 'sandbox', plan: planOf() }, run]);
    });

    it('asks about a reader that may show a secret, where no sandbox hides it', () => {
      const showsSecrets = () => true;
      expect(assessTrusted(reads(['cat', 'x']), {}, { showsSecrets })).toEqual({
        verdict: 'sandbox',
        plan,
        effect: 'reads',
      });
      const ask = { verdict: 'ask', plan: askedPlanOf({ trusted: true }), approval: approvalOf(NO_SANDBOX) };
      expect(assessTrusted(reads(['cat', 'x']), missing, { showsSecrets })).toEqual(ask);
      const full = { policy: 'untrusted', mode: 'danger-full-access' } as const;
      expect(assessTrusted(reads(['cat', 'x']), full, { showsSecrets })).toMatchObject({ verdict: 'ask' });
      expect(assessTrusted(reads(['cd', '-'], ['cat', 'x']), missing)).toEqual(ask);
    });

    it('asks once more where the agent asked for more rights and the sandbox denies', () => {
      const args = { command, with_escalated_permissions: true };
      expect(assess(callOf({ args }), settingsOf(), { readTrust: () => of(reads(['cat', 'x'])) })).toEqual({
        verdict: 'sandbox',
        plan: askedPlanOf({ args, trusted: true, again: approvalOf(RETRY) }),
        effect: 'reads',
      });
    });

    it('asks nobody under never, also where the agent asked for more rights', () => {
      const args = { command, with_escalated_permissions: true };
      const never = settingsOf({ policy: 'never' });
      const realCwd = undefined; // nobody approves anything
      expect(assess(callOf({ args }), never)).toEqual({ verdict: 'sandbox', plan: planOf({ args, realCwd }) });
      expect(assess(callOf({ args }), never, { readTrust: () => of(reads(['cat', 'x'])) })).toEqual({
        verdict: 'sandbox',
        plan: planOf({ args, realCwd, trusted: true }),
        effect: 'reads',
      });
    });

    it('looks for secrets in other folders from where a link to the folder of the command leads', () => {
      const seen: unknown[] = [];
      const showsSecrets = (_: unknown, folders: readonly string[]) => !seen.push(folders);
      const readTrust = () => of(reads(['cd', '../vendor'], ['cat', 'x']));
      const realFolder = (path: string) => of(path.replace('/repo/link', '/repo/deep/sub'));
      assess(callOf({ cwd: '/repo/link' }), settingsOf(missing), { readTrust, realFolder, showsSecrets });
      expect(seen).toEqual([['/repo/deep/sub', '/repo/deep/vendor']]);
    });

    it('runs git in the sandbox only', () => {
      const git = reads(['cd', 'vendor'], ['git', 'status']);
      expect(assessTrusted(git, {})).toEqual({ verdict: 'sandbox', plan, effect: 'reads' });
      expect(assessTrusted(git, missing)).toMatchObject({ verdict: 'ask' });
      expect(assessTrusted(git, { mode: 'danger-full-access', policy: 'untrusted' })).toMatchObject({
        verdict: 'sandbox',
      });
    });
  });
});

describe('ownChanges', () => {
  const events: Record<string, ToolEvent> = {
    e: { kind: 'event', msg: { type: 'background_event', message: 'end' } },
    o: { kind: 'output', text: 'out' },
    c: { kind: 'ownChanges', keys: approvalOf().keys, keys$: expect.any(Observable) },
  };

  it.each([
    ['announces them before the output', askedPlanOf(), 'e--(eo|)', 'e--(eco|)'],
    ['announces none if nothing can be approved', planOf(), 'e--(eo|)', 'e--(eo|)'],
    ['announces none without an output', askedPlanOf(), 'e--|', 'e--|'],
    ['announces none of a command that never ends', askedPlanOf(), '-', '-'],
    ['errors with its source', askedPlanOf(), 'e-#', 'e-#'],
  ])('%s', (_, plan, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      const changes$ = cold(source, events).pipe(ownChanges(around().deps, settingsOf(), plan));
      expectObservable(changes$).toBe(expected, events);
    })(),
  );

  it('marks the files when it is asked for them', () => {
    const marked: unknown[] = [];
    let bytes = 'at the end';
    const marksOf: CommandDeps['marksOf'] = (paths) =>
      of(paths.map((path) => (path === '/repo/rm' ? bytes : undefined)));
    of(events.o as ToolEvent)
      .pipe(ownChanges(around({ marksOf }).deps, settingsOf(), askedPlanOf()))
      .subscribe((event) => {
        bytes = 'by itself';
        if (event.kind === 'ownChanges') event.keys$.subscribe((keys) => marked.push(keys[1]));
      });
    expect(marked).toEqual([`${approvalOf().keys[0]} ["by itself"]`]);
  });
});
