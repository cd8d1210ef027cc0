import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, map, mergeMap, NEVER, type Observable, of, throwError, toArray } from 'rxjs';
import { toolServerByUrl, type UrlServersDeps } from '../../../src/agent/native/toolServerByUrl';
import { NotStarted, type ToolServerSpec } from '../../../src/agent/toolServers/toolServer';
import type { Backend } from '../../../src/executor/backend';
import type { HttpPost } from '../../../src/io/http/httpRequest';
import { silentLog } from '../../../src/protocol/log';
import { mcpLoginsHere } from '../../../src/settings/mcpLogins/mcpLoginsHere';

const local: Backend = { start: () => NEVER };
const spec = (own: Partial<ToolServerSpec> = {}): ToolServerSpec => ({
  argv: [],
  url: 'https://user:pass@h/mcp?key=1',
  httpHeaders: {},
  envHttpHeaders: {},
  environmentId: 'local',
  cwd: '/',
  env: {},
  startTimeoutMs: 1,
  toolTimeoutMs: 1,
  disabledTools: [],
  ...own,
});

/** What is sent to the server, whose response is not one of MCP. */
const opened = (own: Partial<UrlServersDeps> = {}) => {
  const sent: Parameters<HttpPost>[0][] = [];
  const open = toolServerByUrl({
    env: { TOKEN: ' hunter2hunter2 ', EMPTY: ' ', KEY: 'k-e-y' },
    seams: { backend: (plain) => plain, effects: 'live' },
    send: (request) => {
      sent.push(request);
      const headers = { 'content-type': 'text/plain' };
      return of({ status: 401, statusText: '', headers, body$: of(`no: ${request.headers.authorization}`) });
    },
    background: () => {},
    log: silentLog,
    codexHome: '/no/home',
    local,
    ...own,
  });
  return { open: (one: ToolServerSpec) => open('s', one), sent };
};
const INIT = Buffer.from('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n');

/** Why the session of a server that is written to has failed. */
const reasonOf = (backend: Backend): Promise<string> =>
  lastValueFrom(
    backend.start({ argv: [], cwd: '/', env: {} }).pipe(
      mergeMap((event): Observable<string> => {
        if (event.kind === 'started') return event.process.write(INIT).pipe(mergeMap(() => []));
        return event.kind === 'failed' ? of(event.reason) : NEVER;
      }),
      toArray(),
      map((reasons) => reasons.join()),
    ),
  );

describe('toolServerByUrl', () => {
  it('names a server without the secrets of its address, and sends the configured headers, those of the protocol first', async () => {
    const { open, sent } = opened();
    const headers = {
      bearerTokenEnvVar: 'TOKEN',
      httpHeaders: { 'X-Own': 'a', Accept: 'mine', 'X-Empty': '' },
      envHttpHeaders: { 'X-Key': 'KEY', 'X-Unset': 'UNSET', 'X-Blank': 'EMPTY' },
    };
    const { backend, name } = open(spec(headers));
    expect(name).toBe('https://h/mcp');
    await reasonOf(backend);
    expect(sent[0]).toMatchObject({
      url: 'https://user:pass@h/mcp?key=1',
      connectMs: 10_000,
      headers: { authorization: 'Bearer hunter2hunter2', 'x-own': 'a', 'x-key': 'k-e-y' },
    });
    expect(sent[0]?.headers.accept).not.toBe('mine');
    for (const name of ['x-empty', 'x-unset', 'x-blank']) expect(sent[0]?.headers).not.toHaveProperty(name);
  });

  it('keeps what it sends out of the reason of a failure', async () => {
    const { open } = opened();
    const reason = await reasonOf(open(spec({ bearerTokenEnvVar: 'TOKEN' })).backend);
    expect(reason).toMatch(/^HTTP 401 of https:\/\/h\/mcp/);
    expect(reason).not.toContain('hunter2');
  });

  it('keeps what looks like a credential in its address out of the reason of a failure, as given and as repeated', async () => {
    const lost = new Error('no way to /s/0a1b2c3d4e5f6a7b?key=87654321');
    const { open } = opened({ send: () => throwError(() => lost) });
    const reason = await reasonOf(open(spec({ url: 'https://h/s/0a1b2c3d4e5f6a7b?key=87654321' })).backend);
    expect(reason).toContain('https://h/s/[redacted] ');
    expect(reason).not.toMatch(/0a1b|8765/);
  });

  it.each<[string, Partial<ToolServerSpec>, RegExp]>([
    ['no address', { url: 'ftp://h' }, /no address that begins with https/],
    ['no address at all', { url: undefined }, /no address/],
    ['an address elsewhere', { environmentId: 'box' }, /take environment_id = "box" out/],
    ['an unset token', { bearerTokenEnvVar: 'UNSET' }, /UNSET, which bearer_token_env_var names, is not set/],
    ['an empty token', { bearerTokenEnvVar: 'EMPTY' }, /EMPTY, which .* is not set/],
  ])('refuses %s', (_, own, reason) => {
    const act = () => opened().open(spec(own));
    expect(act).toThrow(NotStarted);
    expect(act).toThrow(reason);
  });

  it('is behind the seam, and in a rerun what plays the recorded sessions', () => {
    const recorded: Backend = { start: () => NEVER };
    const behind = opened({ seams: { backend: () => recorded, effects: 'live' } });
    expect(behind.open(spec()).backend).toBe(recorded);
    const rerun = opened({ seams: { backend: () => recorded, effects: 'none' } });
    expect(rerun.open(spec({ bearerTokenEnvVar: 'UNSET' }))).toEqual({ name: 'https://h/mcp', backend: local });
  });

  it('hides the tokens of a login that were renewed meanwhile, as a server that got them may send them back', async () => {
    const codexHome = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-logins-')));
    const url = 'https://h/mcp';
    const login = { clientId: 'c', accessToken: 'first-token', refreshToken: 'first-refresh', scopes: [] };
    mcpLoginsHere({ codexHome })
      .file.change({ name: 's', url }, () => ({ ...login, issuer: 'https://h' }))
      .subscribe();
    const answers: Record<string, object> = {
      'https://h/.well-known/oauth-authorization-server': {
        issuer: 'https://h',
        authorization_endpoint: 'https://h/a',
        token_endpoint: 'https://h/t',
      },
      'https://h/t': { access_token: 'second-token', refresh_token: 'second-refresh' },
    };
    const { open } = opened({
      codexHome,
      send: (request) => {
        const isSecond = request.headers.authorization === 'Bearer second-token';
        const message = 'got first-token first-refresh second-token';
        const body = answers[request.url] ?? { jsonrpc: '2.0', id: null, error: { code: 1, message } };
        const status = request.url === url ? (isSecond ? 400 : 401) : request.url in answers ? 200 : 404;
        const headers = { 'content-type': 'application/json' };
        return of({ status, statusText: '', headers, body$: of(JSON.stringify(body)) });
      },
    });
    const reason = await reasonOf(open(spec({ url })).backend);
    rmSync(codexHome, { recursive: true });
    expect(reason).toMatch(/^HTTP 400 of https:\/\/h\/mcp: got /);
    expect(reason).not.toMatch(/token|refresh/);
  });
});
