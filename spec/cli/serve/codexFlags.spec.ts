import { type CodexFlags, problemOfFlags, toOverrides, toRemarks } from '../../../src/cli/serve/codexFlags';

const none: CodexFlags = {
  'ask-for-approval': undefined,
  sandbox: undefined,
  cd: undefined,
  oss: false,
  'full-auto': false,
  'dangerously-bypass-approvals-and-sandbox': false,
  yolo: false,
  enable: [],
  disable: [],
  search: false,
  'strict-config': false,
  image: [],
  'add-dir': [],
  'local-provider': undefined,
  'no-alt-screen': false,
  'dangerously-bypass-hook-trust': false,
};

describe('toOverrides', () => {
  it.each<[Partial<CodexFlags>, string[]]>([
    [{}, []],
    [{ 'ask-for-approval': 'never' }, ['approval_policy="never"']],
    [{ sandbox: 'read-only' }, ['sandbox_mode="read-only"']],
    [{ 'full-auto': true }, ['approval_policy="on-failure"', 'sandbox_mode="workspace-write"']],
    [
      { 'full-auto': true, sandbox: 'read-only' },
      ['approval_policy="on-failure"', 'sandbox_mode="workspace-write"', 'sandbox_mode="read-only"'],
    ],
    [
      { 'dangerously-bypass-approvals-and-sandbox': true },
      ['approval_policy="never"', 'sandbox_mode="danger-full-access"'],
    ],
    [{ yolo: true }, ['approval_policy="never"', 'sandbox_mode="danger-full-access"']],
    [{ oss: true }, ['model_provider="oss"', 'model="gpt-oss:20b"']],
    [{ enable: ['a'], disable: ['b', 'c'] }, ['features.a=true', 'features.b=false', 'features.c=false']],
    [{ search: true, 'strict-config': true, cd: '/' }, []],
  ])('of %j', (flags, overrides) => {
    expect(toOverrides({ ...none, ...flags }, undefined)).toEqual(overrides);
  });

  it('leaves the model that is named with --oss', () => {
    expect(toOverrides({ ...none, oss: true }, 'llama')).toEqual(['model_provider="oss"']);
  });
});

describe('toRemarks', () => {
  it('speaks of the flags that have no effect, and of no others', () => {
    expect(toRemarks({ ...none, oss: true })).toEqual([]);
    expect(toRemarks({ ...none, search: true, 'strict-config': true })).toEqual([
      expect.stringMatching(/^--search has no effect;/),
      expect.stringMatching(/^--strict-config has no effect;/),
    ]);
    expect(toRemarks({ ...none, image: ['a.png'], 'add-dir': ['/a', '/b'], 'no-alt-screen': true })).toEqual([
      '--image has no effect; a server gets its prompts from its client',
      '--add-dir has no effect; set sandbox_workspace_write.writable_roots in config.toml, or by -c',
      '--no-alt-screen has no effect; a server has no screen',
    ]);
  });
});

describe('problemOfFlags', () => {
  it('refuses what would be more than the name of a feature', () => {
    expect(problemOfFlags({ ...none, enable: ['web_search', 'a-b'] })).toBeUndefined();
    expect(problemOfFlags({ ...none, disable: ['a=1\nb'] })).toMatch(/is not the name of a feature/);
  });
});
