import { showConfig, showConfigSchema } from '../../src/app/configHere';
import { openHome, removeHomes } from '../support/home';

afterEach(removeHomes);

const wiringOf = (toml: string) => {
  const home = openHome();
  home.write('config.toml', toml);
  const { path: codexHome, work: cwd, env } = home;
  const processInfo = { env, cwd, codexHome, dist: '', node: '', platform: 'linux', arch: 'x64', version: '1' };
  const tape = { speed: 'max' as const, match: 'strict' as const };
  return {
    codexHome,
    wiring: {
      processInfo,
      options: { engine: 'native' as const, tape, modelTimeoutMs: 1, turnTimeoutMs: 1, overrides: [] },
    },
  };
};

describe('showConfig', () => {
  it('writes a line for each setting, sources in a column, then the warnings; nothing commands a terminal', () => {
    const { wiring, codexHome } = wiringOf('model = "m\\u001b[2J"\nmdoel = 1\n');
    const lines = showConfig(wiring, 'text');
    const short = lines.filter((line) => !line.startsWith('# ') && line.indexOf('  # ') <= 60);
    expect(short.length).toBeGreaterThan(20);
    expect(short.map((line) => line.lastIndexOf('  # '))).toEqual(short.map(() => 60));
    expect(lines.find((line) => line.startsWith('model = '))).toContain(`# ${codexHome}/config.toml:1`);
    expect(lines.at(-1)).toContain('# warning: ');
    expect(lines.join('')).not.toContain('\u001b');
  });

  it('counts the columns of a terminal, where a character may take two', () => {
    const { wiring } = wiringOf('model = "模型"\n');
    const line = showConfig(wiring, 'text').find((one) => one.startsWith('model = ')) ?? '';
    expect(line.lastIndexOf('  # ')).toBe(60 - 2);
  });

  it('writes JSON', () => {
    const { wiring, codexHome } = wiringOf('model = "m"\n');
    expect(JSON.parse(showConfig(wiring, 'json').join('\n'))).toMatchObject({
      settings: { model: { value: 'm', source: `${codexHome}/config.toml:1` } },
      warnings: [],
    });
  });
});

describe('showConfigSchema', () => {
  it('writes JSON Schema', () => {
    expect(JSON.parse(showConfigSchema().join('\n'))).toHaveProperty('properties.model');
  });
});
