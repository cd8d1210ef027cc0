/** The program of `notify`, started by the real server: only the operator names it, and it is taken from no workspace. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, startServer } from '../../support/daemon/peer';
import { type Home, openHome } from '../../support/home';
import { until } from '../../support/processes';

afterEach(endServers);

const SCRIPT = { otherwise: { items: [{ text: 'hello' }] } };

/** A program that writes its last argument to a file. */
const writeProgram = (home: Home, name: string): { program: string; written: string } => {
  const written = join(home.path, `${name.replaceAll('/', '-')}.written`);
  const text = `#!/bin/sh\nfor last; do :; done\nprintf '%s' "$last" > '${written}.part'\nmv '${written}.part' '${written}'\n`;
  const program = home.write(name, text);
  chmodSync(program, 0o755);
  return { program, written };
};

const whenThere = async (path: string): Promise<string> => {
  await until(() => existsSync(path), path);
  return readFileSync(path, 'utf8');
};

describe('notify', () => {
  it('runs the program of config.toml when a turn is complete', async () => {
    const home = openHome();
    const { program, written } = writeProgram(home, 'notify');
    home.write('.codex/config.toml', `notify = ["${program}", "first"]\n`);
    const peer = startServer({ home, script: SCRIPT });
    await greet(peer);
    expect(textOf(await peer.request('tools/call', codexCall(peer, 'hi')))).toBe('hello');
    expect(JSON.parse(await whenThere(written))).toMatchObject({
      type: 'agent-turn-complete',
      cwd: home.work,
      'input-messages': ['hi'],
      'last-assistant-message': 'hello',
    });
  });

  it('is refused in a call', async () => {
    const home = openHome();
    const { program, written } = writeProgram(home, 'notify');
    const peer = startServer({ home, script: SCRIPT });
    await greet(peer);
    const { result } = await peer.request('tools/call', codexCall(peer, 'hi', { config: { notify: [program] } }));
    expect([result.isError, textOf({ result })]).toEqual([true, expect.stringContaining('a call may not set notify')]);
    expect(existsSync(written)).toBe(false);
  });

  it('takes no program of the workspace', async () => {
    const home = openHome();
    const { written } = writeProgram(home, 'work/node_modules/.bin/say');
    home.write('.codex/config.toml', 'notify = ["say"]\n');
    const PATH = `${join(home.work, 'node_modules/.bin')}:/usr/bin:/bin`;
    const peer = startServer({ home, script: SCRIPT, cwd: home.work, env: { ...home.env, PATH } });
    await greet(peer);
    expect(textOf(await peer.request('tools/call', codexCall(peer, 'hi')))).toBe('hello');
    await peer.end();
    expect(peer.stderr()).toContain('it is in no folder of PATH outside of the workspace');
    expect(existsSync(written)).toBe(false);
  });
});
