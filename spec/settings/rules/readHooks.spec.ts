import { loaded } from '../deps';

const HOOK = '[[hooks.PreToolUse]]\nmatcher = "Bash"\nhooks = [{ type = "command", command = "check" }]';
const json = (event: string) =>
  JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command: 'check' }] }] } });
const REMEDY =
  'because no hooks are run here; use --engine app-server, switch all hooks off by -c features.hooks=false, or remove it';
const unkept = (toml: string, files: Record<string, string> = {}) => loaded({ toml, files, cwd: '/repo' }).unkept;

describe('hooks that may forbid something', () => {
  it('cannot be kept, wherever they are', () => {
    expect(unkept('')).toBeUndefined();
    expect(unkept(HOOK)).toEqual([`/home/config.toml:1: the hook PreToolUse cannot be kept, ${REMEDY}`]);
    expect(unkept('', { '/home/hooks.json': json('PermissionRequest') })).toEqual([
      `/home/hooks.json: the hook PermissionRequest cannot be kept, ${REMEDY}`,
    ]);
    const project = { '/repo/.codex/hooks.json': json('UserPromptSubmit') };
    expect(unkept('', project)).toBeUndefined();
    expect(unkept('[projects."/repo"]\ntrust_level = "trusted"', project)).toEqual([
      `/repo/.codex/hooks.json: the hook UserPromptSubmit cannot be kept, ${REMEDY}`,
    ]);
  });

  it('cannot be kept either if their file cannot be read', () => {
    expect(unkept('', { '/home/hooks.json': '[' })).toEqual([
      '/home/hooks.json: no JSON object, so its hooks cannot be kept; use --engine app-server, switch all hooks off by -c features.hooks=false, or remove it',
    ]);
  });

  it('do not matter if they only watch, or are switched off by the operator', () => {
    expect(unkept('', { '/home/hooks.json': json('Stop') })).toBeUndefined();
    expect(unkept(`features.hooks = false\n${HOOK}`)).toBeUndefined();
    expect(loaded({ toml: HOOK, overrides: ['features.hooks=false'] }).unkept).toBeUndefined();
    const call = { config: { features: { hooks: false } } };
    expect(() => loaded({ toml: HOOK }, call)).toThrow('a call may not set features.hooks');
  });
});
