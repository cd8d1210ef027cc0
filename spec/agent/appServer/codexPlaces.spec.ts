import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, NEVER, type Observable, of, throwError } from 'rxjs';
import { codexPlaces } from '../../../src/agent/appServer/codexPlaces';
import type { Thread } from '../../../src/agent/appServer/threads/openThread';
import type { ThreadEntry } from '../../../src/agent/turns/threadRegistry';
import type { Executors, Reached } from '../../../src/executor/backend';
import { ConfigError } from '../../../src/settings/faults/configError';
import { removeHomes } from '../../support/home';
import { wired } from '../wiring/wiring';

afterAll(removeHomes);

const NO_LIMITS = { lock: false, allowCallOverride: false, allowCallConfig: [] };
const ID = '01999999-0000-7000-8000-000000000001';
const TOML =
  '[[environments]]\nid = "box"\nurl = "ws://h"\ndefault_cwd = "/srv"\n[[environments]]\nid = "linux"\nurl = "nats://h"\npool = "linux"\n';
const to = (environment_id: string): ThreadEntry<Thread> => ({ settings: { config: { environment_id } } });

/** Places of a machine with two environments; members of the pool answer one after another. */
const placesWith = (toml = '', reach?: (id: string) => Observable<Reached>) => {
  const { home, wiring } = wired({ toml });
  home.write('.codex/environments.toml', TOML);
  let last = 0;
  const answers = (id: string): Observable<Reached> =>
    of({ executor: {} as never, ...(id === 'linux' && { member: `build-${++last}` }) });
  const executors = () => ({ reach: reach ?? answers }) as unknown as Executors;
  const fresh = () => codexPlaces({ ...wiring, executors }, NEVER);
  const at =
    (places = fresh()) =>
    (entry: ThreadEntry<Thread>) =>
      firstValueFrom(places.placeOf(entry));
  return { at, fresh, home };
};

describe('codexPlaces', () => {
  it('has one place for each environment, and that of the operator where none is named', async () => {
    const { at, fresh } = placesWith('environment_id = "box"\nallowed_environments = ["local"]\n');
    const places = fresh();
    const here = await at(places)(to('local'));
    const box = await at(places)(to('box'));
    expect(await at(places)({ settings: {} })).toBe(box);
    expect(places.own()).toBe(box);
    expect(await at(places)(to('local'))).toBe(here);
    expect(here).not.toBe(box);
  });

  it('takes a member of a pool once for each thread, which stays there, also in another process', async () => {
    const { at, fresh } = placesWith();
    const places = fresh();
    const first = await at(places)(to('linux'));
    first.began(ID);
    expect(await at(places)(to('linux'))).not.toBe(first);
    expect(await at(places)({ id: ID })).toBe(first);
    const after = fresh();
    const again = await at(after)({ id: ID });
    expect(await at(after)({ id: ID })).toBe(again);
    expect(await at(after)({ thread: { place: first } as Thread })).toBe(first);
    expect(again).not.toBe(after.own());
  });

  it('takes a thread that nobody noted for one of the operator', async () => {
    const { at, fresh } = placesWith();
    const places = fresh();
    expect(await at(places)({ id: ID })).toBe(places.own());
  });

  it('notes no thread of this machine', async () => {
    const { at, fresh, home } = placesWith();
    (await at()(to('local'))).began(ID);
    expect(existsSync(join(home.path, '.codex/codex-rx/elsewhere'))).toBe(false);
    const places = fresh();
    expect(await at(places)({ id: ID })).toBe(places.own());
  });

  it('refuses a noted thread whose environment the operator no longer allows', async () => {
    const { at, fresh, home } = placesWith();
    (await at()(to('box'))).began(ID);
    home.write('.codex/config.toml', 'allowed_environments = ["local"]\n');
    await expect(at(fresh())({ id: ID })).rejects.toThrow('environment_id = "box"');
  });

  it('passes a fault of the configuration on', async () => {
    const fault = new ConfigError('the pool has no name');
    await expect(placesWith('', () => throwError(() => fault)).at()(to('linux'))).rejects.toBe(fault);
  });

  it.each<[string, string, string, RegExp]>([
    [
      'an environment that the operator does not allow',
      'allowed_environments = ["local"]\n',
      'box',
      /the operator allows/,
    ],
    ['an environment that is not there', '', 'moon', /the operator allows|not found/],
  ])('refuses %s', async (_, toml, id, words) => {
    await expect(placesWith(toml).at()(to(id))).rejects.toThrow(words);
  });

  it('begins no thread where nobody answers', async () => {
    const { at } = placesWith('', () => throwError(() => new Error('no executor of the pool linux answers')));
    await expect(at()(to('linux'))).rejects.toThrow(
      'The environment `linux` cannot be used: no executor of the pool linux answers. Nothing was run on this machine.',
    );
  });

  it('lets no call trust a folder', async () => {
    const { paramsOf } = await placesWith().at()(to('box'));
    expect(() => paramsOf({ config: { projects: { '/srv': { trust_level: 'trusted' } } } })).toThrow(/projects/);
  });

  it('lets no call leave the folder of its environment by a link where the operator locks it', async () => {
    const { home, wiring } = wired({ toml: 'environment_id = "box"\n' });
    home.write('.codex/environments.toml', TOML);
    const locked = { ...wiring, options: { ...wiring.options, limits: { ...NO_LIMITS, lock: true } } };
    const executors = () => ({ reach: () => of({ executor: {} }) }) as unknown as Executors;
    const { paramsOf } = await firstValueFrom(codexPlaces({ ...locked, executors }, NEVER).placeOf({ settings: {} }));
    for (const cwd of [undefined, '/srv', '.'])
      expect(paramsOf({ ...(cwd && { cwd }) })).toMatchObject({ cwd: '/srv' });
    expect(() => paramsOf({ cwd: 'link' })).toThrow('works in /srv itself, as a folder in it may be a link');
  });

  it('has params for its own environment only', async () => {
    const { paramsOf } = await placesWith().at()(to('box'));
    expect(paramsOf({ cwd: 'sub', config: { environment_id: 'box', model_verbosity: 'low' } })).toEqual({
      cwd: '/srv/sub',
      config: { model_verbosity: 'low' },
    });
    expect(() => paramsOf({ config: { environment_id: 'local' } })).toThrow(
      'but the files of this thread of Codex are in `box`; start a new thread there, or start the server with --engine native',
    );
  });
});
