/** Threads whose machine is another one, and what becomes of them when it changes or is gone. */
import { defer, of } from 'rxjs';
import { nativeAgent } from '../../../src/agent/nativeAgent';
import { inSameFolders, isSameMachine, type Workspace } from '../../../src/agent/thread/workspace';
import { CannotBegin } from '../../../src/agent/turns/rejection';
import type { Ask } from '../../../src/protocol/codex/engine';
import type { Op } from '../../../src/protocol/codex/operations';
import type { ThreadSettings } from '../../../src/protocol/codex/settings';
import type { Config } from '../../../src/settings/config';
import { marbles } from '../../support/marbles';
import { completed, item, messageOf } from '../../support/models';
import { agentOf, around, command, config, first, opened, second, shell, turn, voice } from '../support';

const at = (environment?: Workspace['environment']): Workspace => ({ environment }) as Workspace;

describe('isSameMachine', () => {
  it.each<[Workspace['environment'], Workspace['environment'], boolean]>([
    [undefined, undefined, true],
    [{ id: 'a' }, { id: 'a' }, true],
    [{ id: 'a', executor: 'x' }, { id: 'a', executor: 'x' }, true],
    [{ id: 'a' }, undefined, false],
    [{ id: 'a' }, { id: 'b' }, false],
    [{ id: 'a', executor: 'x' }, { id: 'a', executor: 'y' }, false],
  ])('compares %j and %j', (a, b, same) => {
    expect(isSameMachine(at(a), at(b))).toBe(same);
  });
});

describe('inSameFolders', () => {
  const opened = (folders: Workspace['folders'], environment?: Workspace['environment']) =>
    ({ folders, environment }) as Workspace;
  const before = { '/link': { path: '/w', owner: 7 }, '/old': { path: '/old' } };

  it('keeps the folders of before, and those that are named for the first time', () => {
    const now = { '/link': { path: '/w', owner: 7 }, '/new': { path: '/v', owner: 0 } };
    expect(inSameFolders({ folders: before }, opened(now)).folders).toEqual({ ...before, ...now });
    expect(inSameFolders(undefined, opened(now)).folders).toEqual(now);
  });

  it.each<[string, Workspace['folders'], string]>([
    ['where a link has replaced it', { '/old': { path: '/etc' } }, 'a link leads to /etc now. Put the folder back.'],
    [
      'where its link leads elsewhere',
      { '/link': { path: '/v' } },
      'it led to /w, and leads to /v now. Put the folder',
    ],
    ['of another user', { '/link': { path: '/w', owner: 8 } }, 'it belongs to another user now. Find out who made it'],
  ])('throws for a folder %s', (_, now, words) => {
    expect(() => inSameFolders({ folders: before }, opened(now))).toThrow(words);
    expect(() => inSameFolders({ folders: before, environment: { id: 'local' } }, opened(now))).toThrow(CannotBegin);
    expect(() => inSameFolders({ folders: before }, opened(now, { id: 'box' }))).not.toThrow(); // another machine
  });

  it.each<[string, Workspace['folders']]>([
    ['is now of this user, or of root', { '/link': { path: '/w', owner: 0 } }],
    ['is of a user that nobody knows', { '/link': { path: '/w' } }],
    ['was of a user that nobody knows', { '/old': { path: '/old', owner: 8 } }],
  ])('takes a folder that %s', (_, now) => {
    expect(inSameFolders({ folders: before }, opened(now)).folders).toEqual({ ...before, ...now });
  });
});

const spoken = { m: item(messageOf('assistant', 'ok')), l: item(shell('l', 'ls')), y: completed() };
const op = {
  a: turn('a', { start: {} }),
  b: turn('b', { id: 'n1' }),
  c: turn('b', { id: 'n1' }, { lasting: { config: { environment_id: 'other' } } }),
};
const out = {
  ...opened,
  M: first.message('ok'),
  Z: first.complete('ok'),
  T: second.started,
  N: second.message('ok'),
  z: second.complete('ok'),
};
const gone = 'The environment `box` cannot be used: its executor x is gone';

/** An agent whose threads work where `open` puts them, which gets the name that is asked for and the place before. */
const elsewhere = (
  answers: unknown[],
  open: (last: Workspace['environment'], id: string) => Workspace['environment'],
) => {
  const asked: unknown[] = [];
  const { workspaceOf } = around({});
  const deps = {
    configure: ({ config: own }: ThreadSettings) => config({ environmentId: String(own?.environment_id ?? 'box') }),
    openWorkspace: (config: Config, last: Workspace['environment']) =>
      defer(() => {
        asked.push(last);
        const environment = open(last, config.environmentId);
        return of({ ...workspaceOf(config), environment, facts: { shell: 'zsh' } });
      }),
  };
  return { asked, ...agentOf({ answers: answers as never, deps }) };
};

describe('a thread on another machine', () => {
  it(
    'is looked at again before each turn, on the member where it was, and the model reads what that machine is',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('   -a------------b-|    ', op);
      const answers = [1, 2].map(() => cold('----m(y|)', spoken));
      const expected = '  -(CS)MZ-------T---N(z|)';
      const { agent, asked, requests } = elsewhere(answers, () => ({ id: 'box', executor: 'x' }));
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      expect(asked).toEqual([undefined, { id: 'box', executor: 'x' }]);
      expect(JSON.stringify(requests[0]?.input)).toContain('<shell>zsh</shell>');
    }),
  );

  it(
    'is refused where its machine is gone, and goes on where it is sent',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('   -a------------b-----c-|    ', op);
      const answers = [1, 2].map(() => cold('----m(y|)', spoken));
      const expected = '  -(CS)MZ-------R-----T---N(z|)';
      const { agent, asked } = elsewhere(answers, (last, id) => {
        if (id === 'box' && last !== undefined) throw new CannotBegin(gone);
        return { id };
      });
      const R = { kind: 'rejected', callId: 'b', message: gone };
      const moved = voice('b', 'n1', 'n3');
      const after = { T: moved.started, N: moved.message('ok'), z: moved.complete('ok') };
      expectObservable(agent(op$)).toBe(expected, { ...out, R, ...after });
      flush();
      expect(asked).toEqual([undefined, { id: 'box' }, { id: 'box' }]);
    }),
  );

  it('forgets what was approved for the session on the machine before', () => {
    const open = (_: unknown, id: string) => ({ id });
    const asksFor = (second: Op) => {
      const own = { sandboxMode: 'read-only' as const, approvalPolicy: 'untrusted' as const };
      const answers = [1, 2].flatMap(() => [of(spoken.l, spoken.y), of(spoken.m, spoken.y)]);
      const { workspaceOf } = around({ own });
      const questions: string[] = [];
      const ask: Ask = (about, _, then) => {
        questions.push(about.callId);
        return then({ decision: 'approved_for_session' });
      };
      const { native } = around({
        answers: answers as never,
        commands: { ls: of(...Object.values(command('l', 'ls'))) },
        deps: {
          configure: ({ config: given }) => config({ ...own, environmentId: String(given?.environment_id ?? 'box') }),
          openWorkspace: (config) => of({ ...workspaceOf(config), environment: open(0, config.environmentId) }),
        },
      });
      nativeAgent(native)(ask)(of<Op[]>(op.a, second)).subscribe();
      return questions;
    };
    expect(asksFor(op.b)).toEqual(['a']);
    expect(asksFor(op.c)).toEqual(['a', 'b']);
  });
});
