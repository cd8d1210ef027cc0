/** A model that wants to read a file that the user's permission profile denies, against the real server and the real sandbox. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../support/daemon/peer';
import { openHome, removeHomes } from '../support/home';
import { needs } from '../support/needs/needs';

afterEach(endServers);
afterEach(removeHomes);

type Call = { call: string; args: Json };
const bash = (script: string, more: Json = {}): Call => ({
  call: 'shell',
  args: { command: ['bash', '-lc', script], ...more },
});
const shell = (...command: string[]): Call => ({ call: 'shell', args: { command } });
const patch = (...lines: string[]): Call => ({
  call: 'apply_patch',
  args: { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
});

const SECRET = 'for nobody';
const SETTINGS = { sandbox: 'workspace-write', 'approval-policy': 'on-request' };

/** A server whose model makes these calls; a profile denies `private`, a folder of the workspace, and `key.txt` above it. */
const around = (rules: string, ...calls: Call[]) => {
  const home = openHome();
  home.write('.codex/rules/default.rules', rules);
  home.write('key.txt', `${SECRET}\n`);
  mkdirSync(join(home.work, 'sub/private'), { recursive: true });
  writeFileSync(join(home.work, 'sub/private/file'), `${SECRET}\n`);
  writeFileSync(join(home.work, 'sub/other'), 'read me\n');
  symlinkSync('sub/private/file', join(home.work, 'link'));
  home.write(
    '.codex/config.toml',
    `default_permissions = "mine"
[permissions.mine]
extends = ":workspace"
[permissions.mine.filesystem]
"~/key.txt" = "deny"
":workspace_roots" = { "sub/private" = "deny" }`,
  );
  const items = calls.map((call, i) => ({ items: [{ ...call, id: `c${i}` }] }));
  const script = { scenes: [{ when: '.', answers: [...items, { items: [{ text: 'It said: {{output}}' }] }] }] };
  return { home, launch: { home, script } };
};

/** What the model reads at last; each question is approved. */
const run = async (peer: Peer, settings: Json): Promise<string> => {
  await greet(peer);
  peer.child.stdout?.on('data', () => {
    for (const { id, method } of peer.messages) {
      if (method !== 'elicitation/create' || answered.has(id)) continue;
      answered.add(id);
      peer.send({
        jsonrpc: '2.0',
        id,
        result: { action: 'accept', decision: 'approved', content: { decision: 'approved' } },
      });
    }
  });
  const answered = new Set<unknown>();
  return textOf(await peer.request('tools/call', codexCall(peer, 'go', { ...SETTINGS, ...settings }), 1));
};

needs('sandbox').describe('a denied file', () => {
  it.each<[way: string, calls: Call[]]>([
    ['by a command', [bash('cat ../key.txt sub/private/file')]],
    ['by a command that only reads', [shell('cat', 'sub/private/file')]],
    ['through a link', [bash('cat link; ln -s ../key.txt new; cat new')]],
    ['by a hard link', [bash('ln ../key.txt hard; cat hard; ln sub/private/file x; cat x')]],
    ['after its folder was moved', [bash('mv sub sub2; cat sub2/private/file'), bash('cat sub*/private/file')]],
    ['after it was moved', [bash('mv sub/private p'), bash('chmod 700 p; cat p/file')]],
    [
      'by a command that was approved',
      [bash('cat ../key.txt', { with_escalated_permissions: true, justification: 'x' })],
    ],
    ['by an allowed command', [shell('tac', '../key.txt')]],
    [
      'by a patch that moves it',
      [patch('*** Update File: sub/private/file', '*** Move to: moved', '@@', `-${SECRET}`, '+x'), bash('cat moved')],
    ],
    ['as a picture', [{ call: 'view_image', args: { path: '../key.txt' } }]],
    ['through a process that is left behind', [bash('(sleep 0.2; cat ../key.txt > copy) & sleep 0.5; cat copy')]],
  ])('is not read %s', async (_, calls) => {
    const { home, launch } = around('prefix_rule(["tac"])', ...calls);
    expect(await run(startServer(launch), {})).not.toContain(SECRET);
    expect(readFileSync(join(home.path, 'key.txt'), 'utf8')).toBe(`${SECRET}\n`);
  });

  it('is not read because a call asks for full access, or for other permissions', async () => {
    const { launch } = around('', bash('cat ../key.txt'));
    const peer = startServer(launch);
    expect(await run(peer, { sandbox: 'danger-full-access' })).toMatch(
      /sandbox_mode = "danger-full-access" cannot keep/,
    );
    const config = { default_permissions: ':workspace' };
    expect(textOf(await peer.request('tools/call', codexCall(peer, 'go', { ...SETTINGS, config }), 2))).toMatch(
      /default_permissions/,
    );
  });

  it('leaves the others readable', async () => {
    const { launch } = around('', bash('cat sub/other'));
    expect(await run(startServer(launch), {})).toContain('read me');
  });
});
