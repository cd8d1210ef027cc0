/** The engine that plays a tape: what real Codex once sent, this server sends again. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { commandLine } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';

afterAll(removeHomes);

const run = promisify(execFile);
const tapeOf = (name: string): string => resolve(__dirname, `../../fixtures/tapes/${name}.jsonl`);

describe('mcp-server --engine tape', () => {
  it.each([
    'codex-happy',
    'codex-string-id',
    'exec-approval-approved',
    'exec-approval-denied',
    'patch-approval-approved',
  ])('emits what codex 0.28.0 sent on the tape %s', async (name) => {
    const { env, work } = openHome();
    const [node, server] = commandLine('mcp-server', '--engine', 'tape', '--tape', tapeOf(name), '--face', '0.28');
    const [program, args] = commandLine('replay', tapeOf(name), '--', node, ...server);
    const { stdout } = await run(program, args, { env, cwd: work }).catch((error) => error);
    expect(stdout).toMatch(/^SAME/);
  });

  it('reports what is wrong with a tape that cannot be read', async () => {
    const { env, work } = openHome();
    const [program, args] = commandLine(
      'replay',
      tapeOf('codex-happy'),
      '--',
      ...commandLine('mcp-server', '--engine', 'tape', '--tape', '/no/tape', '--face', '0.28').flat(),
    );
    const { stdout } = await run(program, args, { env, cwd: work }).catch((error) => error);
    expect(stdout).toContain('/no/tape cannot be read');
  });
});
