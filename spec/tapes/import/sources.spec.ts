import { fromExec, isExecLine, readExecLine } from '../../../src/tapes/import/fromExec';
import { importSession } from '../../../src/tapes/import/importSession';
import { readDocument } from '../../../src/tapes/import/readDocument';
import { isMessage } from '../../../src/tapes/import/toCaptured';
import { importedBy } from '../../support/tapes';

const ask = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 'x' } };
const reply = { jsonrpc: '2.0', id: 1, result: { capabilities: {} } };
const [asked, replied] = [ask, reply].map((message) => JSON.stringify(message));

/** A question of the agent has the id of the prompt that it belongs to. */
const AGENT_LINES = [
  { id: 1, method: 'initialize', params: {} },
  { id: 1, result: {} },
  { id: 2, method: 'session/prompt', params: {} },
  { method: 'session/update', params: {} },
  { id: 2, method: 'session/request_permission', params: {} },
  { id: 2, result: { outcome: {} } },
  { id: 2, result: { stopReason: 'end_turn' } },
].map((message) => JSON.stringify(message));

/** Each entry as its time, its direction and its message, and the kind of the file. */
const drawn = (lines: readonly string[]) => {
  const result = importSession(lines, 'auto', 'spec');
  const entries = result?.items.flatMap((item) =>
    item.kind === 'entry' && item.entry.line !== 'standard input closed' ? [item.entry] : [],
  );
  return result && [result.kind, ...(entries ?? []).map(({ t, dir, line }) => `${t} ${dir} ${line}`)];
};
const both = (t = 0) => [`0 in ${asked}`, `${t} out ${replied}`];

describe('a file of another program', () => {
  it.each<[string, string[], string[]]>([
    [
      'a log of Claude Desktop',
      [
        '2026-01-02T10:00:00.000Z [demo] [info] Initializing server... { metadata: undefined }',
        `2026-01-02T10:00:00.200Z [demo] [info] Message from client: ${asked} { metadata: undefined }`,
        'text of the server',
        `2026-01-02T10:00:00.300Z [demo] [info] Message from server: ${replied} { metadata: { a: 1 } }`,
      ],
      ['log', ...both(100)],
    ],
    [
      'its older form',
      [
        `2026-01-02T10:00:00.200Z [info] [demo] Message from client: ${asked}`,
        `2026-01-02T10:00:00.201Z [info] [demo] Message from server: ${replied}`,
      ],
      ['log', ...both(1)],
    ],
    [
      'an output of VS Code',
      [
        '2026-01-02 10:00:00.000 [info] Starting server demo',
        `2026-01-02 10:00:00.089 [debug] [editor -> server] ${asked}`,
        `2026-01-02 10:00:00.151 [debug] [server -> editor] ${replied}`,
        '2026-01-02 10:00:00.160 [warning] [server stderr] listening',
      ],
      ['log', ...both(62), '71 err listening'],
    ],
    [
      'the inspector of LSP',
      [
        `[LSP   - 10:00:00 AM] {"isLSPMessage":true,"type":"send-request","message":${asked},"timestamp":1767348000000}`,
        `{"isLSPMessage":true,"type":"receive-response","message":${replied},"timestamp":1767348000950}`,
      ],
      ['log', ...both(950)],
    ],
    [
      'a trace of LSP',
      [
        "[Trace - 10:00:00 AM] Sending request 'initialize - (1)'.",
        'Params: {',
        '    "protocolVersion": "x"',
        '}',
        '',
        '',
        "[Trace - 10:00:01 AM] Received response 'initialize - (1)' in 5ms.",
        'Result: {"capabilities":{}}',
        '',
        "[Trace - 10:00:01 AM] Sending notification 'initialized'.",
        'No parameters provided.',
      ],
      ['log', ...both(1_000), '1000 in {"jsonrpc":"2.0","method":"initialized"}'],
    ],
    [
      'an output of the first VS Code with MCP',
      [
        `2026-01-02 10:00:00.970 [info] [Client Says] ${asked}`,
        `2026-01-02 10:00:00.989 [info] [Server Says] ${replied}`,
      ],
      ['log', ...both(19)],
    ],
    ['what an SDK logs of its client', [`write: ${asked}`, `read: ${replied}`], ['log', ...both()]],
    ['what an SDK logs of its server', [`read: ${asked}`, `write: ${replied}`], ['log', ...both()]],
    ['signs', [`> ${asked}`, `< ${replied}`], ['log', ...both()]],
    [
      'a log with times of a place',
      [
        `2026-01-02T23:59:59.999+02:00 DEBUG [main] : Sending ${asked}`,
        `2026-01-03 00:00:00,250+0200 DEBUG [main] : Received ${replied}`,
      ],
      ['log', ...both(251)],
    ],
    [
      'a log with times of a day',
      [
        `[jsonrpc] e[11:59:59.500] --> initialize[1] ${asked}`,
        `[jsonrpc] e[12:00:01.000] <-- initialize[1] ${replied}`,
      ],
      ['log', ...both(1_500)],
    ],
    [
      'a log with the hours of half a day',
      [`11:59:59 AM sent ${asked}`, `12:00:01 PM received ${replied}`],
      ['log', ...both(2_000)],
    ],
    ['a list of messages', [JSON.stringify([ask, reply])], ['document', ...both()]],
    [
      'an object with a list of lines of a capture',
      JSON.stringify(
        {
          version: 1,
          calls: [],
          messages: [
            { dir: 'in', msg: ask },
            { dir: 'out', msg: reply },
          ],
        },
        null,
        2,
      ).split('\n'),
      ['document', ...both()],
    ],
    [
      'arrows',
      [`{"direction":">>","message":${asked}}`, `{"direction":"<<","message":${replied}}`],
      ['capture', ...both()],
    ],
    [
      'the words of the client',
      [`{"direction":"outgoing","payload":${asked}}`, `{"direction":"incoming","payload":${replied}}`],
      ['capture', ...both()],
    ],
    [
      'the words of the server',
      [`{"direction":"incoming","payload":${asked}}`, `{"direction":"outgoing","payload":${replied}}`],
      ['capture', ...both()],
    ],
    [
      'messages with a direction in them',
      [
        '{"dir":"req","id":1,"method":"initialize","params":{"protocolVersion":"x"}}',
        '{"dir":"res","id":1,"result":{"capabilities":{}}}',
      ],
      ['capture', ...both()],
    ],
    [
      'the log of an agent that was written by the agent',
      [`{"dir":">>>","msg":${asked}}`, `{"dir":"<<<","msg":${replied}}`],
      ['capture', ...both()],
    ],
    [
      'messages that do not name their sender',
      [...AGENT_LINES],
      ['capture', ...AGENT_LINES.map((line, i) => `0 ${'in out in out out in out'.split(' ')[i]} ${line}`)],
    ],
    [
      'the messages of an agent as Zed copies them',
      JSON.stringify(
        [
          { _direction: 'outgoing', _type: 'request', id: 1, method: 'initialize', params: { protocolVersion: 'x' } },
          { _direction: 'incoming', _type: 'response', id: 1, method: 'initialize', params: { capabilities: {} } },
          { _direction: 'incoming', _type: 'notification', id: null, method: 'n', params: {} },
          { _direction: 'incoming', _type: 'response', id: 2, method: 'm', params: { code: -1, message: 'no' } },
        ],
        null,
        2,
      ).split('\n'),
      [
        'document',
        ...both(),
        '0 out {"jsonrpc":"2.0","method":"n","params":{}}',
        '0 out {"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no"}}',
      ],
    ],
    [
      'a cassette with a session',
      [
        `{"session":{"initialize_request":${asked},"initialize_response":${replied},"interactions":[{"timestamp":"2026-01-02T10:00:01Z","direction":"client_to_server",`,
        '"request":{"id":2,"method":"tools/list"},"response":{"id":2,"result":{}},"notifications":[{"method":"n"}],"latency_ms":3}]}}',
      ],
      [
        'document',
        ...both(),
        '0 in {"id":2,"method":"tools/list"}',
        '3 out {"method":"n"}',
        '3 out {"id":2,"result":{}}',
      ],
    ],
    [
      'a cassette whose response is a stream of events',
      [
        JSON.stringify({
          interactions: [{ request: ask, response: `event: message\ndata: {"method":"n"}\n\ndata: ${replied}\n\n` }],
        }),
      ],
      ['document', `0 in ${asked}`, '0 out {"method":"n"}', `0 out ${replied}`],
    ],
    [
      'a HAR file, with messages among other requests',
      JSON.stringify(
        {
          log: {
            entries: [
              {
                startedDateTime: '2026-01-02T10:00:00Z',
                time: 5,
                request: { method: 'GET' },
                response: { content: { text: '<html>' } },
              },
              {
                startedDateTime: '2026-01-02T10:00:01Z',
                time: 7,
                request: { postData: { text: asked } },
                response: { content: { text: Buffer.from(replied ?? '').toString('base64'), encoding: 'base64' } },
              },
            ],
          },
        },
        null,
        1,
      ).split('\n'),
      ['document', ...both(7)],
    ],
    [
      'a HAR file of exchanges that overlap, the last first',
      [
        JSON.stringify({
          log: {
            entries: [
              {
                startedDateTime: '2026-01-02T10:00:01Z',
                time: 1,
                request: { postData: { text: '{"id":3,"method":"ping"}' } },
                response: { content: { text: '{"id":3,"result":{}}' } },
              },
              {
                startedDateTime: '2026-01-02T10:00:00Z',
                time: 5_000,
                request: { postData: { text: asked } },
                response: { content: { text: replied } },
              },
            ],
          },
        }),
      ],
      [
        'document',
        `0 in ${asked}`,
        '1000 in {"id":3,"method":"ping"}',
        '1001 out {"id":3,"result":{}}',
        `5000 out ${replied}`,
      ],
    ],
  ])('is a tape: %s', (_, lines, expected) => {
    expect(drawn(lines)).toEqual(expected);
  });

  it('is the tape of the first server that its log names, and each line of another is reported', () => {
    const lines = ['a', 'b'].map((name) => `2026-01-02T10:00:00Z [${name}] [info] Message from client: ${asked}`);
    expect(drawn(lines)).toEqual(['log', `0 in ${asked}`]);
    expect(importSession(lines, 'auto', 'spec')?.problems).toEqual([
      { lineNumber: 2, reason: 'is of the server b, not of a; import a copy with its lines alone' },
    ]);
  });

  it('is a session for each time that a client initialized the server', () => {
    const lines = ['10:00:00', '12:30:00'].flatMap((time) => [
      `2026-01-02T${time}.000Z [a] Message from client: ${asked}`,
      `2026-01-02T${time}.500Z [a] Message from server: ${replied}`,
    ]);
    const session = (started: string) => [started, '0 in', '500 out', '500 note'];
    const result = importSession(lines, 'auto', 'spec');
    expect(result?.sessions).toBe(2);
    expect(
      result?.items.flatMap((item) => {
        if (item.kind === 'meta') return [item.meta.started];
        return item.kind === 'entry' ? [`${item.entry.t} ${item.entry.dir}`] : [];
      }),
    ).toEqual([...session('2026-01-02T10:00:00.000Z'), ...session('2026-01-02T12:30:00.000Z')]);
    expect(result?.items.map(({ lineNumber }) => lineNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('stays one session if the client asked what the server is before it initialized it', () => {
    const discover = { id: 0, method: 'server/discover' };
    expect(drawn([discover, { id: 0, error: {} }, ask, reply].map((one) => JSON.stringify(one)))).toHaveLength(5);
    expect(
      importSession(
        [discover, ask].map((one) => JSON.stringify(one)),
        'auto',
        'spec',
      )?.sessions,
    ).toBe(1);
  });

  it.each<[string, string[]]>([
    ['a tape', ['{"meta":{"version":1}}', `{"t":1,"dir":"in","line":${JSON.stringify(asked)}}`]],
    ['directions of something else', ['{"dir":"to_tui","payload":{"a":1}}', '{"dir":"from_tui","payload":{"a":1}}']],
    ['directions, but texts', ['{"dir":"in","text":"hello"}']],
    ['a log without messages', ['2026-01-02T10:00:00.000Z [demo] [info] Initializing server...']],
    ['a document of another kind', ['{', '"a": 1', '}']],
    ['an empty list of interactions', ['{"interactions":[]}']],
    ['a list of something else', ['[{"a":1}]']],
  ])('is unknown with %s', (_, lines) => {
    expect(drawn(lines)).toBeUndefined();
    expect(readDocument({ lines })).toEqual([]);
  });

  it.each([
    [ask, true],
    [reply, true],
    [{ id: 1 }, false],
    [{ result: 1 }, false],
  ])('has the message %j: %s', (value, is) => {
    expect(isMessage(value)).toBe(is);
  });
});

describe('the output of codex exec --json', () => {
  const imported = (...values: object[]) => {
    const { meta, entries, problems } = importedBy(fromExec, values);
    const lines = entries.slice(3).map(({ dir, line }) => {
      const { method, params, result } = JSON.parse(line);
      return `${dir} ${params?.msg?.type ?? params?.name ?? method ?? `${result.isError ? 'error' : 'answer'} ${result.content[0].text}`}`;
    });
    return { meta, lines, problems };
  };
  const item = (step: string, type: string, more: object = {}) => ({
    type: `item.${step}`,
    item: { id: `i-${type}`, type, ...more },
  });
  const begin = [{ type: 'thread.started', thread_id: 'T' }, { type: 'turn.started' }];

  it('is a call for each turn', () => {
    const { meta, lines, problems } = imported(
      ...begin,
      item('started', 'command_execution', { command: 'ls' }),
      item('completed', 'command_execution', { command: 'ls', aggregated_output: 'a', exit_code: 0 }),
      item('completed', 'file_change', { changes: [{ path: '/a', kind: 'add' }], status: 'completed' }),
      item('completed', 'mcp_tool_call', { server: 's', tool: 't', status: 'completed' }),
      item('completed', 'web_search', { query: 'q' }),
      item('started', 'todo_list', { items: [{ text: 'a', completed: true }] }),
      item('completed', 'reasoning', { text: 'hm' }),
      item('completed', 'agent_message', { text: 'done' }),
      { type: 'turn.completed', usage: { input_tokens: 1 } },
      { type: 'turn.started' },
      { type: 'turn.failed', error: { message: 'no' } },
    );
    expect([meta, problems]).toEqual([{ thread: 'T' }, []]);
    expect(lines).toEqual([
      ...[
        'in codex',
        'out session_configured',
        'out task_started',
        'out exec_command_begin',
        'out exec_command_end',
        'out patch_apply_begin',
        'out patch_apply_end',
      ],
      ...[
        'out mcp_tool_call_begin',
        'out mcp_tool_call_end',
        'out web_search_begin',
        'out web_search_end',
        'out plan_update',
        'out agent_reasoning',
      ],
      ...['out agent_message', 'out token_count', 'out task_complete', 'out answer done'],
      ...['in codex-reply', 'out task_started', 'out error', 'out task_complete', 'out error no'],
    ]);
  });

  it('is read as 0.28.0 wrote it, and named if a line is unknown', () => {
    const { lines, problems } = imported(
      { model: 'm' },
      { prompt: 'go' },
      { id: '0', msg: { type: 'agent_message', message: 'done' } },
      { id: '0', msg: { type: 'task_complete' } },
    );
    expect(lines).toEqual([
      'in codex',
      'out session_configured',
      'out agent_message',
      'out task_complete',
      'out answer done',
    ]);
    expect(problems).toEqual([{ lineNumber: 1, reason: 'is of a kind that is not known; it is left out' }]);
  });

  it('is an answer as 0.42.0 wrote it, which does not print that the task is complete', () => {
    const msgs = ['task_started', 'agent_message', 'token_count'].map((type) => ({
      id: '0',
      msg: { type, message: 'done' },
    }));
    const end = ['out agent_message', 'out token_count'];
    const begin = ['in codex', 'out session_configured', 'out task_started'];
    const header = { workdir: '/a', model: 'm' };
    expect(imported(header, { prompt: 'go' }, ...msgs)).toMatchObject({
      lines: [...begin, ...end, 'out task_complete', 'out answer done'],
      problems: [],
    });
    const cut = { id: '0', msg: { type: 'exec_command_begin', call_id: 'c' } };
    expect(imported(header, { prompt: 'go' }, ...msgs, cut).lines.at(-1)).toBe(
      'out error The rollout ends before the turn does',
    );
  });

  it('is read as 0.42.0 wrote it with --experimental-json', () => {
    const done = (item: object) => ({ type: 'item.completed', item });
    const { meta, lines, problems } = imported(
      { type: 'session.created', session_id: 'T' },
      done({ id: 'item_0', item_type: 'command_execution', command: 'ls', aggregated_output: 'a', exit_code: 0 }),
      done({ id: 'item_1', item_type: 'assistant_message', text: 'done' }),
    );
    expect([meta, problems]).toEqual([{ thread: 'T' }, []]);
    expect(lines).toEqual([
      ...['in codex', 'out session_configured', 'out exec_command_begin', 'out exec_command_end'],
      ...['out agent_message', 'out answer done'],
    ]);
  });

  it('has the calls of each of several runs, which all count their items from 0', () => {
    const run = [
      ...begin,
      item('completed', 'command_execution', { command: 'ls', exit_code: 0 }),
      { type: 'turn.completed' },
    ];
    const { lines } = imported(...run, ...run);
    expect(lines.filter((line) => line === 'out exec_command_end')).toHaveLength(2);
  });

  it('has a call of another agent, a request that was made again, and names an item of an unknown kind', () => {
    const { lines, problems } = imported(
      ...begin,
      { type: 'error', message: 'Reconnecting... 1/5' },
      item('completed', 'collab_tool_call', { tool: 'wait', receiver_thread_ids: [], status: 'completed' }),
      item('completed', 'moon'),
      { type: 'turn.completed' },
    );
    expect(lines.slice(3)).toEqual([
      ...['out stream_error', 'out mcp_tool_call_begin', 'out mcp_tool_call_end', 'out task_complete', 'out answer '],
    ]);
    expect(problems).toEqual([{ lineNumber: 5, reason: 'is of a kind that is not known; it is left out' }]);
  });

  it.each([
    ["/bin/bash -lc 'a b'", ['/bin/bash', '-lc', 'a b']],
    ['bash -lc ls', ['bash', '-lc', 'ls']],
    ['ls | wc', ['bash', '-lc', 'ls | wc']],
  ])('has the command %s', (command, argv) => {
    const [begin] = readExecLine(item('started', 'command_execution', { command })) ?? [];
    expect(begin).toMatchObject({ msg: { command: argv } });
  });

  it('is known by its lines', () => {
    expect(
      [...begin, { id: '0', msg: { type: 'x' } }, { type: 'message' }, { id: 1, method: 'm' }].map(isExecLine),
    ).toEqual([true, true, true, false, false]);
    expect(readExecLine({ type: 'moon' })).toBeUndefined();
  });
});
