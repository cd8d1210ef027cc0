/** Recorded daemons run again: the same to the byte from the tape alone, and other answers if a seam is live. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { askableServer, codexCall } from '../../support/daemon/legacy';
import { commandLine, endServers, type Json, type Peer } from '../../support/daemon/peer';
import { rerunOf, SAME_TO_THE_BYTE } from '../../support/daemon/reruns';
import { type Home, openHome, removeHomes } from '../../support/home';

afterEach(endServers);
afterEach(removeHomes);

const PATCH = '*** Begin Patch\n*** Add File: made.txt\n+hello\n*** End Patch';
const shell = (command: string) => ({ call: 'shell', args: { command: ['sh', '-c', command] } });
const scenes = [
  {
    when: 'go',
    answers: [{ items: [{ text: 'I go.' }, shell('echo hi; echo ran >> ran.txt')] }, { items: [{ text: 'done' }] }],
  },
  {
    when: 'patch',
    answers: [{ items: [{ call: 'apply_patch', args: { input: PATCH } }] }, { items: [{ text: 'patched' }] }],
  },
  {
    when: 'slow',
    answers: [{ items: [shell('sleep 0.1')] }, { items: [shell('sleep 0.1')] }, { items: [{ text: 'done' }] }],
  },
  { when: 'again', answers: [{ items: [{ text: 'again done' }] }] },
  { when: 'wait', answers: [{ items: [{ text: 'I wait.' }, shell('sleep 30')] }] },
];

const recorded = async (
  talk: (peer: Peer) => Promise<unknown>,
  ...args: string[]
): Promise<{ home: Home; tape: string }> => {
  const home = openHome();
  const tape = join(home.path, 'tape.jsonl');
  const peer = await askableServer({ home, args: ['--record', tape, ...args], script: { scenes } });
  await talk(peer);
  await peer.end();
  return { home, tape };
};

const call = (peer: Peer, prompt: string, args: Json = {}) =>
  peer.request('tools/call', codexCall(peer, prompt, { ...NEVER, ...args }));

const approve = (peer: Peer, decision: string) => async () => {
  const asked = await peer.next(({ method }) => method === 'elicitation/create', 'a question');
  peer.send({ id: asked.id, result: { decision } });
};

const NEVER = { 'approval-policy': 'never' };

/** What the methods of Codex get of this machine is not there any more when the tape runs again. */
const callMethods = async (peer: Peer): Promise<void> => {
  const cwd = peer.home.work;
  mkdirSync(join(cwd, 'sub'));
  writeFileSync(join(cwd, 'sub', 'found.txt'), '');
  writeFileSync(join(cwd, '.gitignore'), '*.log\n');
  const { conversationId } = (await peer.request('newConversation', { cwd, approvalPolicy: 'never' })).result;
  await peer.request('addConversationListener', { conversationId });
  const items = [{ type: 'text', data: { text: 'again' } }];
  await peer.request('sendUserMessage', { conversationId, items });
  await peer.next(({ params }) => params?.msg?.type === 'task_complete', 'the end of the turn');
  const sandboxPolicy = { mode: 'danger-full-access' };
  await peer.request('execOneOffCommand', { command: ['sh', '-c', 'date +%N; echo x >> ran.txt'], cwd, sandboxPolicy });
  await peer.request('fuzzyFileSearch', { query: 'found', roots: [cwd] });
  await peer.request('gitDiffToRemote', { cwd });
  await peer.request('listConversations', {});
  await peer.request('getConfigToml');
  await peer.request('getAuthStatus', { includeToken: true });
  await peer.request('resumeConversation', { conversationId: '00000000-0000-4000-8000-000000000000' });
  await peer.request('archiveConversation', { conversationId });
  rmSync(join(cwd, 'sub'), { recursive: true });
  rmSync(join(cwd, '.gitignore'));
};

const SESSIONS: [string, (peer: Peer) => Promise<unknown>][] = [
  ['a command', (peer) => call(peer, 'go')],
  ['a patch', (peer) => call(peer, 'patch')],
  [
    'a reply in the same thread',
    async (peer) => {
      const { result } = await call(peer, 'go');
      const { threadId } = result.structuredContent;
      await peer.request('tools/call', { name: 'codex-reply', arguments: { threadId, prompt: 'again' } });
    },
  ],
  [
    'a command that is approved',
    (peer) => Promise.all([call(peer, 'go', { 'approval-policy': 'untrusted' }), approve(peer, 'approved')()]),
  ],
  [
    'a command that is denied',
    (peer) => Promise.all([call(peer, 'go', { 'approval-policy': 'untrusted' }), approve(peer, 'denied')()]),
  ],
  ['two calls at once', (peer) => Promise.all([call(peer, 'go'), call(peer, 'patch')])],
  [
    'a call that is cancelled',
    async (peer) => {
      peer.send({ id: 77, method: 'tools/call', params: codexCall(peer, 'wait', { 'approval-policy': 'never' }) });
      await peer.next(({ params }) => params?.msg?.type === 'exec_command_begin', 'a command');
      peer.send({ method: 'notifications/cancelled', params: { requestId: 77 } });
    },
  ],
  ['progress', (peer) => peer.request('tools/call', codexCall(peer, 'slow', NEVER, { progressToken: 'p' }))],
  [
    'log messages for the client',
    async (peer) => {
      await peer.request('logging/setLevel', { level: 'debug' });
      await call(peer, 'go');
    },
  ],
  ['methods of Codex', (peer) => callMethods(peer)],
  [
    'a call that a signal ends',
    async (peer) => {
      peer.send({ id: 77, method: 'tools/call', params: codexCall(peer, 'wait', NEVER) });
      await peer.next(({ params }) => params?.msg?.type === 'exec_command_begin', 'a command');
      peer.child.kill('SIGTERM');
      await peer.ended;
    },
  ],
  ['an unknown tool', (peer) => peer.request('tools/call', { name: 'none', arguments: {} })],
];

describe.each(SESSIONS)('the daemon of a tape with %s', (_, talk) => {
  it('sends the same to the byte again, and touches nothing', async () => {
    const { home, tape } = await recorded(talk);
    for (const file of ['ran.txt', 'made.txt']) rmSync(join(home.work, file), { force: true });
    const before = readFileSync(tape, 'utf8');
    expect(rerunOf(home, tape)).toEqual(SAME_TO_THE_BYTE);
    expect([existsSync(join(home.work, 'ran.txt')), existsSync(join(home.work, 'made.txt'))]).toEqual([false, false]);
    expect(readFileSync(tape, 'utf8')).toBe(before);
  });
});

describe('codex-rx rerun', () => {
  it('shows what another model would have done, without running a command', async () => {
    const { home, tape } = await recorded((peer) => call(peer, 'go'));
    rmSync(join(home.work, 'ran.txt'));
    const other = [{ when: 'go', answers: [{ items: [{ text: 'I do something else.' }] }] }];
    writeFileSync(join(home.path, 'other.json'), JSON.stringify({ scenes: other }));
    const live = rerunOf(
      home,
      tape,
      '--live',
      'model',
      '--trust-tape',
      '-c',
      `model_providers.scripted.script=${join(home.path, 'other.json')}`,
    );
    expect(live).toEqual({ code: 1, text: expect.stringContaining('I do something else.') });
    expect(rerunOf(home, tape, '--live', 'model', '--trust-tape')).toEqual({
      code: 0,
      text: expect.stringMatching(/^SAME/),
    });
    expect(existsSync(join(home.work, 'ran.txt'))).toBe(false);
  });

  it('runs the commands again if the executor is live', async () => {
    const { home, tape } = await recorded((peer) => call(peer, 'go'));
    rmSync(join(home.work, 'ran.txt'));
    const refused = { code: 2, text: expect.stringContaining('runs shell {') };
    expect(rerunOf(home, tape, '--live', 'executor')).toEqual(refused);
    expect(existsSync(join(home.work, 'ran.txt'))).toBe(false);
    const run = { code: 0, text: expect.stringMatching(/^SAME/) };
    expect(rerunOf(home, tape, '--live', 'executor', '--trust-tape')).toEqual(run);
    expect(existsSync(join(home.work, 'ran.txt'))).toBe(true);
  });

  it('lets -c win over the recorded flags', async () => {
    const { home, tape } = await recorded((peer) => call(peer, 'go', { 'approval-policy': undefined }), '-a', 'never');
    expect(rerunOf(home, tape, '-c', 'approval_policy="untrusted"', '--timeout', '1').code).toBe(1);
    expect(rerunOf(home, tape)).toEqual(SAME_TO_THE_BYTE);
  });

  it('finds what a change of the tape means', async () => {
    const { home, tape } = await recorded((peer) => call(peer, 'go'));
    writeFileSync(tape, readFileSync(tape, 'utf8').replaceAll('I go.', 'I run.').replace('I run.', 'I go.'));
    expect(rerunOf(home, tape).code).toBe(1);
  });

  it('runs a daemon again that played a tape itself', async () => {
    const home = openHome();
    const [played, tape] = [
      resolve(__dirname, '../../fixtures/tapes/exec-approval-approved.jsonl'),
      join(home.path, 'tape.jsonl'),
    ];
    const args = ['--engine', 'tape', '--tape', played, '--face', '0.28', '--record', tape];
    const [program, server] = commandLine('mcp-server', ...args);
    const [replay, given] = commandLine('replay', played, '--', program, ...server);
    spawnSync(replay, given, { cwd: home.work, env: home.env });
    expect(rerunOf(home, tape)).toEqual(SAME_TO_THE_BYTE);
    expect(rerunOf(home, tape, '--live', 'model')).toMatchObject({ code: 2 });
  });

  it('runs a redacted tape again if that is allowed', async () => {
    const { home, tape } = await recorded((peer) => call(peer, 'go'));
    const redacted = join(home.path, 'redacted.jsonl');
    const [program, args] = commandLine('redact', tape, '-o', redacted);
    spawnSync(program, args, { cwd: home.work, env: home.env });
    expect(rerunOf(home, redacted)).toMatchObject({ code: 2, text: expect.stringContaining('--allow-redacted') });
    expect(rerunOf(home, redacted, '--allow-redacted')).toEqual(SAME_TO_THE_BYTE);
  });

  it('refuses a tape of an installed Codex', async () => {
    const { home, tape } = await recorded((peer) => call(peer, 'go'));
    writeFileSync(
      tape,
      readFileSync(tape, 'utf8').replace('{\\"engine\\":\\"native\\"', '{\\"engine\\":\\"app-server\\"'),
    );
    expect(rerunOf(home, tape)).toEqual({ code: 2, text: expect.stringContaining('engine app-server') });
  });

  it('refuses a tape with a broken line of the model, and names it', async () => {
    const { home, tape } = await recorded((peer) => call(peer, 'go'));
    const lines = readFileSync(tape, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"seam":"model"') && line.includes('"dir":"out"'));
    lines[at] = JSON.stringify({ ...JSON.parse(lines[at] as string), line: '{"kind":"te' });
    writeFileSync(tape, lines.join('\n'));
    expect(rerunOf(home, tape)).toEqual({
      code: 2,
      text: `codex-rx rerun: line ${at + 1} of the tape is broken: an event of the model was expected; take an unchanged copy of the tape, or record the session again by codex-rx mcp-server --record FILE\n`,
    });
  });

  it('remarks that the configuration is read from another CODEX_HOME', async () => {
    const { home, tape } = await recorded((peer) => call(peer, 'go'));
    const env = { ...home.env, CODEX_HOME: home.work };
    expect(rerunOf({ ...home, env }, tape).text).toContain(`recorded with CODEX_HOME=${join(home.path, '.codex')}`);
  });

  it('refuses a tape without inner seams', async () => {
    const home = openHome();
    const outer = home.write('outer.jsonl', '{"meta":{}}\n{"t":0,"dir":"in","line":"{}"}\n');
    expect(rerunOf(home, outer)).toEqual({
      code: 2,
      text: 'codex-rx rerun: the tape lacks what model and commands sent to the server; rerun needs one of codex-rx mcp-server or acp --record FILE; for any other tape there is codex-rx replay\n',
    });
  });
});
