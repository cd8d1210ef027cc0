import { examineClients } from '../../../src/cli/commands/doctor';
import type { FoundClient } from '../../../src/settings/clients/clientFile';
import { CLIENTS, type Client } from '../../../src/settings/clients/clients';

const found = (name: string, entries: FoundClient['entries'], fault?: string): FoundClient => ({
  name,
  client: CLIENTS[name] as Client,
  path: '/x',
  entries,
  ...(fault !== undefined && { fault }),
});

describe('examineClients', () => {
  it('names what each client starts, and what is wrong with it', () => {
    const clients = [
      found('cursor', {
        codex: { command: '/n/node', args: ['/p/codex-rx.js', 'mcp-server'] },
        docs: { command: 'npx' },
      }),
      found('zed', { old: { command: '/gone/node', args: ['/p/codex-rx.js'] } }),
      found('vscode', { codex: { command: 'codex', args: ['mcp-server', '--token', 's3cr3t-of-mine'] } }),
      found('gemini', {}, 'line 1 is no JSON'),
      found('windsurf', { docs: { command: 'npx' } }),
      found('jetbrains', {}),
      found('codex', {}, 'config.toml is no TOML'),
    ];
    const results = examineClients(clients, (path) => !path.startsWith('/gone'));
    expect(JSON.stringify(results)).not.toContain('s3cr3t');
    expect(results).toEqual([
      { text: 'Cursor starts codex: /n/node /p/codex-rx.js mcp-server' },
      {
        state: 'warning',
        text: 'Zed starts old: /gone/node /p/codex-rx.js; /gone/node is not there',
        remedy: 'codex-rx init zed old',
      },
      {
        state: 'warning',
        text: expect.stringMatching(
          /^VS Code starts codex: codex mcp-server --token .*; newer releases of Codex lack it$/,
        ),
        remedy: 'codex-rx init vscode',
      },
      { state: 'warning', text: 'line 1 is no JSON' },
      {
        text: 'no entry for codex-rx: windsurf, jetbrains',
        remedy: 'to have one start codex-rx: codex-rx init windsurf',
      },
    ]);
  });

  it('finds nothing on a machine without clients', () => {
    expect(examineClients([], () => true)).toEqual([]);
  });
});
