import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { modern } from '../../support/daemon/modern';
import { endServers, type Json, type Launch, type Peer, startServer } from '../../support/daemon/peer';

afterEach(endServers);

const script = {
  scenes: [
    {
      when: 'work',
      answers: [
        {
          items: [
            { reasoning: ['I think.'], deltas: 1 },
            { text: 'I look.', deltas: 2 },
            { call: 'shell', args: { command: ['sh', '-c', 'printf seen'] }, id: 'c1' },
          ],
          usage: { input_tokens: 5, output_tokens: 2 },
        },
        { items: [{ delayMs: 150 }, { text: 'It is done.', deltas: 1 }] },
      ],
    },
    { when: 'fail', answers: [{ items: [], fault: { error: 'no luck' } }] },
  ],
};

const never = { 'approval-policy': 'never' };

const opened = async (args: string[] = [], launch: Launch = {}) => {
  const peer = startServer({ script, args, ...launch });
  await greet(peer);
  return peer;
};

const eventsOf = ({ messages }: Peer): Json[] => messages.filter(({ method }) => method === 'codex/event');
const typesOf = (peer: Peer): string[] => eventsOf(peer).map(({ params }) => params.msg.type);
const msgOf = (peer: Peer, type: string): Json =>
  eventsOf(peer).find(({ params }) => params.msg.type === type)?.params.msg;

const TURN = [
  'session_configured',
  'task_started',
  'agent_reasoning_section_break',
  'agent_reasoning_delta',
  'agent_reasoning',
  'agent_message_delta',
  'agent_message_delta',
  'agent_message',
  'exec_command_begin',
  'exec_command_output_delta',
  'exec_command_end',
  'agent_message_delta',
  'agent_message',
  'task_complete',
];

describe('codex/event', () => {
  it('emits the turn from its first event to its last, before the response', async () => {
    const peer = await opened();
    const answer = await peer.request('tools/call', codexCall(peer, 'work', never), 7);
    expect(typesOf(peer).filter((type) => type !== 'token_count')).toEqual(TURN);
    expect(typesOf(peer)).toContain('token_count');
    expect(peer.messages.at(-1)).toBe(answer);
    const { threadId } = answer.result.structuredContent;
    for (const { params } of eventsOf(peer)) expect(params._meta).toEqual({ requestId: 7, threadId });
    expect(msgOf(peer, 'exec_command_output_delta').chunk).toBe(Buffer.from('seen').toString('base64'));
  });

  it('is not sent with --events none', async () => {
    const peer = await opened(['--events', 'none']);
    const answer = await peer.request('tools/call', codexCall(peer, 'work', never, { progressToken: 1 }));
    expect(textOf(answer)).toBe('It is done.');
    expect(new Set(peer.messages.map(({ method }) => method))).toEqual(new Set([undefined, 'notifications/progress']));
  });
});

describe('--face 0.28', () => {
  const face = ['--face', '0.28'];

  it('introduces itself and its tools as 0.28.0 did', async () => {
    const peer = startServer({ args: face });
    const { result } = await greet(peer);
    expect(result.serverInfo).toEqual({ name: 'codex-mcp-server', title: 'Codex', version: '0.28.0' });
    expect(result.capabilities).toEqual({ tools: { listChanged: true } });
    const { tools } = (await peer.request('tools/list')).result;
    expect(tools.map((tool: Json) => [tool.name, tool.inputSchema.required, 'outputSchema' in tool])).toEqual([
      ['codex', ['prompt'], false],
      ['codex-reply', ['prompt', 'sessionId'], false],
    ]);
    expect(await peer.request('logging/setLevel', { level: 'debug' })).toMatchObject({ error: { code: -32601 } });
  });

  it('answers with text alone, and events know no threads', async () => {
    const peer = await opened(face);
    const answer = await peer.request('tools/call', codexCall(peer, 'work', never), 7);
    expect(answer.result).toEqual({ content: [{ type: 'text', text: 'It is done.' }] });
    for (const { params } of eventsOf(peer)) expect(params._meta).toEqual({ requestId: 7 });
    expect(msgOf(peer, 'session_configured')).toEqual({
      type: 'session_configured',
      session_id: expect.any(String),
      model: 'gpt-5',
      history_log_id: 0,
      history_entry_count: 0,
    });
    expect(msgOf(peer, 'agent_message_delta')).toEqual({ type: 'agent_message_delta', delta: expect.any(String) });
    expect(msgOf(peer, 'exec_command_output_delta').chunk).toEqual([...Buffer.from('seen')]);
    expect(msgOf(peer, 'token_count')).toMatchObject({ input_tokens: 5, output_tokens: 2, total_tokens: 7 });
    const { session_id: sessionId } = msgOf(peer, 'session_configured');
    const again = { name: 'codex-reply', arguments: { sessionId, prompt: 'work' } };
    expect(textOf(await peer.request('tools/call', again))).toBe('It is done.');
  });

  it('reports a failure as an error in the result', async () => {
    const peer = await opened(face);
    const { result } = await peer.request('tools/call', codexCall(peer, 'fail'));
    expect(result).toEqual({ error: 'no luck' });
  });
});

describe('--face 0.153', () => {
  const face = ['--face', '0.153'];

  it('introduces itself and its tools as 0.153.4 did', async () => {
    const peer = startServer({ args: face });
    const { result } = await greet(peer);
    expect(result.serverInfo).toEqual({
      name: 'codex-mcp-server',
      title: 'Codex',
      version: '0.153.4',
      user_agent: expect.stringMatching(/^codex_cli_rs\/0\.153\.4 \(\S+; \S+\) codex-rx\/\S+ \(.+; .+\)$/),
    });
    const { tools } = (await peer.request('tools/list')).result;
    expect(tools.map((tool: Json) => [tool.name, Object.keys(tool.inputSchema.properties).sort()])).toEqual([
      [
        'codex',
        [
          'approval-policy',
          'base-instructions',
          'compact-prompt',
          'config',
          'cwd',
          'developer-instructions',
          'model',
          'prompt',
          'sandbox',
        ],
      ],
      ['codex-reply', ['conversationId', 'prompt', 'threadId']],
    ]);
    expect(tools[0].outputSchema.required).toEqual(['threadId', 'content']);
  });

  it('answers with structured content, and deltas have the new names', async () => {
    const peer = await opened(face);
    const { result } = await peer.request('tools/call', codexCall(peer, 'work', never), 7);
    expect(result).toEqual({
      content: [{ type: 'text', text: 'It is done.' }],
      structuredContent: { threadId: expect.any(String), content: 'It is done.' },
    });
    const { threadId: thread_id } = result.structuredContent;
    const delta = msgOf(peer, 'agent_message_content_delta');
    expect(delta).toMatchObject({ thread_id, turn_id: expect.any(String), delta: expect.any(String) });
    expect(msgOf(peer, 'token_count').info.last_token_usage).toMatchObject({ input_tokens: 5, output_tokens: 2 });
    expect(eventsOf(peer)[1]?.params._meta).toEqual({ requestId: 7, threadId: thread_id });
  });

  it('reports a failure without the thread id in the text', async () => {
    const peer = await opened(face);
    const { result } = await peer.request('tools/call', codexCall(peer, 'fail'));
    const { threadId } = result.structuredContent;
    expect(result).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'no luck' }],
      structuredContent: { threadId, content: 'no luck' },
    });
  });
});

describe('notifications/progress', () => {
  const progressOf = ({ messages }: Peer) => messages.filter(({ method }) => method === 'notifications/progress');

  it.each([['p'], [0], [''], [41]])('rises under the token %j, and is over with the answer', async (progressToken) => {
    const peer = await opened();
    const answer = await peer.request('tools/call', codexCall(peer, 'work', never, { progressToken }));
    await peer.request('ping');
    const emitted = progressOf(peer);
    expect(emitted.map(({ params }) => params.progressToken)).toEqual(emitted.map(() => progressToken));
    expect(emitted.map(({ params }) => params.progress)).toEqual(emitted.map((_, i) => i + 1));
    expect(emitted.map(({ params }) => params.message)).toEqual([
      'thinking',
      'I look.',
      "running: sh -c 'printf seen'",
      'exit code 0',
    ]); // notifications that come with the response are left out
    expect(peer.messages.indexOf(emitted.at(-1) as Json)).toBeLessThan(peer.messages.indexOf(answer));
  });

  it('is not sent to a client that gave no token', async () => {
    const peer = await opened();
    await peer.request('tools/call', codexCall(peer, 'work', never));
    expect(progressOf(peer)).toEqual([]);
  });
});

describe('logging', () => {
  const logged = ({ messages }: Peer) => messages.filter(({ method }) => method === 'notifications/message');

  it('reaches a legacy client from the level it asks for', async () => {
    const peer = await opened();
    peer.sendText('nonsense\n');
    await peer.request('logging/setLevel', { level: 'error' });
    peer.sendText('nonsense\n');
    await peer.request('ping');
    expect(logged(peer)).toEqual([]);
    expect(await peer.request('logging/setLevel', { level: 'warning' })).toMatchObject({ result: {} });
    peer.sendText('nonsense\n');
    expect((await peer.nextOf('notifications/message')).params).toMatchObject({
      level: 'warning',
      logger: 'codex-rx',
      data: { message: 'a line was rejected' },
    });
    expect(await peer.request('logging/setLevel', { level: 'loud' })).toMatchObject({ error: { code: -32602 } });
  });

  it('is no method of 2026-07-28', async () => {
    const answer = await startServer().request('logging/setLevel', modern({ level: 'debug' }));
    expect(answer.error.code).toBe(-32601);
  });
});
