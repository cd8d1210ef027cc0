import { defer, NEVER, of, throwError } from 'rxjs';
import { failed } from '../../../src/agent/toolServers/callTool';
import { offerTools, type RunningServer } from '../../../src/agent/toolServers/listTools';
import type { CallEvent, ToolServerSpec } from '../../../src/agent/toolServers/toolServer';
import { marbles } from '../../support/marbles';

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
  inputSchema,
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

  it.each<[string, RunningServer[], string[]]>([
    ['of all servers, in order', [server(), server({ name: 'r' })], ['s__a', 's__b', 'r__a', 'r__b']],
    ['that are enabled', [server({ spec: { ...spec, enabledTools: ['b'] } })], ['s__b']],
    [
      'that are not disabled',
      [server({ spec: { ...spec, enabledTools: ['a', 'b'], disabledTools: ['a'] } })],
      ['s__b'],
    ],
    ['whose schema can be written', [server({ tools: [tool('a', { properties: { x: 7 } }), tool('b')] })], ['s__b']],
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
