/** The socket of a program outside, which a command without a network moves or links to where a command with one may connect. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenedSandbox, openSandbox, runIn, sandboxesOf } from '../../support/exec/sandboxes';
import { needs } from '../../support/needs/needs';
import { until } from '../../support/processes';

const { describe } = needs('sandbox');

const CONNECT =
  "require('net').connect('at/new').on('error', (e) => console.log(e.code)).on('data', (d) => console.log(String(d)))";

describe('the socket of a program outside', () => {
  let base = '';
  let server: Server;
  const at = (path: string) => join(base, path);
  const place = () => ({ codexHome: at('codex'), home: at('home') });
  const run = (session: OpenedSandbox, script: string) =>
    runIn(session.asSet, ['/bin/bash', '-c', script], { cwd: at('w') });
  const connect = `${process.execPath} -e "${CONNECT}"`;

  beforeEach(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-')));
    for (const folder of ['w', 'w/of', 'w/at', 'codex', 'home']) mkdirSync(at(folder));
    await new Promise<void>((resolve) => {
      server = createServer((socket) => socket.end('reached')).listen(at('w/of/agent'), resolve);
    });
  });
  afterEach(() => {
    server.close();
    rmSync(base, { recursive: true });
  });

  const MOVES = ['ln of/agent at/new', 'mv of/agent at/new && mkfifo of/agent'];

  it.each(MOVES)('is not reached where a command of another server put it: %s', async (move) => {
    await run(openSandbox({ own: { cwd: at('w') }, ...place() }), move);
    expect(existsSync(at('w/at/new'))).toBe(true);
    const { stdout } = await run(openSandbox({ own: { cwd: at('w'), networkAccess: true }, ...place() }), connect);
    expect(stdout).toBe('EPERM\n');
  });

  it.each([...MOVES, 'mv of at/moved', 'rm of/agent'])(
    'stays where it is while a command runs that may connect: %s',
    async (move) => {
      const open = sandboxesOf(place());
      const [connects, moves] = [
        open({ cwd: at('w'), networkAccess: true, unixSockets: true }),
        open({ cwd: at('w') }),
      ];
      const running = run(connects, `touch up; until [ -e go ]; do sleep 0.02; done; ${connect}`);
      await until(() => existsSync(at('w/up')), 'the command is running');
      const { exitCode } = await run(moves, `(${move}); code=$?; touch go; exit $code`);
      expect([exitCode, (await running).stdout]).toEqual([1, 'ENOENT\n']);
    },
  );
});
