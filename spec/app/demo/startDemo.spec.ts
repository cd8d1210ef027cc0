import { join } from 'node:path';
import { serveCommand } from '../../../src/app/demo/startDemo';

describe('serveCommand', () => {
  it('names the package where it was installed as one, else the file itself', () => {
    const checkout = join('/home', 'me', 'codex-rx', 'bin', 'codex-rx.js');
    const installed = join('/home', 'me', 'node_modules', 'codex-rx', 'bin', 'codex-rx.js');
    expect([serveCommand(checkout), serveCommand(installed)]).toEqual([
      ['node', checkout, 'mcp-server'],
      ['npx', '-y', 'codex-rx', 'mcp-server'],
    ]);
  });
});
