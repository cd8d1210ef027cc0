/** A command in a sandbox with an open network calls the servers of this program, as the same user; none serves it. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Subscription } from 'rxjs';
import { httpListener } from '../../src/io/http/listenHttp';
import { toHttpListen } from '../../src/io/mcpServer/httpAddress';
import { readCallback } from '../../src/settings/auth/callback';
import { listenAnywhere } from '../../src/settings/logins/listenCallback';
import { endExecServers, listenExecServer } from '../support/exec/execSocket';
import { openSandbox, PATH, runIn } from '../support/exec/sandboxes';
import { removeFolder } from '../support/files';
import { needs } from '../support/needs/needs';

const { describe } = needs('sandbox');

const TOKEN = 'of-this-spec';

/** Prints the status with which a server answers; 101 if it opens a WebSocket. */
const CALLER = `
  const [url, token] = process.argv.slice(2);
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': 13, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
  const headers = { ...(url.startsWith('ws') && upgrade), ...(token && { authorization: 'Bearer ' + token }) };
  const print = ({ statusCode }) => { console.log(statusCode); process.exit(); };
  require('node:http').get(url.replace('ws', 'http'), { headers }).on('response', print).on('upgrade', print);
`;

describe('a listener of this program', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-listeners-')));
  const [workspace, codexHome, tokenFile] = [join(base, 'workspace'), join(base, 'codex'), join(base, 'token')];
  for (const folder of [workspace, codexHome]) mkdirSync(folder);
  writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
  const caller = join(workspace, 'caller.js');
  writeFileSync(caller, CALLER);
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });
  afterAll(async () => {
    await endExecServers();
    removeFolder(base);
  });

  const run = async (script: string): Promise<string> => {
    const own = { cwd: workspace, networkAccess: true };
    const { asSet } = openSandbox({ own, codexHome, credentialFiles: [tokenFile] });
    const { stdout, stderr } = await runIn(asSet, ['/bin/bash', '-c', script], { cwd: workspace, env: { PATH } });
    return stdout.trim() || stderr.trim();
  };
  const inside = (...args: string[]): Promise<string> => run(`node caller.js ${args.join(' ')}`);
  const outside = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [caller, ...args])).stdout.trim();

  it('for processes serves programs of this user outside of sandboxes', async () => {
    const { url } = await listenExecServer();
    expect([await outside(url), await inside(url)]).toEqual(['101', '403']);
  });

  it.each([
    ['a process that has left its parents', 'setsid bash -c "(node caller.js URL > said &); sleep 3"; cat said'],
    ['another name of loopback', 'node caller.js localhost'],
    ['a user namespace of its own', 'unshare -Ur node caller.js URL || node caller.js URL'],
  ])('for processes serves no sandbox by %s', async (_, script) => {
    const { url } = await listenExecServer();
    const named = url.replace('127.0.0.1', 'localhost');
    expect(await run(script.replace('localhost', named).replaceAll('URL', url))).not.toBe('101');
  });

  it('for processes serves a sandbox that was given the token, which it cannot read for itself', async () => {
    const { url } = await listenExecServer('--token-file', tokenFile);
    expect([await inside(url), await inside(url, TOKEN)]).toEqual(['401', '101']);
    expect(await run(`cat ${tokenFile}`)).toMatch(/Permission denied|No such/);
  });

  it('over HTTP serves programs outside of sandboxes, whatever connection they use', async () => {
    const url = await new Promise<string>((onBound, onError) => {
      const listen = toHttpListen({ host: '127.0.0.1', port: 0 }, []);
      stops.push(httpListener(listen, { onBound, onError, onRequest: (_, response) => response.end() }));
    });
    expect([await outside(url), await inside(url), await outside(url)]).toEqual(['200', '403', '200']);
  });

  it('for a login lets no sandbox cancel it', async () => {
    const port = await new Promise<number>((resolve) => {
      const listening: Subscription = listenAnywhere().subscribe(({ port, callback$ }) => {
        listening?.add(
          callback$.subscribe(({ request, respond }) => {
            const outcome = readCallback({ port, state: 'S', isUsed: false }, request);
            if (outcome.kind !== 'code') respond(outcome.response);
          }),
        );
        resolve(port);
      });
      stops.push(() => listening.unsubscribe());
    });
    const url = `http://127.0.0.1:${port}/cancel`;
    expect([await inside(url), await outside(url)]).toEqual(['403', '200']);
  });
});
