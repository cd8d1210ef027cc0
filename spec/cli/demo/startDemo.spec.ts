import { join } from 'node:path';
import { serveCommand } from '../../../src/cli/demo/startDemo';

describe('serveCommand', () => {
  const binIn = (...folders: string[]): string => join('/home', 'me', ...folders, 'bin', 'codex-rx.js');

  it.each([
    ['a checkout', ['codex-rx']],
    ['an installed package', ['project', 'node_modules', 'codex-rx']],
    ['a copy of npx', ['.npm', '_npx', '8f2c', 'node_modules', 'codex-rx']],
  ])('names the file of %s, also where the registry has no such package', (_, folders) => {
    expect(serveCommand(binIn(...folders))).toEqual(['node', binIn(...folders), 'mcp-server']);
  });
});
