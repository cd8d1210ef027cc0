import { CLIENTS, placeOf } from '../../../src/settings/clients/clients';

const pathsOn = (platform: string, home: string, env = {}) =>
  Object.fromEntries(
    Object.entries(CLIENTS).map(([name, client]) => [
      name,
      placeOf({ platform, home, codexHome: `${home}/.codex`, env }, client).files.at(-1),
    ]),
  );

describe('clients', () => {
  it('have their files on Linux', () => {
    expect(pathsOn('linux', '/home/me')).toEqual({
      'claude-code': '/home/me/.claude.json',
      'claude-desktop': '/home/me/.config/Claude/claude_desktop_config.json',
      cursor: '/home/me/.cursor/mcp.json',
      vscode: '/home/me/.config/Code/User/mcp.json',
      zed: '/home/me/.config/zed/settings.json',
      windsurf: '/home/me/.codeium/windsurf/mcp_config.json',
      gemini: '/home/me/.gemini/settings.json',
      opencode: '/home/me/.config/opencode/opencode.json',
      codex: '/home/me/.codex/config.toml',
      copilot: '/home/me/.copilot/mcp-config.json',
      jetbrains: '/home/me/.junie/mcp/mcp.json',
    });
  });

  it('have some elsewhere on macOS and Windows, and if a variable names the folder', () => {
    expect(pathsOn('darwin', '/Users/me')).toMatchObject({
      'claude-desktop': '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
      vscode: '/Users/me/Library/Application Support/Code/User/mcp.json',
      zed: '/Users/me/.config/zed/settings.json',
      opencode: '/Users/me/.config/opencode/opencode.json',
    });
    expect(pathsOn('win32', 'C:\\Users\\me', { APPDATA: 'D:\\Roaming' })).toMatchObject({
      'claude-desktop': 'D:\\Roaming\\Claude\\claude_desktop_config.json',
      cursor: 'C:\\Users\\me\\.cursor\\mcp.json',
      zed: 'D:\\Roaming\\Zed\\settings.json',
      opencode: 'C:\\Users\\me\\.config\\opencode\\opencode.json',
    });
    expect(
      pathsOn('linux', '/home/me', { XDG_CONFIG_HOME: '/x', CLAUDE_CONFIG_DIR: '/c', COPILOT_HOME: '/p' }),
    ).toMatchObject({
      'claude-code': '/c/.claude.json',
      vscode: '/x/Code/User/mcp.json',
      zed: '/x/zed/settings.json',
      copilot: '/p/mcp-config.json',
    });
  });

  it('are installed if their folder is there, or the one file of the client', () => {
    const signs = (['claude-code', 'cursor'] as const).map(
      (name) =>
        placeOf({ platform: 'linux', home: '/h', codexHome: '/h/.codex', env: {} }, CLIENTS[name] as never).sign,
    );
    expect(signs).toEqual(['/h/.claude.json', '/h/.cursor']);
  });
});
