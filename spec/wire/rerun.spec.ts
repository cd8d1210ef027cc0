/** Recorded daemons run again: the same to the byte from the tape alone, and other answers where a seam is live. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Home, openHome, removeHomes } from '../support/home';
import { askableServer, codexCall } from '../support/legacy';
import { endServers, type Json, type Peer } from '../support/peer';
import { rerunOf, SAME_TO_THE_BYTE } from '../support/reruns';

jest.setTimeout(60_000);
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
  peer.request('tools/call', codexCall(peer, prompt, { 'approval-policy': 'never', ...args }));

const approve = (peer: Peer, decision: string) => async () => {
  const asked = await peer.next(({ method }) => method === 'elicitation/create', 'a question');
  peer.send({ id: asked.id, result: { decision } });
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
      '-c',
      `model_providers.scripted.script=${join(home.path, 'other.json')}`,
    );
    expect(live).toEqual({ code: 1, text: expect.stringContaining('I do something else.') });
    expect(rerunOf(home, tape, '--live', 'model')).toEqual({ code: 0, text: expect.stringMatching(/^SAME/) });
    expect(existsSync(join(home.work, 'ran.txt'))).toBe(false);
  });

  it('runs the commands again where the executor is live', async () => {
    const { home, tape } = await recorded((peer) => call(peer, 'go'));
    rmSync(join(home.work, 'ran.txt'));
    expect(rerunOf(home, tape, '--live', 'executor')).toEqual({ code: 0, text: expect.stringMatching(/^SAME/) });
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

  it('refuses a tape without inner seams', async () => {
    const home = openHome();
    const outer = home.write('outer.jsonl', '{"meta":{}}\n{"t":0,"dir":"in","line":"{}"}\n');
    expect(rerunOf(home, outer)).toEqual({
      code: 2,
      text: 'codex-rx rerun: the tape lacks what model and commands sent to the server; rerun needs one of codex-rx mcp-server --record FILE; for any other tape there is codex-rx replay\n',
    });
  });
});
