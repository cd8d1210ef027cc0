import { defer, merge, mergeMap, NEVER, Observable, of, Subject, takeUntil, throwError, timer } from 'rxjs';
import { failed } from '../../../src/agent/toolServers/callTool';
import { NotStarted, type ToolServer, type ToolServerSpec } from '../../../src/agent/toolServers/toolServer';
import { toolServers } from '../../../src/agent/toolServers/toolServers';
import { marbles } from '../../support/marbles';
import { slowStarts } from '../slowStarts';

const spec: ToolServerSpec = {
  argv: ['x'],
  cwd: '/',
  env: {},
  httpHeaders: {},
  envHttpHeaders: {},
  environmentId: 'local',
  startTimeoutMs: 1,
  toolTimeoutMs: 1,
  disabledTools: [],
};
const server = (...names: string[]): ToolServer => ({
  tools: names.map((name) => ({
    name,
    description: '',
    parameters: { type: 'object', properties: {} },
    isReadOnly: false,
  })),
  call: (tool) => of(failed(`called ${tool}`)),
});
/** Threads that ask about no tool. */
const settingsOf = (setOf: ReturnType<typeof toolServers>) => (servers: Record<string, ToolServerSpec>) =>
  setOf({ servers, approvalPolicy: 'never' });
const hash = () => 'f'.repeat(40);
const setsOf = (open: (name: string) => Observable<ToolServer>, over$: Observable<unknown> = NEVER) =>
  settingsOf(toolServers({ open, hash, now: () => 0, over$ }));
const living = (...names: string[]) => merge(of(server(...names)), NEVER);
const offers = (names: string[], failures: unknown[] = []) => ({
  rows: names.map((name) => expect.objectContaining({ names: [name] })),
  failures,
  inUse$: expect.any(Observable),
});
const noServers = { rows: [], failures: [] };

describe('toolServers', () => {
  it('starts many servers in turns of the event loop', () => {
    const started: string[] = [];
    const open = (name: string) => {
      started.push(name);
      return living('t');
    };
    const { starts, turns } = slowStarts();
    const over$ = new Subject<void>();
    const sets = settingsOf(toolServers({ open, hash, now: () => 0, starts, over$ }));
    const running = sets({ a: spec, b: spec, c: spec }).subscribe();
    expect(started).toEqual(['a', 'b']);
    turns.shift()?.();
    expect(started).toEqual(['a', 'b', 'c']);
    over$.next();
    running.unsubscribe();
  });

  it(
    'offers the tools of all, once each has answered or failed',
    marbles(({ cold, expectObservable }) => {
      const life: Record<string, Observable<ToolServer>> = {
        a: cold('--s---', { s: server('one', 'two') }),
        b: cold('----#', {}, new NotStarted('no database')),
      };
      const sets = setsOf((name) => life[name] as Observable<ToolServer>);
      const set = offers(['a__one', 'a__two'], ['MCP client for `b` failed to start: no database']);
      expectObservable(sets({ a: spec, b: spec })).toBe('----(t|)', { t: set });
    }),
  );

  it(
    'offers nothing where nothing is configured, and nothing of a server whose name no tool can have',
    marbles(({ expectObservable }) => {
      const sets = setsOf(() => living('t'));
      expectObservable(sets({})).toBe('(t|)', { t: noServers });
      const failure = expect.stringContaining("invalid server name 'a b'");
      expectObservable(sets({ 'a b': spec })).toBe('(t|)', { t: offers([], [failure]) });
    }),
  );

  it(
    'offers the tools that are wanted only',
    marbles(({ expectObservable }) => {
      const sets = setsOf(() => living('one', 'two', 'three'));
      const wanted = { ...spec, enabledTools: ['one', 'two'], disabledTools: ['two'] };
      expectObservable(sets({ a: wanted })).toBe('(t|)', { t: offers(['a__one']) });
    }),
  );

  it(
    'starts one process for all who configure it alike, and ends it when nobody will call any more',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const life$ = cold('-s--------', { s: server('t') });
      const other$ = cold('s-', { s: server('t') });
      const open = (_: string, { cwd }: ToolServerSpec) => (cwd === '/' ? life$ : other$);
      const sets = settingsOf(toolServers({ open, hash, now: () => 0, over$: hot('--------x') }));
      expectObservable(sets({ a: spec })).toBe('-(t|)', { t: offers(['a__t']) });
      expectObservable(sets({ a: spec })).toBe('-(t|)', { t: offers(['a__t']) });
      expectObservable(sets({ a: { ...spec, cwd: '/else' } })).toBe('(t|)', { t: offers(['a__t']) });
      expectSubscriptions(life$.subscriptions).toBe('^-------!');
    }),
  );

  it(
    'offers the tools of one turn once, also where a server is started again',
    marbles(({ cold, expectObservable }) => {
      const life$ = cold('s--r--', { s: server('t'), r: server('u') });
      const sets = setsOf(() => life$);
      expectObservable(sets({ a: spec })).toBe('(t|)', { t: offers(['a__t']) });
    }),
  );

  it(
    'leaves a server alone for a while that could not be started; starts a server again that died',
    marbles(({ cold, hot, flush }) => {
      let starts = 0;
      const broken = setsOf(() =>
        defer(() => {
          starts += 1;
          return throwError(() => new NotStarted('no'));
        }),
      );
      let lives = 0;
      const mortal = setsOf(() => {
        lives += 1;
        return cold('s--#', { s: server('t') }, new Error('died'));
      });
      for (const at of ['a', '1s a', '29s a', '31s a']) {
        const when$ = hot(at);
        when$.subscribe(() => broken({ a: spec }).subscribe());
        when$.subscribe(() => mortal({ a: spec }).subscribe());
      }
      flush();
      expect([starts, lives]).toEqual([2, 4]);
    }),
  );

  it(
    'ends a server half an hour after the last turn that had it, and starts it again for the next',
    marbles(({ cold, expectSubscriptions, flush }) => {
      const life$ = cold<ToolServer>('s', { s: server('t') });
      const sets = setsOf(() => life$);
      const turn = (at: string, ms: number) =>
        cold(`${at} (x|)`).subscribe(() =>
          sets({ a: spec }).subscribe(({ inUse$ }) => inUse$?.pipe(takeUntil(timer(ms))).subscribe()),
        );
      turn('0ms', 3_600_000);
      turn('80m', 1);
      turn('120m', 1);
      flush();
      expectSubscriptions(life$.subscriptions).toBe(['^ 6600000ms !', '7200000ms ^ 1800000ms !']);
    }),
  );

  it(
    'starts a server again for a call, and reports to the model when that fails',
    marbles(({ expectObservable }) => {
      const lives: Observable<ToolServer>[] = [
        merge(
          of(server('t')),
          throwError(() => new Error('died')),
        ),
        throwError(() => new NotStarted('no more')),
      ];
      const sets = setsOf(() => lives.shift() ?? NEVER);
      sets({ a: spec }).subscribe(({ rows: [row] }) => {
        const call = { callId: 'c', args: '{}', isApproved: () => false };
        const run$ = row
          ?.assess(call)
          .pipe(mergeMap((assessed) => ('run' in assessed ? assessed.run('direct') : NEVER)));
        expectObservable(run$ ?? NEVER).toBe('(BEO|)', {
          B: expect.anything(),
          E: expect.anything(),
          O: { kind: 'output', text: failed('the MCP server a could not be started: no more').text },
        });
      });
    }),
  );
});
