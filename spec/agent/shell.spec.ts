import { of } from 'rxjs';
import type { CommandRun } from '../../src/agent/tools/commandOutcome';
import type { RunMode, ToolEvent } from '../../src/agent/tools/tool';
import { trustedEnvironment } from '../../src/agent/tools/trustedEnvironment';
import type { ReviewDecision } from '../../src/protocol/codex/engine';
import type { EventMsg } from '../../src/protocol/codex/eventMsg';
import type { ModelRequest } from '../../src/protocol/model/request';
import { marbles } from '../support/marbles';
import { completed, item, messageOf } from '../support/models';
import {
  type Answered,
  agentOf,
  call,
  command,
  first,
  NO_SANDBOX,
  noteOf,
  opened,
  outputOf,
  sandbox,
  second,
  shell,
  turn,
  voice,
} from './support';

const rm = ['rm', 'x'];
const elsewhere = call('f', { command: rm, workdir: 'sub' });
const spoken = {
  l: item(shell('l', ...rm)),
  k: item(shell('k', ...rm)),
  p: item(shell('p', 'pwd')),
  f: item(elsewhere),
  e: item(call('l', { command: rm, with_escalated_permissions: true, justification: 'it is in the way' })),
  m: item(messageOf('assistant', 'ok')),
  y: completed(),
};
const answered = (id: number, decision: ReviewDecision, reason?: string): Answered => ({
  id,
  verdict: { decision, ...(reason !== undefined && { reason }) },
});
const verdict = {
  y: answered(0, 'approved'),
  s: answered(0, 'approved_for_session'),
  n: answered(0, 'denied'),
  w: answered(0, 'denied', 'nobody answered within 9 s'),
  x: answered(0, 'abort'),
  d: answered(0, 'abort', 'the question was dismissed'),
  o: answered(1, 'approved'),
  q: answered(7, 'approved'),
};
const op = {
  a: turn('a', { start: {} }),
  u: turn('a', { start: {} }, { askable: false }),
  b: turn('b', { id: 'n1' }),
  o: turn('o', { start: {} }),
};
const other = voice('o', 'n3', 'n4');
const reason = NO_SANDBOX;
const out = {
  ...opened,
  C: { ...opened.C, msg: { ...opened.C.msg, sandbox_mode: 'read-only' as const } },
  Q: first.question(0, 'l', rm, { reason }),
  B: first.begin('l', rm),
  E: first.end('l'),
  M: first.message('ok'),
  Z: first.complete('ok'),
  X: first.aborted,
};
const own = { sandboxMode: 'read-only' as const };
const lastOutput = (requests: ModelRequest[]) => requests.at(-1)?.input.at(-1);

describe('the tool shell in a turn', () => {
  it(
    'runs a command when the person approves its own question',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const op$ = hot('     -a-|                 ', op);
      const answer$ = hot(' -------q-y           ', verdict);
      const call$ = cold('   ----(ly|)           ', spoken);
      const rm$ = cold('             b-(eo|)    ', command('l', ...rm));
      const next$ = cold('             -m(y|)   ', spoken);
      const expected = '    -(CS)Q---B-EM(Z|)    ';
      const running = '     ---------^-!         ';
      const { agent, requests } = agentOf({ answers: [call$, next$], commands: { 'rm x': rm$ }, answer$, own });
      expectObservable(agent(op$)).toBe(expected, out);
      expectSubscriptions(rm$.subscriptions).toBe(running);
      flush();
      expect(lastOutput(requests)).toEqual(outputOf('l', 'l ran'));
    }),
  );

  it(
    'does not ask again what was approved for the session, but asks in another folder and in another thread',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('     -a------------------o|          ', op);
      const answer$ = hot(' ------s--------o               ', verdict);
      const one$ = cold('    ----(ly|)                     ', spoken);
      const two$ = cold('         ----(ky|)                ', spoken);
      const three$ = cold('           ----(fy|)            ', spoken);
      const four$ = cold('                 ----(y|)        ', spoken);
      const other$ = cold('                     ----(ly|)   ', spoken);
      const expected = '    -(CS)Q(BE)(KL)F(GH)N(cs)R       ';
      const cwds: string[] = [];
      const runCommand = (run: CommandRun) => {
        cwds.push(run.cwd);
        const { b, e, o } = command(run.callId, ...run.argv);
        return of(b, e, o);
      };
      const values = {
        ...out,
        K: first.begin('k', rm),
        L: first.end('k'),
        F: first.question(1, 'f', rm, { cwd: '/repo/sub', reason }),
        G: first.begin('f', rm),
        H: first.end('f'),
        N: first.complete(null),
        c: { ...other.configured, msg: { ...other.configured.msg, sandbox_mode: 'read-only' as const } },
        s: other.started,
        R: other.question(2, 'l', rm, { reason }),
      };
      const answers = [one$, two$, three$, four$, other$];
      const { agent } = agentOf({ answers, answer$, own, shell: { runOn: () => runCommand } });
      expectObservable(agent(op$), '25ms !').toBe(expected, values);
      flush();
      expect(cwds).toEqual(['/repo', '/repo', '/repo/sub']);
    }),
  );

  it.each([
    ['denied', 'n', undefined, 'exec command rejected by user'],
    ['not answered', 'w', 'nobody answered within 9 s', 'exec command rejected: nobody answered within 9 s'],
  ] as const)('reports to the model a command that was %s, and goes on', (_, letter, why, text) => {
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('               -a-|             ', op);
      const answer$ = hot(`           -------${letter} `, verdict);
      const call$ = cold('             ----(ly|)       ', spoken);
      const next$ = cold('                   -m(y|)    ', spoken);
      const expected = '            -(CS)Q-DM(Z|)   ';
      const { agent, requests, ran } = agentOf({ answers: [call$, next$], answer$, own });
      expectObservable(agent(op$)).toBe(expected, { ...out, D: first.declined('rm x', why, 0) });
      flush();
      expect(ran).toEqual([]);
      expect(lastOutput(requests)).toEqual(outputOf('l', text));
    })();
  });

  it(
    'reports to the caller and the model that nobody can be asked',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('     -u-|            ', op);
      const call$ = cold('   ----(ly|)      ', spoken);
      const next$ = cold('       -m(y|)     ', spoken);
      const expected = '    -(CS)DM(Z|)     ';
      const { agent, requests } = agentOf({ answers: [call$, next$], own });
      expectObservable(agent(op$)).toBe(expected, { ...out, D: first.declined('rm x', 'nobody is there') });
      flush();
      expect(lastOutput(requests)).toEqual(outputOf('l', 'exec command rejected: nobody is there'));
    }),
  );

  it.each([
    ['stops the turn', 'x', 'the user stopped the turn at this question', 'exec command rejected by user'],
    ['dismisses the question', 'd', 'the question was dismissed', 'exec command rejected: the question was dismissed'],
  ] as const)('ends the turn, and the calls that wait, when the person %s', (_, letter, why, text) => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const op$ = hot('                -a---------b|          ', op);
      const answer$ = hot(`            -------${letter}        `, verdict);
      const one$ = cold('               ----lp---             ', spoken);
      const two$ = cold('                         -m(y|)      ', spoken);
      const expected = '               -(CS)Q-(DX)sm(z|)      ';
      const { agent, requests } = agentOf({
        answers: [one$, two$],
        answer$,
        own,
      });
      const values = {
        ...out,
        D: first.declined('rm x', why, 0),
        s: second.started,
        m: second.message('ok'),
        z: second.complete('ok'),
      };
      expectObservable(agent(op$)).toBe(expected, values);
      expectSubscriptions(one$.subscriptions).toBe('-^-----!');
      flush();
      expect(requests[1]?.input.slice(-4)).toEqual([
        outputOf('l', text),
        outputOf('p', 'aborted'),
        noteOf(),
        messageOf('user', 'do b'),
      ]);
    })();
  });

  it(
    'runs a trusted command unasked, where no program of the repository may run',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('     -a-|             ', op);
      const call$ = cold('   ----(ly|)       ', spoken);
      const rm$ = cold('         (beo|)      ', command('l', ...rm));
      const next$ = cold('       ----m(y|)   ', spoken);
      const expected = '    -(CS)(BE)M(Z|)   ';
      const { agent, ran } = agentOf({
        answers: [call$, next$],
        commands: { 'rm x': rm$ },
        own,
        shell: { readTrust: () => of({ trusted: true, commands: [rm] }) },
      });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      expect(ran.map(({ env }) => env)).toEqual([trustedEnvironment({ PATH: '/bin' }, (path) => path)]);
    }),
  );

  const ended = (exit_code: number, stderr: string): ToolEvent => ({
    kind: 'event',
    msg: { ...(first.end('l').msg as EndMsg), exit_code, stderr },
  });
  type EndMsg = Extract<EventMsg, { type: 'exec_command_end' }>;

  it(
    'runs a command in the sandbox, and once more without it where that is approved',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('     -a-|                         ', op);
      const answer$ = hot(' -------------y               ', verdict);
      const call$ = cold('   ----(ly|)                  ', spoken);
      const inside$ = cold('      b-(eo|)                ', {
        ...command('l', ...rm),
        e: ended(1, 'rm: cannot remove x: Read-only file system'),
      });
      const outside$ = cold('               b----(eo|)  ', command('l', ...rm));
      const next$ = cold('                       -m(y|)', spoken);
      const expected = '    -(CS)B-(DFQ)-(RB)-EM(Z|)      ';
      const modes: RunMode[] = [];
      const within = sandbox({ ready$: of({ kind: 'ready' }) });
      const runOn = (backend: unknown) => () => {
        modes.push(backend === within.asSet ? 'sandboxed' : 'direct');
        return backend === within.asSet ? inside$ : outside$;
      };
      const policy = { ...own, approvalPolicy: 'on-failure' } as const;
      const { agent } = agentOf({
        answers: [call$, next$],
        answer$,
        own: policy,
        shell: { runOn, openSandbox: () => within },
      });
      const failed = 'exit code: 1, stdout: , stderr: rm: cannot remove x: Read-only file system';
      expectObservable(agent(op$)).toBe(expected, {
        ...out,
        C: { ...out.C, msg: { ...out.C.msg, approval_policy: 'on-failure' } },
        D: first.event({ ...(first.end('l').msg as EndMsg), exit_code: 1, stderr: failed.split('stderr: ')[1] ?? '' }),
        F: first.event({ type: 'background_event', message: `Execution failed: sandbox denied exec error, ${failed}` }),
        Q: first.question(0, 'l', rm, { reason: 'command failed; retry without sandbox?' }),
        R: first.event({ type: 'background_event', message: 'retrying command without sandbox' }),
      });
      flush();
      expect(modes).toEqual(['sandboxed', 'direct']);
    }),
  );

  it(
    'shows the reason of the model before the reason for asking',
    marbles(({ hot, cold, expectObservable }) => {
      const op$ = hot('        -a-        ', op);
      const answer$ = () => cold('----e-- ', spoken);
      const expected = '       -(CS)Q     ';
      const asks = (own: Parameters<typeof agentOf>[0]['own'], emitted: string) =>
        expectObservable(agentOf({ answers: [answer$()], own }).agent(op$), '------!').toBe(expected, {
          ...out,
          C: { ...out.C, msg: { ...out.C.msg, approval_policy: own?.approvalPolicy ?? 'on-request' } },
          Q: first.question(0, 'l', rm, { reason: emitted }),
        });
      asks(own, 'The agent says: it is in the way');
      asks({ ...own, approvalPolicy: 'on-failure' }, `The agent says: it is in the way\n${NO_SANDBOX}`);
    }),
  );

  it.each([
    ['is not JSON', '{', /^failed to parse function arguments: /],
    ['is not an object', '7', /^failed to parse function arguments: expected an object$/],
    ['has no command', '{}', /^failed to parse function arguments: .*command/],
  ])('reports to the model what is wrong with its arguments: %s', (_, args, text) => {
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('     -a-|          ', op);
      const call$ = cold('   ----(ly|)    ', { ...spoken, l: item(call('l', args)) });
      const next$ = cold('       -m(y|)   ', spoken);
      const expected = '    -(CS)-M(Z|)   ';
      const { agent, requests, ran } = agentOf({ answers: [call$, next$], own });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      expect(ran).toEqual([]);
      expect(lastOutput(requests)).toEqual({ ...outputOf('l', ''), output: expect.stringMatching(text) });
    })();
  });

  it.each([
    [{}, '/repo', 10_000],
    [{ workdir: '../a', timeout_ms: 5 }, '/a', 5],
    [{ workdir: '/b', timeout: 0 }, '/b', 0],
    [{ timeout_ms: 2 ** 40 }, '/repo', 2 ** 31 - 1],
  ])('takes folder and time limit from %j', (args, cwd, timeoutMs) => {
    const answers = [of(item(call('l', { command: rm, ...args })))];
    const { agent, ran } = agentOf({ answers, shell: { parseCommand: () => of([{ type: 'unknown', cmd: 'rm' }]) } });
    agent(of(op.a)).subscribe().unsubscribe();
    const parsed = [{ type: 'unknown', cmd: 'rm' }];
    expect(ran).toEqual([{ callId: 'l', argv: rm, cwd, env: { PATH: '/bin' }, timeoutMs, parsed }]);
  });
});
