/** The real program logs in at an MCP server by OAuth, and the real daemon calls its tools with the token. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet } from '../../support/daemon/legacy';
import { commandLine, endServers, startServer } from '../../support/daemon/peer';
import { openHome } from '../../support/home';
import { closeOauthServers, type OauthSettings, startOauthServer } from '../../support/servers/oauthServer';

const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});
afterEach(endServers);
afterEach(closeOauthServers);

const script = {
  scenes: [
    {
      when: 'who',
      answers: [
        { items: [{ call: 'guarded__whoami', args: {}, id: 'c1' }] },
        { items: [{ text: 'Result: {{output}}' }] },
      ],
    },
  ],
  otherwise: { items: [{ text: 'plain' }] },
};

const opened = async (settings?: OauthSettings) => {
  const server = await startOauthServer(settings);
  const home = openHome();
  home.write('.codex/config.toml', `[mcp_servers.guarded]\nurl = "${server.url}"\n`);
  return { server, home, file: join(home.path, '.codex/.credentials.json') };
};

const PAGE = /^ +(http:\S+)$/m;

type Home = ReturnType<typeof openHome>;
type Ended = { code: number | null; stdout: string; stderr: string };

/** The program, the page that it names, and how it ends. */
const startProgram = (home: Home, args: string[]): { page: Promise<string>; ended: Promise<Ended> } => {
  const [program, rest] = commandLine(...args);
  const child = spawn(program, rest, { env: home.env, cwd: home.work, stdio: 'pipe' });
  running.push(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  const page = new Promise<string>((resolve) => {
    child.stderr.on('data', (text) => {
      stderr += text;
      const [, found] = PAGE.exec(stderr) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { page, ended };
};

/** Logs in as a person does: opens the page that is named. */
const logIn = async (home: Home) => {
  const program = startProgram(home, ['mcp', 'login', 'guarded']);
  const visited = await (await fetch(await program.page)).text();
  return { ...(await program.ended), visited };
};

const ask = async (home: Home): Promise<string> => {
  const peer = startServer({ home, script });
  await greet(peer);
  const answer = await peer.request('tools/call', codexCall(peer, 'who', { 'approval-policy': 'never' }), 1);
  const warnings = JSON.stringify(peer.messages.map(({ params }) => params?.msg?.message ?? ''));
  await peer.end();
  return `${answer.result.content[0].text} ${warnings}`;
};

describe('a server that wants a login', () => {
  it('is logged in at in the browser, called with the token, which is renewed, and logged out of', async () => {
    const { server, home, file } = await opened();
    expect(await ask(home)).toMatch(/unsupported call.*HTTP 401 of .*codex-rx mcp login guarded logs in/);
    expect(await logIn(home)).toMatchObject({
      code: 0,
      stdout: 'Logged in at guarded.\n',
      visited: expect.stringMatching(/^You are logged in/),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await ask(home)).toContain('a known client');
    server.forget();
    expect(await ask(home)).toContain('a known client');
    expect(server.grants.map(({ grant_type }) => grant_type)).toEqual(['authorization_code', 'refresh_token']);
    expect((await startProgram(home, ['mcp', 'list']).ended).stdout).toMatch(/^guarded {2}logged in {2}http:/);
    expect((await startProgram(home, ['mcp', 'logout', 'guarded']).ended).stdout).toBe('Logged out of guarded.\n');
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });

  it('that names no metadata of its own, as older ones, is logged in at too', async () => {
    const { home } = await opened({ plain: true });
    expect(await logIn(home)).toMatchObject({ code: 0 });
    expect(await ask(home)).toContain('a known client');
  });

  it('names what to do if the login is void', async () => {
    const { server, home } = await opened();
    await logIn(home);
    server.revoke();
    const text = await ask(home);
    expect(text).toMatch(/HTTP 401 of .*codex-rx mcp login guarded logs in/);
    expect(text).not.toMatch(/access-|refresh-/);
    expect((await startProgram(home, ['mcp', 'list']).ended).stdout).toMatch(/^guarded {2}ended {6}http:/);
  });

  it('cannot be logged in at if its metadata names no PKCE', async () => {
    const { home } = await opened({ unprotected: true });
    expect(await startProgram(home, ['mcp', 'login', 'guarded']).ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not say that its logins are protected by PKCE'),
    });
  });

  it('cannot be logged in at if the person declines', async () => {
    const { home } = await opened({ declines: true });
    expect(await logIn(home)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the login was declined (access_denied)'),
    });
  });

  it('that lets no client register is named, with what to do', async () => {
    const { home } = await opened({ closed: true });
    const { code, stderr } = await startProgram(home, ['mcp', 'login', 'guarded']).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('registers no clients; name a token by bearer_token_env_var'),
    ]);
  });
});
