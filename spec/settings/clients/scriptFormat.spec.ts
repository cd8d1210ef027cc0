import { CLIENTS, type Client } from '../../../src/settings/clients/clients';
import { EntryError, planEntry, type Wish } from '../../../src/settings/clients/planEntry';
import { elispFormat, luaFormat } from '../../../src/settings/clients/scriptFormat';

const wish = (name: string, own: Partial<Wish> = {}): Wish => ({
  client: CLIENTS[name] as Client,
  server: 'codex-rx',
  program: ['node', '/opt/"x"/bin/codex-rx.js'],
  env: {},
  action: { kind: 'serve' },
  ...own,
});

const none = { text: undefined, backup: undefined };
const home = { CODEX_HOME: '/h' };

describe('a script for an editor', () => {
  it('is a Lua module with an adapter', () => {
    const text = planEntry(wish('neovim', { env: home }), none) ?? '';
    expect(text.split('\n').slice(1)).toEqual([
      'return {',
      '  adapter = function()',
      '    return require("codecompanion.adapters").extend("codex", {',
      '      commands = { default = { "node", "/opt/\\"x\\"/bin/codex-rx.js", "acp" } },',
      '      defaults = { auth_method = "present" },',
      '      env = { ["CODEX_HOME"] = "/h" },',
      '    })',
      '  end,',
      '}',
      '',
    ]);
  });

  it('is a command in Emacs Lisp', () => {
    const text = planEntry(wish('emacs', { env: home }), none) ?? '';
    expect(text.split('\n')[1]).toBe(
      `(setq agent-shell-openai-codex-acp-command '("env" "CODEX_HOME=/h" "node" "/opt/\\"x\\"/bin/codex-rx.js" "acp"))`,
    );
  });

  it.each(['neovim', 'emacs'])('for %s is written again as it is, changed, and removed by undo', (name) => {
    const text = planEntry(wish(name), none);
    expect(planEntry(wish(name), { text, backup: undefined })).toBe(text);
    const recorded = planEntry(wish(name, { action: { kind: 'record', tape: '/t/' } }), { text, backup: undefined });
    expect(recorded).toContain('"record"');
    for (const now of [text, recorded]) {
      const undo = wish(name, { action: { kind: 'undo' } });
      expect(planEntry(undo, { text: now, backup: undefined })).toBeUndefined();
    }
  });

  it('leaves a file of somebody else alone', () => {
    for (const text of ['return {}', '-- codex-rx init: {', '-- codex-rx init: 5']) {
      expect(() => planEntry(wish('neovim'), { text, backup: undefined })).toThrow(EntryError);
    }
  });

  it('writes characters as its language does', () => {
    const path = 'a\u0007\bé';
    expect(luaFormat.set('', ['s', 'a'], { command: 'C:\\bin' })).toContain('"C:\\\\bin"');
    expect(luaFormat.set('', ['s', 'a'], { command: path })).toContain('"a\\007\\008é"');
    expect(elispFormat.set('', ['s', 'a'], { command: path })).toContain('"a\\u0007\\bé"');
  });
});
