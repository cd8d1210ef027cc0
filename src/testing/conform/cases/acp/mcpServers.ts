/** Cases of MCP servers that the client gives to a session: the agent connects to them before its first turn is over. They need a model. */
import { request } from '../../../messages';
import type { ConformCase, Given } from '../../conformCase';
import { response, result, short } from '../../expecting';
import type { Need } from '../../needs';
import { GIVEN, type SeenMessage } from '../../probeServers';
import { open, opened, SESSION } from '../../speaking';
import { ask } from './prompts';
import { AGENT } from './row';

type Transport = 'stdio' | 'http' | 'sse';

const OTHER = '<string $other>';

const prompted = ({ prompt }: Given) =>
  request('session/prompt', { sessionId: OTHER, prompt: [{ type: 'text', text: prompt }] });

const serversOf = ({ servers }: Given, transports: readonly Transport[]): (object | undefined)[] =>
  transports.map((one) => servers?.[one]);

/** A session with servers, and a turn in it. */
const opening = (...transports: readonly Transport[]) => ({
  client: 't-a-',
  server: '-T-A',
  values: (given: Given) => ({
    t: open(given, { mcpServers: serversOf(given, transports) }),
    T: opened('t', '$other'),
    a: prompted(given),
    A: response('a'),
  }),
});

/** What is wrong with the first message of each server. */
const firstMessages =
  (transports: readonly Transport[], faultOf: (first: SeenMessage) => string | undefined = () => undefined) =>
  (_: unknown, { servers }: Given): string | undefined =>
    transports
      .map((transport) => {
        const first = servers?.seen(transport).find(({ method }) => method === 'initialize');
        return first === undefined ? `it does not connect to the server over ${transport}` : faultOf(first);
      })
      .find((fault) => fault !== undefined);

type Row = Pick<ConformCase, 'level' | 'section' | 'sentence'> & {
  id: string;
  needs?: readonly Need[];
  transports: readonly Transport[];
  faultOf?: (first: SeenMessage) => string | undefined;
};

const toCase = ({ id, needs = [], transports, faultOf, ...row }: Row): ConformCase => ({
  ...AGENT,
  ...row,
  id: `acp-mcp-${id}`,
  needs: ['servers', 'prompt', ...needs],
  ...opening(...transports),
  judge: firstMessages(transports, faultOf),
});

const isGiven = (what: string, given: unknown, expected: unknown): string | undefined =>
  JSON.stringify(given) === JSON.stringify(expected)
    ? undefined
    : `its ${what} is ${short(given)} rather than ${short(expected)}`;

const rows: readonly Row[] = [
  {
    id: 'stdio',
    level: 'MUST',
    section: 'session-setup#stdio-transport',
    sentence: 'All Agents MUST support connecting to MCP servers via stdio (standard input/output).',
    transports: ['stdio'],
  },
  {
    id: 'stdio-arguments',
    level: 'MUST',
    section: 'session-setup#stdio-transport',
    sentence: 'Command-line arguments to pass to the server',
    transports: ['stdio'],
    faultOf: ({ args }) => isGiven('list of arguments', args, GIVEN.args),
  },
  {
    id: 'stdio-variables',
    level: 'MUST',
    section: 'session-setup#stdio-transport',
    sentence: 'Environment variables to set when launching the server',
    transports: ['stdio'],
    faultOf: ({ variable }) => isGiven('variable', variable, GIVEN.variable),
  },
  ...(['http', 'sse'] as const).map(
    (transport): Row => ({
      id: transport,
      level: 'MUST',
      section: `session-setup#${transport}-transport`,
      sentence:
        transport === 'http'
          ? 'HTTP headers to include in requests to the server'
          : 'HTTP headers to include when establishing the SSE connection',
      needs: [transport === 'http' ? 'mcpHttp' : 'mcpSse'],
      transports: [transport],
      faultOf: ({ header }) => isGiven('header', header, GIVEN.header),
    }),
  ),
  {
    id: 'all',
    level: 'SHOULD',
    section: 'session-setup#checking-transport-support',
    sentence: 'Agents SHOULD connect to all MCP servers specified by the Client.',
    needs: ['mcpHttp'],
    transports: ['stdio', 'http'],
  },
];

/** A session that is opened a second time, with a server that it did not have before. */
const again = (method: string, need: Need, sentence: string): ConformCase => ({
  id: `acp-mcp-${need === 'resume' ? 'resume' : 'load'}`,
  level: 'SHOULD',
  ...AGENT,
  section: `session-setup#${need === 'resume' ? 'resuming' : 'loading'}-a-session`,
  sentence,
  needs: ['servers', 'prompt', need],
  client: 'a-b-c-',
  server: '-A-B-C',
  values: (given) => ({
    a: ask(given),
    A: response('a'),
    b: request(method, { sessionId: SESSION, cwd: given.folder, mcpServers: serversOf(given, ['stdio']) }),
    B: result('b'),
    c: ask(given),
    C: response('c'),
  }),
  judge: firstMessages(['stdio']),
});

/** The cases of this file. */
export const ACP_MCP_SERVERS: readonly ConformCase[] = [
  ...rows.map(toCase),
  again('session/load', 'loadSession', 'MCP servers to connect to'),
  again('session/resume', 'resume', 'it restores the session context, reconnects to the requested MCP servers'),
];
