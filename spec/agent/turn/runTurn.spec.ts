import { NEVER, of, throwError } from 'rxjs';
import type { BuiltInDeps } from '../../../src/agent/tools/builtInTools';
import type { AssessedCall, ToolEvent, ToolRow } from '../../../src/agent/tools/tool';
import type { TurnChanges } from '../../../src/executor/patch/turnChanges';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { ModelError } from '../../../src/protocol/model/model';
import type { ModelRequest } from '../../../src/protocol/model/request';
import { patchOf, planned } from '../../executor/patch/support';
import { marbles } from '../../support/marbles';
import { completed, item, messageOf, provider, text } from '../../support/models';
import { agentOf, call, command, environment, first, noteOf, opened, outputOf, second, shell, turn } from '../support';

const broke = (retryable: boolean) => new ModelError('broke', retryable);
const spoken = { t: text('o'), m: item(messageOf('assistant', 'ok')), y: completed(), l: item(shell('l', 'ls')) };
const op = { a: turn('a', { start: {} }), b: turn('b', { id: 'n1' }) };
const out = {
  ...opened,
  T: first.delta('o'),
  M: first.message('ok'),
  Z: first.complete('ok'),
  N: first.complete(null),
  X: first.aborted,
  F: first.error('broke'),
  R: first.streamError('stream error: broke; retrying 1/2 in 200ms…'),
  r: first.streamError('stream error: broke; retrying 2/2 in 400ms…'),
  B: first.begin('l', ['ls']),
  E: first.end('l'),
  s: second.started,
  m: second.message('ok'),
  z: second.complete('ok'),
};
const user = (callId: string) => messageOf('user', `do ${callId}`);
const inputs = (requests: ModelRequest[]) => requests.map(({ input }) => input);
const patient = { provider: provider({ streamMaxRetries: 2 }) };
const lsDone = Object.values(command('l', 'ls'));
const USAGE = {
  input_tokens: 1,
  cached_input_tokens: null,
  output_tokens: 2,
  reasoning_output_tokens: null,
  total_tokens: 3,
};
const listed = [shell('l', 'ls'), outputOf('l', 'l ran')];

describe('runTurn', () => {
  it('sends the diff of the turn once per change, and not where nothing has changed', () => {
    const added = planned(patchOf('*** Add File: a', '+x'));
    const undone = planned(patchOf('*** Delete File: a'), { a: 'x\n' });
    const plans = [added, added, undone];
    const assess = () => {
      const plan = plans.shift() ?? added;
      return of<AssessedCall>({
        verdict: 'run',
        run: () => of<ToolEvent[]>({ kind: 'patched', plan }, { kind: 'output', text: 'done' }),
      });
    };
    const row: ToolRow = { spec: { name: 'patch' } as never, names: ['patch'], assess };
    const answers = [
      ...['l1', 'l2', 'l3'].map((id) => of(item(call(id, {}, 'patch')), completed())),
      of(item(messageOf('assistant', 'ok')), completed()),
    ];
    const turnDiff = (changes: TurnChanges) =>
      [...changes].map(([path, { now }]) => (now ? `new ${path}` : '')).join('');
    const { agent } = agentOf({ answers, workspace: { builtIn: [row], turnDiff } });
    const diffs: string[] = [];
    agent(of(op.a)).subscribe((event) => {
      if (event.kind === 'event' && event.msg.type === 'turn_diff') diffs.push(event.msg.unified_diff);
    });
    expect(diffs).toEqual(['new /ws/a', '']);
  });

  it.each([
    [
      'asks no more than its bounds allow',
      { maxRoundsPerTurn: 2 },
      2,
      /^The turn was stopped: the model has answered 2 times; max_rounds_per_turn is 2\./,
    ],
    [
      'asks no more once the tokens of the turn are used',
      { maxTokensPerTurn: 5 },
      2,
      /^The turn was stopped: the turn has used 6 tokens; /,
    ],
    [
      'asks no more once the tokens of the thread are used',
      { maxTokensPerThread: 3 },
      1,
      /^The turn was stopped: the thread has used 3 tokens; /,
    ],
    [
      'ends when the model repeats a call that is refused',
      {},
      5,
      /^The turn was stopped: the model made the same call 5 times in a row/,
    ],
  ])('%s', (_, own, asked, message) => {
    const answers = Array.from({ length: 8 }, (_, at) =>
      of(item(call(`l${at}`, { a: 1 }, 'no_tool')), completed('r', USAGE)),
    );
    const { agent, requests } = agentOf({ answers, own });
    const errors: string[] = [];
    agent(of(op.a)).subscribe((event) => {
      if (event.kind === 'event' && event.msg.type === 'error') errors.push(event.msg.message);
    });
    expect(requests).toHaveLength(asked);
    expect(errors).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['a call that is done', ['ls', 'ls', 'ls', 'ls', 'ls', 'ls']],
    ['refused calls that differ', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a refused call, with a call that is done between', ['a', 'a', 'a', 'ls', 'a', 'a']],
  ])('goes on when the model repeats %s', (_, names) => {
    const made = (name: string, at: number) => (name === 'ls' ? shell(`l${at}`, 'ls') : call(`l${at}`, {}, name));
    const answers = [
      ...names.map((name, at) => of(item(made(name, at)), completed())),
      of(item(messageOf('assistant', 'ok')), completed()),
    ];
    const { agent, requests } = agentOf({ answers, commands: { ls: of(...lsDone) } });
    const ends: unknown[] = [];
    agent(of(op.a)).subscribe((event) => {
      if (event.kind === 'event' && event.msg.type === 'task_complete') ends.push(event.msg.last_agent_message);
    });
    expect(requests).toHaveLength(7);
    expect(ends).toEqual(['ok']);
  });

  it(
    'asks again after a break, with what was done so far; a call that ran comes to its end and runs once',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const op$ = hot('     -a-|                     ', op);
      const one$ = cold('    ----tl#                 ', spoken, broke(true));
      const ls$ = cold('          b--(eo|)           ', command('l', 'ls'));
      const two$ = cold('                       m(y|)', spoken);
      const expected = '    -(CS)TB--(ER) 196ms M(Z|)';
      const running = '     ------^--!               ';
      const asked = '       209ms               ^!   ';
      const { agent, requests, ran } = agentOf({ answers: [one$, two$], commands: { ls: ls$ }, own: patient });
      expectObservable(agent(op$)).toBe(expected, out);
      expectSubscriptions(ls$.subscriptions).toBe(running);
      expectSubscriptions(two$.subscriptions).toBe(asked);
      flush();
      expect(ran).toHaveLength(1);
      expect(inputs(requests)[1]).toEqual([environment, user('a'), ...listed]);
    }),
  );

  it(
    'gives up when the answer broke once too often; one that held puts the count back',
    marbles(({ hot, cold, expectObservable }) => {
      const op$ = hot('    -a-|                                      ', op);
      const broken$ = cold('----#                                    ', spoken, broke(true));
      const expected = '   -(CS)R 203ms r 403ms (FN|)                ';
      const { agent } = agentOf({ answers: [broken$, broken$, broken$], own: patient });
      expectObservable(agent(op$)).toBe(expected, out);

      const call$ = cold('  ----(ly|)                                ', spoken);
      const ls$ = cold('        (beo|)                               ', command('l', 'ls'));
      const answer$ = cold('                              m(y|)      ', spoken);
      const held = '       -(CS)R 203ms (BE) 199ms R 199ms M(Z|)     ';
      const again = agentOf({
        answers: [broken$, call$, cold('199ms ----#', {}, broke(true)), answer$],
        own: patient,
        commands: { ls: ls$ },
      });
      expectObservable(again.agent(op$)).toBe(held, out);
    }),
  );

  it(
    'does not retry where that is no use; the next turn has what was received',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('   -a---------b|         ', op);
      const one$ = cold('  ----m#               ', spoken, broke(false));
      const two$ = cold('            ----m(y|) ', spoken);
      const expected = '  -(CS)M(FN)-s---m(z|)  ';
      const { agent, requests } = agentOf({ answers: [one$, two$], own: patient });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      expect(inputs(requests)[1]).toEqual([
        environment,
        user('a'),
        messageOf('assistant', 'ok'),
        noteOf('broke'),
        user('b'),
      ]);
    }),
  );

  it(
    'is stopped at its deadline, with the model and the command',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const op$ = hot('     -a-|                 ', op);
      const answer$ = cold(' ----l---            ', spoken);
      const ls$ = cold('         b-----          ', command('l', 'ls'));
      const expected = '    -(CS)B 995ms (DX|)   ';
      const asked = '       -^ 999ms !           ';
      const running = '     -----^ 995ms !       ';
      const { agent } = agentOf({ answers: [answer$], commands: { ls: ls$ }, deps: { turnTimeoutMs: 1_000 } });
      const D = first.error('The turn took longer than 1 s and was stopped.');
      expectObservable(agent(op$)).toBe(expected, { ...out, D });
      expectSubscriptions(answer$.subscriptions).toBe(asked);
      expectSubscriptions(ls$.subscriptions).toBe(running);
    }),
  );

  it(
    'counts its deadline from its own start, not from when it was wanted',
    marbles(({ hot, cold, expectObservable }) => {
      const op$ = hot('     -a----b|                             ', op);
      const a$ = cold('      600ms ---- m(y|)                    ', spoken);
      const b$ = cold('                     600ms m(y|)          ', spoken);
      const expected = '    -(CS) 600ms M(Zs) 596ms m(z|)        ';
      const { agent } = agentOf({ answers: [a$, b$], deps: { turnTimeoutMs: 1_000 } });
      expectObservable(agent(op$)).toBe(expected, out);
    }),
  );

  it(
    'takes a deadline beyond the reach of a timer for the longest there is',
    marbles(({ hot, cold, expectObservable }) => {
      const op$ = hot('     -a-|            ', op);
      const answer$ = cold(' ----m(y|)      ', spoken);
      const expected = '    -(CS)M(Z|)      ';
      const { agent } = agentOf({ answers: [answer$], deps: { turnTimeoutMs: 2 ** 40 } });
      expectObservable(agent(op$)).toBe(expected, out);
    }),
  );

  it('leaves no timer behind', () => {
    jest.useFakeTimers();
    const { agent } = agentOf({ answers: [of(spoken.m, spoken.y)] });
    const events: unknown[] = [];
    agent(of(op.a)).subscribe((event) => events.push(event));
    expect(events).toEqual([out.C, out.S, out.M, out.Z]);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it(
    'ends with the JSON-RPC error of a model that has one',
    marbles(({ hot, cold, expectObservable }) => {
      const error = new RpcError(-32050, 'out of order');
      const { agent } = agentOf({ answers: [cold('----#', {}, error)] });
      expectObservable(agent(hot('-a-|', op))).toBe('-(CS)(IN|)', {
        ...out,
        I: { ...first.error('out of order'), rpcError: { code: -32050, message: 'out of order' } },
      });
    }),
  );

  const bug = new Error('boom');
  const throws = () => {
    throw bug;
  };
  it.each<[string, Partial<BuiltInDeps>]>([
    ['a tool throws', { runOn: throws }],
    ['a tool fails', { runOn: () => () => throwError(() => bug) }],
    ['the check of a command throws', { readTrust: throws }],
  ])('ends with an error when %s; it is logged, and the next turn is not harmed', (_, broken) => {
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('     -a-------b|          ', op);
      const one$ = cold('    ----l---            ', spoken);
      const two$ = cold('            -----m(y|)  ', spoken);
      const expected = '    -(CS)(IN)s----m(z|)  ';
      const { agent, requests, logged } = agentOf({ answers: [one$, two$], shell: broken });
      expectObservable(agent(op$)).toBe(expected, { ...out, I: first.error('internal error: boom') });
      flush();
      const { stack } = bug;
      expect(logged).toEqual([['error', 'a turn failed because of a bug', { callId: 'a', stack }]]);
      const stopped = [shell('l', 'ls'), outputOf('l', 'aborted')];
      expect(inputs(requests)[1]).toEqual([
        environment,
        user('a'),
        ...stopped,
        noteOf('internal error: boom'),
        user('b'),
      ]);
    })();
  });

  it.each([
    ['the model fails by no ModelError', () => throwError(() => bug)],
    ['the model throws', throws],
  ])('ends with an error when %s', (_, answer) => {
    marbles(({ hot, expectObservable }) => {
      const op$ = hot('  -(a|)    ', op);
      const expected = ' -(CSIN|) ';
      const { agent } = agentOf({ deps: { modelOf: () => answer } });
      expectObservable(agent(op$)).toBe(expected, { ...out, I: first.error('internal error: boom') });
    })();
  });

  it(
    'sends the model the instructions of AGENTS.md files first; a fault in reading them ends one turn only',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('   -a-------b|         ', op);
      const answer$ = cold('       -----m(y|) ', spoken);
      const expected = '  -(CSIN)--s----m(z|) ';
      const asked: unknown[] = [];
      const userInstructions = () => {
        asked.push('asked');
        return asked.length === 1 ? throwError(() => bug) : of('be brief');
      };
      const { agent, requests } = agentOf({ answers: [answer$], workspace: { userInstructions } });
      expectObservable(agent(op$)).toBe(expected, { ...out, I: first.error('internal error: boom') });
      flush();
      expect(asked).toEqual(['asked', 'asked']);
      const instructions = messageOf('user', '<user_instructions>\n\nbe brief\n\n</user_instructions>');
      expect(inputs(requests)).toEqual([[instructions, environment, user('b')]]);
    }),
  );

  it(
    'ends though the model never sends an event, completes without one, or completes before it is done',
    marbles(({ hot, cold, expectObservable }) => {
      const op$ = hot('  -a|            ', op);
      const answered = (answer: string) =>
        agentOf({ answers: [cold(answer, spoken)], deps: { turnTimeoutMs: 9 } }).agent(op$);
      const D = first.error('The turn took longer than 0.009 s and was stopped.');
      expectObservable(answered('-----')).toBe('  -(CS)-----(DX|)', { ...out, D });
      expectObservable(answered('----|')).toBe('  -(CS)(N|)', out);
      expectObservable(answered('----m|')).toBe(' -(CS)M(Z|)', out);
    }),
  );

  it(
    'offers the tools of servers after those that are built in, and names the servers that failed',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('   -(a|)      ', op);
      const answer$ = cold('-----m(y|)', spoken);
      const expected = '  -(CSW)M(Z|)';
      const spec = { type: 'function', name: 's__t', description: '', strict: false, parameters: {} } as const;
      const row: ToolRow = { spec, names: ['s__t'], assess: () => NEVER };
      const openTools = () => () => of({ rows: [row], failures: ['no server'], inUse$: NEVER });
      const { agent, requests } = agentOf({ answers: [answer$], deps: { openTools } });
      const W = first.event({ type: 'warning', message: 'no server' });
      expectObservable(agent(op$)).toBe(expected, { ...out, W });
      flush();
      expect(requests[0]?.tools.map((tool) => 'name' in tool && tool.name)).toEqual(['shell', 'apply_patch', 's__t']);
    }),
  );
});
