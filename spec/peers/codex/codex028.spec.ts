/** The real `codex mcp` of release 0.28.0 and this server with its face, side by side over one model and one client. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { greet } from '../../support/daemon/legacy';
import { attach, commandLine, type Json, type Peer } from '../../support/daemon/peer';
import { openHomeForCodex, removeHomes } from '../../support/home';
import { closeModels, type Exchange, message, shellCall, startModel } from '../../support/servers/modelServer';
import { INSTALL_MS, installed } from '../installed';
import { masked } from '../masked';

let real: string;
beforeAll(() => {
  real = join(installed('codex-0.28.0'), 'codex');
}, INSTALL_MS);
afterEach(closeModels);
afterEach(removeHomes);

type Program = { name: string; command: () => [string, string[]] };

const PROGRAMS: [Program, Program] = [
  { name: 'codex 0.28.0', command: () => [real, ['mcp']] },
  { name: 'codex-rx', command: () => commandLine('mcp-server', '--face', '0.28') },
];

type Scenario = {
  model: (exchange: Exchange) => void;
  client: (peer: Peer) => Promise<unknown>;
};

/** What a program sent to its client, and what its model received of the commands. */
type Played = { messages: Json[]; received: Json[] };

const played = async ({ command }: Program, { model: answer, client }: Scenario): Promise<Played> => {
  const home = openHomeForCodex();
  const model = await startModel(answer);
  home.write('.codex/config.toml', model.toml);
  const [program, args] = command();
  const peer = attach(spawn(program, args, { cwd: home.work, env: home.env, stdio: 'pipe' }), home);
  try {
    await client(peer);
    const outputs = ((model.requests.at(-1)?.input ?? []) as Json[]).filter(
      ({ type }) => type === 'function_call_output',
    );
    return { messages: masked(peer.messages, home), received: outputs.map(withoutTime) };
  } finally {
    await peer.end();
    peer.child.kill('SIGKILL');
  }
};

const call = (home: Peer['home'], prompt: string, args: Json = {}) => ({
  name: 'codex',
  arguments: { prompt, cwd: home.work, sandbox: 'danger-full-access', 'approval-policy': 'never', ...args },
});

const withoutTime = (item: Json): Json => ({
  ...item,
  output: item.output.replace(/"duration_seconds":[\d.]+/, '"duration_seconds":0'),
});

const bothPlayed = async (scenario: Scenario): Promise<[Played, Played]> => [
  await played(PROGRAMS[0], scenario),
  await played(PROGRAMS[1], scenario),
];

const isCount = ({ params }: Json): boolean => params?.msg?.type === 'token_count';

/**
 * Plays a scenario with both and compares what they sent. Counts of tokens are compared apart: this server runs a
 * command while the model still speaks, so what the model sends at its end may come before the command's.
 */
const bothPlay = async (scenario: Scenario): Promise<Json[]> => {
  const [theirs, ours] = await bothPlayed(scenario);
  expect(ours.messages.filter((message) => !isCount(message))).toEqual(
    theirs.messages.filter((message) => !isCount(message)),
  );
  expect(ours.messages.filter(isCount)).toEqual(theirs.messages.filter(isCount));
  expect(ours.received).toEqual(theirs.received);
  return theirs.messages;
};

const elicitation = { elicitation: {} };

/** A model that asks for one command and then ends the turn. */
const asking =
  (command: Json) =>
  ({ n, say }: Exchange) =>
    say(n === 0 ? command : message('That is all.'));

const maker = asking(shellCall('c1', ['sh', '-c', 'printf made > made.txt; echo it is']));

/** A client that calls and waits. */
const calling = async (peer: Peer) => {
  await greet(peer, elicitation);
  await peer.request('tools/call', call(peer.home, 'go'), 1);
};

/** A client that answers the question with `reply`. */
const answering = (reply: Json) => async (peer: Peer) => {
  await greet(peer, elicitation);
  const answer = peer.request('tools/call', call(peer.home, 'make', { 'approval-policy': 'untrusted' }), 1);
  const question = await peer.nextOf('elicitation/create');
  await new Promise((wake) => setTimeout(wake, 200)); // 0.28.0 may lose an answer that comes at once
  peer.send({ id: question.id, ...reply });
  await answer;
};

describe('codex 0.28.0 and this server with its face', () => {
  it('agree on the opening', async () => {
    const [opening] = await bothPlay({ model: ({ say }) => say(), client: (peer) => greet(peer, elicitation) });
    expect(opening?.result.serverInfo.version).toBe('0.28.0');
  });

  it('agree on a plain answer, and on the next one in the same session', async () => {
    const played = await bothPlay({
      model: ({ n, say }) => say(message(['Hello there.', 'Again, hello.'][n] as string)),
      client: async (peer) => {
        await greet(peer, elicitation);
        await peer.request('tools/call', call(peer.home, 'hi'), 1);
        const { session_id: sessionId } = (await peer.nextEvent('session_configured')).params.msg;
        await peer.request('tools/call', { name: 'codex-reply', arguments: { sessionId, prompt: 'and?' } }, 'two');
      },
    });
    expect(played.at(-1)?.result.content[0].text).toBe('Again, hello.');
  });

  it('agree on a command that is approved', async () => {
    const played = await bothPlay({ model: maker, client: answering({ result: { decision: 'approved' } }) });
    expect(played.find(({ params }) => params?.msg?.type === 'exec_command_end')?.params.msg.stdout).toBe('it is\n');
  });

  it('agree on a command that is declined', async () => {
    const played = await bothPlay({ model: maker, client: answering({ result: { decision: 'denied' } }) });
    expect(played.find(({ params }) => params?.msg?.type === 'exec_command_begin')).toBeUndefined();
  });

  it('agree on a command that fails', async () => {
    const failing = shellCall('c1', ['sh', '-c', 'echo no >&2; exit 3']);
    await bothPlay({ model: asking(failing), client: calling });
  });

  it.each([
    [
      'a program is not there: this server names it',
      ['no-such-program'],
      'execution error: No such file or directory (os error 2)',
      'execution error: no-such-program: No such file or directory (os error 2)',
    ],
    [
      'a command is killed: this server reports the signal and what was printed',
      ['sh', '-c', 'echo so far; kill -9 $$'],
      'failed in sandbox None with execution error: command was killed by a signal',
      '{"output":"so far\\n","metadata":{"exit_code":137,"duration_seconds":0}}',
    ],
  ])('differ where %s', async (_, argv, theirWords, ourWords) => {
    const [theirs, ours] = await bothPlayed({ model: asking(shellCall('c1', argv)), client: calling });
    expect([theirs.received, ours.received]).toMatchObject([[{ output: theirWords }], [{ output: ourWords }]]);
    const typesOf = ({ messages }: Played) =>
      messages.filter((one) => !isCount(one)).map(({ params }) => params?.msg?.type);
    expect(typesOf(ours)).toEqual(typesOf(theirs));
  });
});
