import { type Toml, tableOf } from '../../../src/settings/layer';
import { adaptValues, fileLayer, fileTable } from '../../../src/settings/layers/fileLayer';
import { loaded, type World } from '../deps';

const deps = (text: string | undefined | Error) => ({
  codexHome: '/home',
  readFile: () => {
    if (text instanceof Error) throw text;
    return text;
  },
});

describe('fileLayer', () => {
  it('is the whole file as one assignment, which knows the lines of its values', () => {
    const [setting, ...more] = fileLayer(deps('model = "m"\n[tools]\nx = 1\ny = 1.0\n'));
    expect(more).toEqual([]);
    const { where = () => '', ...rest } = setting ?? {};
    expect(rest).toEqual({
      path: [],
      folder: '/home',
      warnings: [],
      value: { model: 'm', tools: { x: 1n, y: 1 } },
    });
    expect([['model'], ['tools', 'x'], ['none']].map(where)).toEqual([
      '/home/config.toml:1',
      '/home/config.toml:3',
      '/home/config.toml',
    ]);
  });

  it('warns of values that are not known', () => {
    const [{ warnings } = {}] = fileLayer(deps('approval_policy = "x"'));
    expect(warnings).toEqual([
      '/home/config.toml:1: approval_policy is "x", which is not known here; "untrusted" is used',
    ]);
  });

  it('is empty without a file', () => {
    expect(fileLayer(deps(undefined))).toEqual([]);
  });

  it.each([
    [
      'an error of syntax, without the line, which may hold a key',
      'a = 1\nkey = "S',
      /^\/home\/config\.toml:2:\d+: not TOML: [^S]*$/,
    ],
    ['a file that cannot be read', new Error('EACCES: no'), /^\/home\/config\.toml: cannot be read: EACCES: no$/],
    [
      'a file that this machine refuses',
      Object.assign(new Error('EMFILE: no'), { code: 'EMFILE' }),
      /cannot be read: EMFILE: no: .* \(ulimit -n\)$/,
    ],
  ])('throws for %s', (_, text, message) => {
    expect(() => fileLayer(deps(text))).toThrow(message);
    expect(() => fileTable(deps(text), '/home/config.toml')).toThrow(message);
  });
});

describe('fileTable', () => {
  it('is plain data, undefined without a file', () => {
    expect(fileTable(deps('a = 1'), '/f')).toEqual({ a: 1 });
    expect(fileTable(deps(undefined), '/f')).toBeUndefined();
  });
});

const where = (path: readonly string[]) => `line of ${path.join('.')}`;
const adapted = (value: Toml) => {
  const { value: next, warnings } = adaptValues(value, where);
  return { value: JSON.parse(JSON.stringify(next)), warnings };
};
const warning = (path: string, found: string, instead: string) =>
  `line of ${path}: ${path} is ${found}, which is not known here; "${instead}" is used`;

describe('adaptValues', () => {
  it.each<[string, Record<string, Toml>]>([
    ['known values          ', { approval_policy: 'never', sandbox_mode: 'read-only' }],
    ['keys it does not know ', { model: 'any', a: tableOf({ b: 'x' }) }],
    ['faults of other types ', { approval_policy: true }],
    ['no values             ', {}],
  ])('keeps %s', (_, table) => {
    expect(adapted(tableOf(table))).toEqual({ value: table, warnings: [] });
  });

  it('replaces any number of values, and names twenty', () => {
    const odd = Array.from({ length: 300 }, (_, at) => [`/${at}`, tableOf({ trust_level: 'odd' })] as const);
    const { value, warnings } = adapted(tableOf({ projects: tableOf(Object.fromEntries(odd)) }));
    expect(Object.values(value.projects)).toEqual(odd.map(() => ({ trust_level: 'untrusted' })));
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('280 more values are not known here');
  });

  it.each<[string, string[], Toml, string, string]>([
    ['the strictest policy for an unknown one   ', ['approval_policy'], 'on-requests', '"on-requests"', 'untrusted'],
    [
      'the strictest for a form of newer releases',
      ['approval_policy'],
      tableOf({ granular: true }),
      'a table',
      'untrusted',
    ],
    [
      'granular as on-request                    ',
      ['approval_policy'],
      tableOf({ granular: tableOf({ sandbox_approval: true, rules: false }) }),
      'a table',
      'on-request',
    ],
    [
      'granular without questions as never       ',
      ['approval_policy'],
      tableOf({ granular: tableOf({ sandbox_approval: false, rules: true }) }),
      'a table',
      'never',
    ],
    [
      'the strictest sandbox for an unknown one  ',
      ['sandbox_mode'],
      'workspace-writes',
      '"workspace-writes"',
      'read-only',
    ],
    ['an alias of newer releases                ', ['preferred_auth_method'], 'api', '"api"', 'apikey'],
    ['the nearest value                         ', ['model_reasoning_summary'], 'detaild', '"detaild"', 'detailed'],
    ['the default where none is near            ', ['model_verbosity'], 'loud', '"loud"', 'medium'],
    [
      'no alias that is a member of each object  ',
      ['model_reasoning_effort'],
      'constructor',
      '"constructor"',
      'medium',
    ],
    ['a value in any table of a kind            ', ['projects', '/w', 'trust_level'], 'full', '"full"', 'untrusted'],
    ['a value in a profile                      ', ['profiles', 'p', 'approval_policy'], 'x', '"x"', 'untrusted'],
  ])('takes %s', (_, path, value, found, instead) => {
    const at = (leaf: Toml) => path.reduceRight<Toml>((inner, key) => tableOf({ [key]: inner }), leaf);
    const dotted = path.map((key) => (key === '/w' ? '"/w"' : key)).join('.');
    expect(adapted(at(value))).toEqual({
      value: JSON.parse(JSON.stringify(at(instead))),
      warnings: [warning(dotted, found, instead).replace(/^line of [^:]*/, `line of ${path.join('.')}`)],
    });
  });

  it('changes each of several, and not the table it was given', () => {
    const table = tableOf({ approval_policy: 'x', sandbox_mode: 'y' });
    expect(adapted(table)).toEqual({
      value: { approval_policy: 'untrusted', sandbox_mode: 'read-only' },
      warnings: [warning('approval_policy', '"x"', 'untrusted'), warning('sandbox_mode', '"y"', 'read-only')],
    });
    expect({ ...table }).toEqual({ approval_policy: 'x', sandbox_mode: 'y' });
  });
});

describe('a path that begins with ~', () => {
  const roots = (world: World) => loaded({ env: { HOME: '/home/me' }, ...world }).workspaceWrite.writableRoots;

  it('begins at the home, in the file, a profile and a flag', () => {
    const toml = 'sandbox_workspace_write.writable_roots = ["~/x", "~", "~user", "a~"]';
    expect(roots({ toml })).toEqual(['/home/me/x', '/home/me', '/home/~user', '/home/a~']);
    expect(roots({ overrides: ['sandbox_workspace_write.writable_roots=["~/y"]'] })).toEqual(['/home/me/y']);
    expect(roots({ toml: '[profiles.p.sandbox_workspace_write]\nwritable_roots = ["~/z"]', profile: 'p' })).toEqual([
      '/home/me/z',
    ]);
    const files = { '/home/me/i.md': 'be brief' };
    expect(
      loaded({ toml: 'model_instructions_file = "~/i.md"', files, env: { HOME: '/home/me' } }).baseInstructions,
    ).toBe('be brief');
  });

  it('stays as it is without a home', () => {
    expect(roots({ env: {}, toml: 'sandbox_workspace_write.writable_roots = ["~/x"]' })).toEqual(['/home/~/x']);
  });
});

describe('a relative file of instructions', () => {
  const files = {
    '/home/i.md': 'of the user',
    '/project/i.md': 'of the repository',
    '/home/p.config.toml': 'model_instructions_file = "./i.md"',
  };
  const read = (world: World) => loaded({ files, ...world }).baseInstructions;

  it('is the one beside the settings that name it, not what the repository has by that name', () => {
    expect(read({ toml: 'model_instructions_file = "i.md"' })).toBe('of the user');
    expect(read({ toml: 'experimental_instructions_file = "i.md"' })).toBe('of the user');
    expect(read({ toml: '[profiles.t]\nmodel_instructions_file = "i.md"', profile: 't' })).toBe('of the user');
    expect(read({ toml: '', profile: 'p' })).toBe('of the user');
  });

  it('is the one in the folder of the thread for a flag, which has no folder', () => {
    expect(read({ overrides: ['model_instructions_file=i.md'] })).toBe('of the repository');
  });
});
