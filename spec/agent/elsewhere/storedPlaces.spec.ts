import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { storedPlaces } from '../../../src/agent/elsewhere/storedPlaces';
import { removeHomes } from '../../support/home';
import { wired } from '../wiring/wiring';

afterAll(removeHomes);

const ID = '01999999-0000-7000-8000-000000000001';

describe('storedPlaces', () => {
  it('finds what was noted, also in another process, in a file of this user alone', () => {
    const { wiring } = wired();
    const place = { environment: 'linux', executor: 'build-1' };
    storedPlaces(wiring).note(ID, place);
    storedPlaces(wiring).note(ID.replace('1', '2'), { environment: 'box' });
    expect(storedPlaces(wiring).find(ID)).toEqual(place);
    expect(storedPlaces(wiring).find(ID.replace('1', '2'))).toEqual({ environment: 'box' });
    const file = join(wiring.processInfo.codexHome, 'codex-rx/elsewhere', ID);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps the place of a thread where another machine gives that id to a new one', () => {
    const { wiring, logged } = wired();
    const place = { environment: 'linux', executor: 'build-1' };
    storedPlaces(wiring).note(ID, place);
    storedPlaces(wiring).note(ID, { environment: 'box' });
    expect(storedPlaces(wiring).find(ID)).toEqual(place);
    const reason = 'the id is that of a thread that began before';
    expect(logged).toEqual([['the place of a thread is not kept', { id: ID, reason }]]);
  });

  it.each(['../../auth', 'a/b', '', 'x'.repeat(65)])('takes %j for no id', (id) => {
    const { home, wiring } = wired();
    home.write('.codex/auth', '{"environment":"x"}');
    storedPlaces(wiring).note(id, { environment: 'box' });
    expect(storedPlaces(wiring).find(id)).toBeUndefined();
    expect(readdirSync(wiring.processInfo.codexHome).sort()).toEqual(['auth', 'config.toml']);
  });

  it.each(['no json', '[]', '{"environment":5}'])('finds nothing in a file with %j', (text) => {
    const { home, wiring } = wired();
    mkdirSync(join(wiring.processInfo.codexHome, 'codex-rx/elsewhere'), { recursive: true, mode: 0o700 });
    home.write(`.codex/codex-rx/elsewhere/${ID}`, text);
    expect(storedPlaces(wiring).find(ID)).toBeUndefined();
  });

  it.each([0o666, 0o620, 0o602])(
    'refuses a file of mode %s, which others may have written, with the remedy',
    (mode) => {
      const { wiring } = wired();
      storedPlaces(wiring).note(ID, { environment: 'linux' });
      const file = join(wiring.processInfo.codexHome, 'codex-rx/elsewhere', ID);
      chmodSync(file, mode);
      const cause = `can be written by other users (mode ${mode.toString(8)})`;
      expect(() => storedPlaces(wiring).find(ID)).toThrow(cause);
      expect(() => storedPlaces(wiring).find(ID)).toThrow(`chmod 600 ${file}`);
      chmodSync(file, 0o644);
      expect(storedPlaces(wiring).find(ID)).toEqual({ environment: 'linux' });
    },
  );

  it('keeps nothing where a tape answers', () => {
    const { wiring } = wired();
    storedPlaces({ ...wiring, seams: { effects: 'none' } as typeof wiring.seams }).note(ID, { environment: 'box' });
    expect(storedPlaces(wiring).find(ID)).toBeUndefined();
  });

  it('logs where nothing can be kept, and goes on', () => {
    const { home, wiring, logged } = wired();
    home.write('.codex/codex-rx', 'a file');
    storedPlaces(wiring).note(ID, { environment: 'box' });
    expect(logged).toEqual([['the place of a thread is not kept', { id: ID, reason: expect.any(String) }]]);
  });
});
