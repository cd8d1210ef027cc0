import { firstValueFrom, map, of, throwError } from 'rxjs';
import type { ThreadSettings } from '../../../src/protocol/codex/settings';
import type { SessionRequest } from '../../../src/protocol/methods/host';
import { type SessionsDeps, sessionsHere } from '../../../src/server/host/sessions';
import { ConfigError } from '../../../src/settings/faults/configError';
import { UnknownThreadError } from '../../../src/threads/threadError';
import type { ThreadStore } from '../../../src/threads/threadStore';

type Config = ReturnType<SessionsDeps['configure']>;

/** A machine whose operator allows no full access. */
const configure = ({ cwd = '/', config = {}, sandbox, approvalPolicy, model }: ThreadSettings): Config => {
  if (sandbox === 'danger-full-access') throw new ConfigError('looser than "workspace-write"');
  return {
    cwd,
    model: model ?? 'm',
    reasoningEffort: 'medium',
    approvalPolicy: approvalPolicy ?? 'on-request',
    sandboxMode: sandbox ?? 'workspace-write',
    workspaceWrite: { writableRoots: config['sandbox_workspace_write.writable_roots'] ?? ['/shared'] },
    mcpServers: { docs: {}, ...(config.mcp_servers as object) },
  } as unknown as Config;
};

const META = { type: 'session_meta', payload: { id: 'known', cwd: '/old' } };

const store = {
  read: (id: string) =>
    id === 'known'
      ? of({ summary: {}, lines: [JSON.stringify(META)] }, { summary: {}, lines: ['{"type":'] })
      : throwError(() => new UnknownThreadError(id, [])),
  remove: (id: string) => throwError(() => new UnknownThreadError(id, [])),
} as unknown as ThreadStore;

const PROMPTS = [
  { name: 'heron', text: '---\ndescription: "A bird"\nargument-hint: WORD\n---\nsay $1\n' },
  { name: 'plain', text: 'only text' },
  { name: 'two words', text: 'cannot be typed after a slash' },
];

const sessions = (deps: Partial<SessionsDeps> = {}) =>
  sessionsHere({
    open: () => store,
    configure,
    storedSettings: (settings) => settings,
    needsLogin: () => false,
    tables: () => ({ providers: {}, servers: { docs: {} } }),
    savedConfig: () => ({ model: 'm', profiles: { quick: { model: 'fast' }, odd: 5 } }),
    prompts: () => PROMPTS,
    skills: (cwd) => [{ name: 'heron', description: 'A bird', path: `${cwd}/SKILL.md` }],
    newId: () => 'forked',
    rename: () => {},
    ...deps,
  });

const find = (asked: Partial<SessionRequest>, deps: Partial<SessionsDeps> = {}) =>
  firstValueFrom(sessions(deps).find({ cwd: '/w', folders: [], servers: {}, ...asked }));

describe('what a session would run under', () => {
  it('is what is configured, with what the operator allows', async () => {
    expect(await find({})).toEqual({
      needsLogin: false,
      settings: { cwd: '/w' },
      cwd: '/w',
      model: 'm',
      models: ['m', 'fast'],
      effort: 'medium',
      approvalPolicy: 'on-request',
      sandboxMode: 'workspace-write',
      policies: ['untrusted', 'on-failure', 'on-request', 'never'],
      sandboxModes: ['read-only', 'workspace-write'],
      servers: ['docs'],
      prompts: [
        { name: 'heron', description: 'A bird', hint: 'WORD', text: 'say $1\n' },
        { name: 'plain', description: 'A prompt of your own', text: 'only text' },
      ],
      skills: [{ name: 'heron', description: 'A bird', path: '/w/SKILL.md' }],
      rollout: [],
    });
  });

  it('loads the configuration three times if the operator sets no ceiling', async () => {
    let loads = 0;
    const free: SessionsDeps['configure'] = ({ sandbox = 'workspace-write', ...settings }) => {
      loads += 1;
      return { ...configure(settings), sandboxMode: sandbox };
    };
    expect(await find({}, { configure: free })).toMatchObject({
      sandboxModes: ['read-only', 'workspace-write', 'danger-full-access'],
    });
    expect(loads).toBe(3);
  });

  it('has the folders and servers of the client next to those of the operator', async () => {
    expect(await find({ folders: ['/x'], servers: { docs: { command: 'a' }, web: { url: 'b' } } })).toMatchObject({
      settings: {
        cwd: '/w',
        config: {
          'sandbox_workspace_write.writable_roots': ['/shared', '/x'],
          mcp_servers: { docs_2: { command: 'a' }, web: { url: 'b' } },
        },
      },
      servers: ['docs', 'docs_2', 'web'],
    });
  });

  it('has the instructions of the client after those of the operator, once', async () => {
    const instructed: SessionsDeps['configure'] = ({ developerInstructions = 'Use tabs.', ...settings }) => ({
      ...configure(settings),
      developerInstructions,
    });
    const instructions = 'Be brief.';
    const whole = { settings: { cwd: '/w', developerInstructions: 'Use tabs.\n\nBe brief.' } };
    expect(await find({ instructions }, { configure: instructed })).toMatchObject(whole);
    const storedSettings = () => ({ developerInstructions: 'Use tabs.\n\nBe brief.' });
    expect(await find({ id: 'known', instructions }, { configure: instructed, storedSettings })).toMatchObject(whole);
    expect(await find({ instructions })).toMatchObject({ settings: { developerInstructions: 'Be brief.' } });
    const fixed: SessionsDeps['configure'] = (settings) => {
      if (settings.developerInstructions !== undefined) throw new ConfigError('developer-instructions is locked');
      return configure(settings);
    };
    await expect(find({ instructions }, { configure: fixed })).rejects.toThrow(/locked/);
  });

  it('is read in a later turn of the event loop, after what this one writes of its thread', async () => {
    const read = jest.fn(store.read);
    const found = find({ id: 'known' }, { open: () => ({ ...store, read }) });
    await Promise.resolve();
    expect(read).not.toHaveBeenCalled();
    await found;
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('is nothing for a thread that is not there', async () => {
    expect(await find({ id: 'unknown' })).toBeNull();
    expect(await find({ id: 'known' })).toMatchObject({ cwd: '/w', rollout: [META] });
  });

  it('errors for what the operator does not allow', () => {
    const strict = () => {
      throw new ConfigError('argument cwd: /w is outside');
    };
    return expect(find({}, { configure: strict })).rejects.toThrow(ConfigError);
  });
});

it('a thread that is not there counts as removed', async () => {
  expect(await firstValueFrom(sessions().has('known'))).toBe(true);
  expect(await firstValueFrom(sessions().has('unknown'))).toBe(false);
  expect(await firstValueFrom(sessions().remove('unknown'))).toBeNull();
});

it('a thread is archived or brought back only if it is not so yet', async () => {
  const moved: string[] = [];
  const lists = (archived: boolean): Partial<SessionsDeps> => {
    const move = (name: string) => (id: string) => {
      moved.push(`${name} ${id}`);
      return of({});
    };
    const read = (id: string) => store.read(id).pipe(map((piece) => ({ ...piece, summary: { archived } })));
    return {
      open: () => ({ ...store, read, archive: move('archive'), restore: move('restore') }) as unknown as ThreadStore,
    };
  };
  const set = (to: boolean, is: boolean, id = 'known') => firstValueFrom(sessions(lists(is)).setArchived(id, to));
  await Promise.all([set(true, false), set(false, true), set(true, true), set(false, false)]);
  expect(moved).toEqual(['archive known', 'restore known']);
  expect(await set(true, false, 'unknown')).toBeNull();
});

describe('a session with models of its client', () => {
  it('has a provider of its own, under a name that nothing configured has', async () => {
    const gateway = { name: 'Herons', url: 'https://models.test/v1', headers: { Authorization: 'Bearer k' } };
    const tables = () => ({ providers: { gateway: { env_key: 'KEY' } }, servers: {} });
    const table = { name: 'Herons', base_url: gateway.url, wire_api: 'responses', http_headers: gateway.headers };
    expect(await find({ gateway }, { tables })).toMatchObject({
      settings: { config: { model_provider: 'gateway_2', model_providers: { gateway_2: table } } },
    });
  });

  it('goes on with them in another process, which does not know their name', async () => {
    const gateway = { name: 'Herons', url: 'https://models.test/v1', headers: {} };
    const storedSettings = () => ({ config: { model_provider: 'gateway' } });
    const known: SessionsDeps['configure'] = (settings) => {
      const { model_provider: name, model_providers: tables } = settings.config ?? {};
      if (name !== undefined && !Object.hasOwn(Object(tables), String(name)))
        throw new ConfigError(`no provider ${name}`);
      return configure(settings);
    };
    const deps = { storedSettings, configure: known };
    expect(await find({ id: 'known', gateway }, deps)).toMatchObject({
      settings: { config: { model_provider: 'gateway' } },
    });
    await expect(find({ id: 'known' }, deps)).rejects.toThrow(/no provider gateway/);
  });
});

describe('another session with the same past', () => {
  const request = { cwd: '/w', folders: [], servers: {} };
  const forking = { ...store, fork: (_: string, id: string) => of({ id }) } as unknown as ThreadStore;
  const fork = (id: string, deps: Partial<SessionsDeps> = {}) =>
    firstValueFrom(sessions({ open: () => forking, ...deps }).fork({ ...request, id }));

  it('has an id of its own, and what the old one would run under', async () => {
    expect(await fork('known')).toMatchObject({ id: 'forked', facts: { cwd: '/w', model: 'm' } });
    expect(await fork('unknown')).toBeNull();
  });

  it('is not made before a login that is needed', async () => {
    expect(await fork('known', { needsLogin: () => true })).toMatchObject({ id: 'known', facts: { needsLogin: true } });
  });

  it('can get a name', async () => {
    const names: string[][] = [];
    await firstValueFrom(sessions({ rename: (...name) => names.push(name) }).rename('known', 'Herons'));
    expect(names).toEqual([['known', 'Herons']]);
  });
});
