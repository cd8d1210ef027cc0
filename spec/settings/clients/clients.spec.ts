import { CLIENTS, type Client, placeOf } from '../../../src/settings/clients/clients';

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
      'zed-acp': '/home/me/.config/zed/settings.json',
      neovim: '/home/me/.config/nvim/lua/codex_rx.lua',
      emacs: '/home/me/.config/codex-rx/agent-shell.el',
      'jetbrains-acp': '/home/me/.jetbrains/acp.json',
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
      neovim: 'C:\\Users\\me\\AppData\\Local\\nvim\\lua\\codex_rx.lua',
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

  it.each([
    ['claude-code', 'linux', ['/h/.claude.json']],
    ['cursor', 'linux', ['/h/.cursor']],
    ['codex', 'linux', ['/a/codex', '/b/codex', '/h/.codex/auth.json', '/h/.codex/version.json']],
  ] as const)('are installed if one of their signs is there: %s on %s', (name, platform, signs) => {
    const machine = { platform, home: '/h', codexHome: '/h/.codex', env: { PATH: '/a::/b' } };
    expect(placeOf(machine, CLIENTS[name] as Client).signs).toEqual(signs);
  });

  it('are programs with an ending on Windows', () => {
    const machine = { platform: 'win32', home: 'C:\\me', codexHome: 'C:\\me\\.codex', env: { PATH: 'C:\\a;D:\\b' } };
    expect(placeOf(machine, CLIENTS.codex as Client).signs.slice(0, 3)).toEqual([
      'C:\\a\\codex.exe',
      'C:\\a\\codex.cmd',
      'D:\\b\\codex.exe',
    ]);
  });
});
