import { configureOf } from '../../../src/agent/wiring/wiring';
import { removeHomes } from '../../support/home';
import { wired } from './wiring';

afterEach(removeHomes);

describe('configureOf', () => {
  it('reads the configuration once for calls that come together, and again for a later one', async () => {
    const { wiring, home } = wired({ toml: 'model = "a"' });
    const configure = configureOf(wiring);
    const first = configure({});
    home.write('.codex/config.toml', 'model = "b"');
    expect(configure({})).toBe(first);
    expect(configure({ model: 'c' }).model).toBe('c');
    await undefined;
    expect(configure({}).model).toBe('b');
  });
});
