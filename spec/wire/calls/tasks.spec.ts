import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { modern } from '../../support/daemon/modern';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';

afterEach(endServers);

const EXTENSION = 'io.modelcontextprotocol/tasks';
const capabilities = { elicitation: { form: {} }, extensions: { [EXTENSION]: {} } };
const yes = { action: 'accept', content: { decision: 'approved' } };

const run = (name: string, command: string) => ({
  when: `^${name}$`,
  answers: [
    { items: [{ call: 'shell', args: { command: ['sh', '-c', command] } }] },
    { items: [{ text: 'finished' }] },
  ],
});

const script = {
  scenes: [run('ask', 'echo done > made.txt'), run('sleep', 'sleep 30; touch late.txt')],
  otherwise: { items: [{ text: 'You said: {{prompt}}' }] },
};

const task = (peer: Peer, prompt: string, policy: string): Promise<Json> =>
  peer
    .request(
      'tools/call',
      modern(
        {
          name: 'codex',
          arguments: { prompt, 'approval-policy': policy, sandbox: 'danger-full-access', cwd: peer.home.work },
        },
        capabilities,
      ),
    )
    .then(({ result }) => result);

const ask = (peer: Peer, method: string, params: Json): Promise<Json> =>
  peer.request(method, modern(params, capabilities)).then(({ result, error }) => result ?? error);

/** Polls until the task has one of these states. */
const until = async (peer: Peer, taskId: string, ...states: string[]): Promise<Json> => {
  for (;;) {
    const found = await ask(peer, 'tasks/get', { taskId });
    if (states.includes(found.status)) return found;
    await new Promise((wake) => setTimeout(wake, 50));
  }
};

const ends = ['completed', 'failed', 'cancelled'];
const tasksIn = ({ home }: Peer): string[] => readdirSync(join(home.path, '.codex', 'codex-rx', 'tasks'));

describe('a task', () => {
  it('is asked for, answered, watched and cancelled by another server of the same home', async () => {
    const owner = startServer({ script, args: ['--task-after', '0'] });
    const other = startServer({ home: owner.home });
    const { taskId, resultType } = await task(owner, 'ask', 'untrusted');
    expect(resultType).toBe('task');
    const { inputRequests } = await until(other, taskId, 'input_required');
    other.send({
      id: 'l',
      method: 'subscriptions/listen',
      params: modern({ notifications: { taskIds: [taskId] } }, capabilities),
    });
    const [key] = Object.keys(inputRequests);
    await ask(other, 'tasks/update', { taskId, inputResponses: { [key as string]: yes } });
    const ended = await until(other, taskId, ...ends);
    expect(ended).toMatchObject({ status: 'completed', result: { content: [{ text: 'finished' }] } });
    expect(existsSync(join(owner.home.work, 'made.txt'))).toBe(true);
    await other.next(
      ({ method, params }) => method === 'notifications/tasks' && params.status === 'completed',
      'the end',
    );
    const long = await task(owner, 'sleep', 'never');
    await ask(other, 'tasks/cancel', { taskId: long.taskId });
    expect((await until(owner, long.taskId, ...ends)).status).toBe('cancelled');
  });

  it('ends with its server that was killed, and its thread goes on', async () => {
    const killed = startServer({ script, args: ['--task-after', '0'] });
    const { taskId } = await task(killed, 'sleep', 'never');
    const asking = await task(killed, 'ask', 'untrusted');
    await until(killed, asking.taskId, 'input_required');
    killed.child.kill('SIGKILL');
    await killed.ended;
    const next = startServer({ home: killed.home, script });
    const { result } = await until(next, taskId, ...ends);
    expect(result).toMatchObject({ isError: true, structuredContent: { threadId: expect.any(String) } });
    expect((await until(next, asking.taskId, ...ends)).result.content[0].text).toContain('waiting for approval');
    expect(tasksIn(next).sort()).toEqual([`${taskId}.json`, `${asking.taskId}.json`].sort());
    const { threadId } = result.structuredContent;
    const reply = await ask(next, 'tools/call', { name: 'codex-reply', arguments: { threadId, prompt: 'go on' } });
    expect(reply).toMatchObject({
      resultType: 'complete',
      structuredContent: { threadId, content: 'You said: go on' },
    });
  });

  it('ends when the input of its server ends', async () => {
    const peer = startServer({ script, args: ['--task-after', '0'] });
    const { taskId } = await task(peer, 'sleep', 'never');
    await peer.end();
    const next = startServer({ home: peer.home });
    expect(await ask(next, 'tasks/get', { taskId })).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: expect.stringContaining('the input of the server ended') }] },
    });
  });
});

describe('a task whose client is gone', () => {
  it('goes on, asks, takes an answer by another server, and ends its server', async () => {
    const owner = startServer({ script, args: ['--task-after', '0', '--tasks-outlive', '60'] });
    const { taskId } = await task(owner, 'ask', 'untrusted');
    const other = startServer({ home: owner.home });
    const { inputRequests } = await until(other, taskId, 'input_required');
    owner.child.stdout?.destroy();
    owner.child.stdin?.end();
    const [key] = Object.keys(inputRequests);
    await ask(other, 'tasks/update', { taskId, inputResponses: { [key as string]: yes } });
    expect(await until(other, taskId, ...ends)).toMatchObject({ result: { content: [{ text: 'finished' }] } });
    expect(await owner.ended).toEqual({ code: 0, signal: null });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'goes on when %s ends the process that the client started',
    async (signal) => {
      const owner = startServer({ script, args: ['--task-after', '0', '--tasks-outlive', '60'] });
      const { taskId } = await task(owner, 'ask', 'untrusted');
      const other = startServer({ home: owner.home });
      const { inputRequests } = await until(other, taskId, 'input_required');
      owner.child.kill(signal);
      await once(owner.child, 'exit');
      const [key] = Object.keys(inputRequests);
      await ask(other, 'tasks/update', { taskId, inputResponses: { [key as string]: yes } });
      expect(await until(other, taskId, ...ends)).toMatchObject({ result: { content: [{ text: 'finished' }] } });
      await owner.ended; // the server behind it has closed the streams
    },
  );

  it('is stopped when its time is over', async () => {
    const owner = startServer({ script, args: ['--task-after', '0', '--tasks-outlive', '0.5'] });
    const { taskId } = await task(owner, 'sleep', 'never');
    expect(await owner.end()).toEqual({ code: 0, signal: null });
    const next = startServer({ home: owner.home });
    expect(await ask(next, 'tasks/get', { taskId })).toMatchObject({ status: 'completed', result: { isError: true } });
  });
});
