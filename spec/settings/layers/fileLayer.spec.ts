import { fileLayer, fileTable } from '../../../src/settings/layers/fileLayer';

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
      ...{ path: [], folder: '/home', warnings: [] },
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
