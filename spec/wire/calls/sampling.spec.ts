/** The provider `client`: the official client of the older revisions asks a model of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { commandLine, type Json } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';

const connected: Client[] = [];

afterEach(async () => {
  for (const client of connected.splice(0)) await client.close();
  await removeHomes();
});

/** A client whose model answers as `answer` does. */
const connect = async (capabilities: Json, answer?: (params: Json, n: number) => Json) => {
  const home = openHome();
  const [command, args] = commandLine('mcp-server', '-c', 'model_provider=client');
  const client = new Client({ name: 'sampling-spec', version: '0' }, { capabilities });
  connected.push(client);
  const asked: Json[] = [];
  if (answer !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked.push(params);
      return { model: 'own', role: 'assistant', ...answer(params, asked.length) } as never;
    });
  }
  await client.connect(
    new StdioClientTransport({ command, args, cwd: home.work, env: { ...home.env }, stderr: 'ignore' }),
  );
  const call = (prompt: string, more: Json = {}): Promise<Json> =>
    client.callTool({
      name: 'codex',
      arguments: { prompt, cwd: home.work, sandbox: 'danger-full-access', 'approval-policy': 'never', ...more },
    });
  return { home, client, asked, call };
};

const text = (words: string) => ({ type: 'text', text: words });

describe('the model of a client', () => {
  it('answers, and goes on with the thread', async () => {
    const { client, asked, call } = await connect({ sampling: {} }, ({ messages }) => ({
      content: text(`${messages.length} messages`),
    }));
    const first = await call('hi');
    expect(first.structuredContent).toMatchObject({ content: '2 messages' });
    const { threadId } = first.structuredContent;
    const second: Json = await client.callTool({ name: 'codex-reply', arguments: { threadId, prompt: 'more' } });
    expect(second.structuredContent).toMatchObject({ content: '4 messages' });
    expect(asked[1]).toMatchObject({
      systemPrompt: expect.any(String),
      maxTokens: expect.any(Number),
      messages: [
        { role: 'user', content: { type: 'text' } },
        { role: 'user', content: text('hi') },
        { role: 'assistant', content: text('2 messages') },
        { role: 'user', content: text('more') },
      ],
    });
    expect(asked[1]).not.toHaveProperty('tools');
  });

  it('calls tools if the client takes them', async () => {
    const { home, asked, call } = await connect({ sampling: { tools: {} } }, (_, n) =>
      n === 1
        ? {
            content: {
              type: 'tool_use',
              id: 'c1',
              name: 'shell',
              input: { command: ['sh', '-c', 'echo it is > made.txt'] },
            },
            stopReason: 'toolUse',
          }
        : { content: [text('Made.')] },
    );
    expect((await call('make')).structuredContent).toMatchObject({ content: 'Made.' });
    expect(existsSync(join(home.work, 'made.txt'))).toBe(true);
    expect(asked[0]?.tools.map(({ name }: Json) => name)).toContain('shell');
    expect(asked[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: { type: 'tool_use', id: 'c1' } },
      { role: 'user', content: { type: 'tool_result', toolUseId: 'c1' } },
    ]);
  });

  it('is not asked if the client declared no sampling, and the text names the remedy', async () => {
    const { call } = await connect({});
    const { isError, content } = await call('hi');
    expect(isError).toBe(true);
    expect(content[0].text).toMatch(/declared no sampling; choose another model_provider/);
  });

  it('may decline, and the call fails with the reason', async () => {
    const { call } = await connect({ sampling: {} }, () => {
      throw new Error('the user said no');
    });
    const { isError, content } = await call('hi');
    expect(isError).toBe(true);
    expect(content[0].text).toContain('the user said no');
  });
});
