/** An approval is for the folder that was there when it was given, whatever a command puts in its place. */
import { mkdirSync, readdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { askableServer, codexCall } from '../../support/daemon/legacy';
import { endServers, type Json } from '../../support/daemon/peer';
import { openHome } from '../../support/home';
import { needs } from '../../support/needs/needs';

afterEach(endServers);

/** Without these, the temporary folder would be writable, and with it the folders of this spec, which are in it. */
const ARGS = [
  ...['-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
  ...['-c', 'sandbox_workspace_write.exclude_tmpdir_env_var=true'],
];

/** A server whose model makes these calls one after another; `/OUT` is a folder outside of the workspace, `/WORK` the workspace. */
const around = async (...calls: Json[]) => {
  const home = openHome();
  const out = join(home.path, 'outside');
  mkdirSync(out);
  mkdirSync(join(home.work, 'sub'));
  const answers = calls.map((args, i) => ({ items: [{ call: 'shell', args, id: `c${i}` }] }));
  const scenes = [{ when: '.', answers: [...answers, { items: [{ text: 'It said: {{output}}' }] }] }];
  const script = JSON.parse(JSON.stringify({ scenes }).replaceAll('/OUT', out).replaceAll('/WORK', home.work));
  const peer = await askableServer({ home, script, args: ARGS });
  const settings = { sandbox: 'workspace-write', 'approval-policy': 'on-request' };
  const answer = peer.request('tools/call', codexCall(peer, 'go', settings), 1);
  return { peer, home, out, answer };
};

const touch = { command: ['touch', 'x'], workdir: 'sub', with_escalated_permissions: true };
const swap = { command: ['sh', '-c', 'rm -r sub && ln -s /OUT sub'] };
const reply = (id: unknown, decision: string): Json => ({ id, result: { action: 'accept', content: { decision } } });

needs('sandbox').describe('an approval for the session', () => {
  it('does not count where a link has taken the place of the folder, and the question names where it leads', async () => {
    const { peer, out, answer } = await around(touch, swap, touch);
    const first = await peer.nextOf('elicitation/create');
    expect(first.params.message).not.toContain('link');
    peer.send(reply(first.id, 'approved_for_session'));
    const second = await peer.nextOf('elicitation/create');
    expect(readdirSync(out)).toEqual([]);
    expect(second.params.message).toContain(`sub is reached by a link; the command runs in ${out}`);
    peer.send(reply(second.id, 'approved'));
    await answer;
    expect(readdirSync(out)).toEqual(['x']);
  });
});

describe('an approval', () => {
  it('does not count for a folder that was replaced while the question was open', async () => {
    const { peer, home, out, answer } = await around(touch);
    const { id } = await peer.nextOf('elicitation/create');
    rmdirSync(join(home.work, 'sub'));
    symlinkSync(out, join(home.work, 'sub'));
    peer.send(reply(id, 'approved'));
    expect((await answer).result.content[0].text).toContain('was replaced by a link');
    expect(readdirSync(out)).toEqual([]);
  });
});
