import { setTimeout as wait } from 'node:timers/promises';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Peer, startServer } from '../../support/daemon/peer';
import { openHome } from '../../support/home';
import { closeModels, deltaOf, message, shellCall, startModel } from '../../support/servers/modelServer';

afterEach(endServers);
afterEach(closeModels);

/** Stops the daemon for some time, as Ctrl-Z and `fg` in the terminal of its client do; commands and servers go on. */
const standStill = async ({ child }: Peer, ms: number): Promise<void> => {
  child.kill('SIGSTOP');
  await wait(ms);
  child.kill('SIGCONT');
};

describe('a daemon that stood still for longer than a limit', () => {
  it('reads a command that ended well meanwhile, and an answer that went on, and asks for neither again', async () => {
    const command = { command: ['sh', '-c', 'echo begun; sleep 0.4; echo ended'], timeout_ms: 1_000 };
    const model = await startModel(({ n, response, say }) => {
      if (n === 0) return say(shellCall('c1', command.command, { timeout_ms: command.timeout_ms }));
      const writing = setInterval(() => response.write(deltaOf('a')), 100);
      setTimeout(() => {
        clearInterval(writing);
        say(message('whole'));
      }, 1_700);
    });
    const home = openHome();
    home.write('.codex/config.toml', `${model.toml}\nstream_idle_timeout_ms = 1000\n`);
    const peer = startServer({ home });
    await greet(peer);
    peer.send({
      id: 1,
      method: 'tools/call',
      params: codexCall(peer, 'go', { sandbox: 'danger-full-access', 'approval-policy': 'never' }),
    });
    await peer.nextEvent('exec_command_output_delta');
    await standStill(peer, 1_500);
    expect((await peer.nextEvent('exec_command_end')).params.msg).toMatchObject({
      exit_code: 0,
      stdout: 'begun\nended\n',
    });
    await peer.nextEvent('agent_message_delta');
    await standStill(peer, 1_500);
    expect(textOf(await peer.next(({ id, method }) => id === 1 && method === undefined, 'the result'))).toBe('whole');
    expect(model.requests).toHaveLength(2);
  });
});
