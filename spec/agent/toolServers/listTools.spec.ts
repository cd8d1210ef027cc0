import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { defer, EMPTY, NEVER, of, queueScheduler, throwError } from 'rxjs';
import { failed } from '../../../src/agent/toolServers/callTool';
import {
  latestLists,
  listTools,
  offerTools,
  type RunningServer,
  toolName,
} from '../../../src/agent/toolServers/listTools';
import { toolSchema } from '../../../src/agent/toolServers/reduceSchema';
import type { CallEvent, ToolServerSpec } from '../../../src/agent/toolServers/toolServer';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { startsInTurns } from '../../../src/streams/pausing';
import { marbles } from '../../support/marbles';

const info = (name: string, own: object = {}) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: {} },
  isReadOnly: false,
  ...own,
});

describe('listTools', () => {
  it(
    'emits the tools of all pages once',
    marbles(({ cold, expectObservable, flush }) => {
      const asked: unknown[] = [];
      const pages: Record<string, object> = {
        '': {
          tools: [{ name: 'a', description: 'A', inputSchema: { b: 1 }, annotations: { readOnlyHint: true } }],
          nextCursor: 'c',
        },
        c: { tools: [{ name: 'b', description: 7, annotations: { readOnlyHint: 'yes' } }] },
      };
      const request = (method: string, given: unknown) => {
        const params = given as Record<string, unknown>;
        asked.push([method, params]);
        return cold('-(p|)', { p: pages[String(params.cursor ?? '')] });
      };
      expectObservable(listTools({ request }, queueScheduler)).toBe('--(t|)', {
        t: [
          info('a', { description: 'A', parameters: { type: 'object', properties: {}, b: 1 }, isReadOnly: true }),
          info('b'),
        ],
      });
      flush();
      expect(asked).toEqual([
        ['tools/list', {}],
        ['tools/list', { cursor: 'c' }],
      ]);
    }),
  );

  it('lets other work pass between the schemas of a long list, and before what follows it', () => {
    let nowMs = 0;
    const turns: (() => void)[] = [];
    const seen: string[] = [];
    const starts = startsInTurns({ now: () => nowMs, soon: (run) => void turns.push(run) });
    const schema = (name: string) => ({
      get type() {
        nowMs += 3; // it is read twice
        seen.push(name);
        return 'object';
      },
      properties: {},
    });
    const tools = ['a', 'b', 'c'].map((name) => ({ name, inputSchema: schema(name) }));
    listTools({ request: () => of({ tools }) }, starts).subscribe((found) => seen.push(`${found.length} tools`));
    for (let run = turns.shift(); run !== undefined; run = turns.shift()) {
      seen.push('|');
      run();
    }
    expect(seen.join(' ')).toMatch(/^a .*\| .*3 tools/);
    expect(seen.indexOf('|')).toBeLessThan(seen.indexOf('c'));
  });

  it.each([[null], ['tools'], [{}], [{ tools: {} }], [{ tools: [null, 7, {}, { name: '' }, { name: 1 }] }]])(
    'takes %j for no tools',
    (page) =>
      marbles(({ expectObservable }) => {
        expectObservable(listTools({ request: () => of(page) }, queueScheduler)).toBe('(t|)', { t: [] });
      })(),
  );

  it(
    'reads a hundred pages at most',
    marbles(({ expectObservable }) => {
      const request = () => of({ tools: [{ name: 'a' }], nextCursor: 'on' });
      expectObservable(listTools({ request }, queueScheduler)).toBe('(t|)', {
        t: Array.from({ length: 100 }, () => info('a')),
      });
    }),
  );

  it(
    'errors with the peer, and waits for a page',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const error = new RpcError(1, 'no');
      expectObservable(listTools({ request: () => cold('-#', {}, error) }, queueScheduler)).toBe('-#', {}, error);
      const page$ = cold('-');
      expectObservable(listTools({ request: () => page$ }, queueScheduler), '^-!').toBe('-');
      expectSubscriptions(page$.subscriptions).toBe('^-!');
      expectObservable(listTools({ request: () => EMPTY }, queueScheduler)).toBe('(t|)', { t: [] });
    }),
  );
});

describe('latestLists', () => {
  it.each([
    ['lists at once, and for each change', '-----c----c---', '--L----L----L-', ['^--!', '-----^--!', '----------^--!']],
    [
      'lists once more for all changes of one list',
      '-----cccc-----',
      '--L----L--L---',
      ['^--!', '-----^--!', '--------^--!'],
    ],
    ['lists once more for a change of the first list', '-c------------', '--L--L--------', ['^--!', '---^--!']],
    ['completes with the changes, once the list is done', '-----c|', '--L----L|', ['^--!', '-----^--!']],
  ])('%s', (_, changes, expected, subscriptions) =>
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const list$ = cold('--L|');
      expectObservable(hot(changes).pipe(latestLists(list$))).toBe(expected);
      expectSubscriptions(list$.subscriptions).toBe(subscriptions);
    })(),
  );
});

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
const tool = (name: string, inputSchema: unknown = {}) => ({
  name,
  description: `does ${name}`,
  parameters: toolSchema(inputSchema),
  isReadOnly: true,
});
const server = (own: Partial<RunningServer> = {}): RunningServer => ({
  name: 's',
  spec,
  tools: [tool('a'), tool('b')],
  call$: NEVER,
  ...own,
});
const hash = () => 'f'.repeat(40);
const namesOf = (...servers: RunningServer[]) => offerTools(hash, servers).map((offered) => offered.spec.name);

describe('offerTools', () => {
  it('offers each tool under the name of its server', () => {
    expect(offerTools(hash, [server({ tools: [tool('a')] })])).toEqual([
      {
        spec: {
          type: 'function',
          name: 's__a',
          description: 'does a',
          strict: false,
          parameters: { type: 'object', properties: {} },
        },
        server: 's',
        tool: 'a',
        isReadOnly: true,
        call: expect.any(Function),
      },
    ]);
  });

  it('makes no schema: each turn offers those that were made when the list was read', () => {
    const known = tool('a', { properties: { b: { const: 1 } } });
    for (const _ of ['first turn', 'second turn']) {
      expect(offerTools(hash, [server({ tools: [known] })])[0]?.spec.parameters).toBe(known.parameters);
    }
  });

  it.each<[string, RunningServer[], string[]]>([
    ['of all servers, in order', [server(), server({ name: 'r' })], ['s__a', 's__b', 'r__a', 'r__b']],
    ['that are enabled', [server({ spec: { ...spec, enabledTools: ['b'] } })], ['s__b']],
    [
      'that are not disabled',
      [server({ spec: { ...spec, enabledTools: ['a', 'b'], disabledTools: ['a'] } })],
      ['s__b'],
    ],
    ['whose schema is of an object', [server({ tools: [tool('a', { type: 'string' }), tool('b')] })], ['s__b']],
    ['of no server', [], []],
  ])('offers the tools %s', (_, servers, names) => {
    expect(namesOf(...servers)).toEqual(names);
  });

  it(
    'calls a tool by the server that runs then',
    marbles(({ expectObservable }) => {
      const done: CallEvent = failed('called');
      const calls: unknown[] = [];
      const call = (...args: unknown[]) =>
        defer(() => {
          calls.push(args);
          return of(done);
        });
      const [offered] = offerTools(hash, [server({ call$: of({ tools: [], call }) })]);
      expectObservable(offered?.call({ x: 1 }) ?? NEVER).toBe('(d|)', { d: done });
      const [lost] = offerTools(hash, [server({ call$: throwError(() => new Error('no more')) })]);
      expectObservable(lost?.call({}) ?? NEVER).toBe('(d|)', {
        d: failed('the MCP server s could not be started: no more'),
      });
    }),
  );
});

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');
const named = (...tools: [string, string][]): (string | undefined)[] => {
  const nameOf = toolName(sha1);
  return tools.map(([server, tool]) => nameOf(server, tool));
};

describe('toolName', () => {
  it.each<[string, [string, string][], (string | undefined)[]]>([
    ['joins server and tool', [['git', 'log']], ['git__log']],
    ['replaces what a provider does not take', [['git', 'with.dots and spaces']], ['git__with_dots_and_spaces']],
    [
      'ends a long name with its hash',
      [['server', 'x'.repeat(80)]],
      [`server__${'x'.repeat(16)}${sha1(`server__${'x'.repeat(80)}`)}`],
    ],
    [
      'keeps two apart that would be the same',
      [
        ['s', 'a.b'],
        ['s', 'a b'],
      ],
      ['s__a_b', `s__a_b${sha1('s__a b')}`],
    ],
    [
      'has none for a third one, with which a provider would refuse them all',
      [
        ['s', 'a'],
        ['s', 'a'],
        ['s', 'a'],
      ],
      ['s__a', `s__a${sha1('s__a')}`, undefined],
    ],
  ])('%s', (_, tools, names) => {
    expect(named(...tools)).toEqual(names);
  });

  it('gives each tool a name of its own that every provider takes', () => {
    const pair = fc.tuple(fc.stringMatching(/^[a-zA-Z0-9_-]{1,80}$/), fc.string({ minLength: 1, maxLength: 90 }));
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: ([server, tool]) => `${server}__${tool}` }), (tools) => {
        const names = named(...tools);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
  });
});
