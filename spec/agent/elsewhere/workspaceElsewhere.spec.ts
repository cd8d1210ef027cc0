import { concat, firstValueFrom, map, NEVER, of, throwError } from 'rxjs';
import { placeElsewhere, workspaceElsewhere } from '../../../src/agent/elsewhere/workspaceElsewhere';
import { CannotBegin } from '../../../src/agent/turns/rejection';
import type { Reached } from '../../../src/executor/backend';
import type { FileState } from '../../../src/executor/patch/seen';
import type { TurnChanges } from '../../../src/executor/patch/turnChanges';
import { ConfigError } from '../../../src/settings/faults/configError';
import { toStream } from '../../../src/streams/awaitable';
import { removeHomes } from '../../support/home';
import { marbles } from '../../support/marbles';
import { config } from '../support';
import { wired } from '../wiring/wiring';
import { type Machine, machine, reaching } from './machine';

afterAll(removeHomes);

const settings = config({ environmentId: 'box', cwd: '/srv', sandboxMode: 'workspace-write' });
/** A patch that changes one line of /srv/sub/x. */
const file = (text: string): FileState => ({ bytes: Buffer.from(text), mode: 0o644, access: 'writable' });
const CHANGES: TurnChanges = new Map([['/srv/sub/x', { first: file('one\n'), now: file('two\n') }]]);

const open = async (
  there: Machine = {},
  { member, options = {} }: { member?: string; options?: { bareDiffPaths?: 'absolute' } } = {},
) => {
  const { executor } = machine(there);
  const { wiring } = reaching(wired({ options }).wiring, () => of({ executor, ...(member && { member }) }));
  return firstValueFrom(toStream(workspaceElsewhere(wiring)(settings, undefined)));
};

afterAll(removeHomes);

const asked = config({
  environmentId: 'box',
  cwd: '/srv',
  workspaceWrite: { ...config().workspaceWrite, writableRoots: ['more', '/gone'], networkAccess: true },
});
const there = machine({ folders: ['/srv', '/srv/more', '/srv/.git'] });
const opened = (reach: Parameters<typeof reaching>[1]) => {
  const { wiring, asked } = reaching(wired().wiring, reach);
  return { place: placeElsewhere(wiring), asked };
};
const failure = (reach: Parameters<typeof reaching>[1], last?: { id: string; executor?: string }): Promise<unknown> =>
  firstValueFrom(opened(reach).place(asked, last)).catch((error) => error);

describe('workspaceElsewhere', () => {
  it('has the folder, the facts and the writable folders of that machine', async () => {
    const workspace = await open({ info: { platformOs: 'macos', shell: { name: 'zsh' } } });
    expect(workspace).toMatchObject({
      config: settings,
      environment: { id: 'box' },
      facts: { operating_system: 'macos', shell: 'zsh' },
    });
    expect(workspace.environment).not.toHaveProperty('executor');
    expect(workspace.writableRoots()).toEqual(['/srv', '/tmp']);
    expect(workspace.builtIn.map(({ spec }) => spec)).toContainEqual(expect.objectContaining({ name: 'shell' }));
  });

  it('names the executor of a pool that has the files', async () => {
    expect((await open({}, { member: 'm' })).environment).toEqual({ id: 'box', executor: 'm' });
  });

  it('reads the instructions of the project there', async () => {
    const { userInstructions } = await open({ files: { '/srv/AGENTS.md': 'be brief' } });
    expect(await firstValueFrom(toStream(userInstructions()))).toContain('be brief');
  });

  it('reads a picture there', async () => {
    const { readImage } = await open({ files: { '/srv/a.gif': 'GIF89a' } });
    expect(await firstValueFrom(readImage('/srv/a.gif'))).toMatchObject({ kind: 'image' });
    expect(await firstValueFrom(readImage('/srv/b.gif'))).toMatchObject({ kind: 'unreadable' });
  });

  it.each([
    ['to the repository', ['/srv', '/srv/.git'], {}, 'a/sub/x'],
    ['to the folder where there is none', ['/srv'], {}, 'a/sub/x'],
    [
      'to nothing where there is none and the face is the old one',
      ['/srv'],
      { bareDiffPaths: 'absolute' },
      '/srv/sub/x',
    ],
  ] as const)('shows changes with paths relative %s', async (_, folders, options, shown) => {
    const { turnDiff } = await open({ folders }, { options });
    const diff = turnDiff(CHANGES);
    expect(diff).toContain(shown);
    expect(diff).toContain('-one');
  });
});

describe('placeElsewhere', () => {
  it('emits the executor, what was found there, and the settings with the folders of that machine', async () => {
    const { place } = opened(() => of({ executor: there.executor, member: 'm' }));
    const found = await firstValueFrom(place(asked));
    expect(found).toMatchObject({
      member: 'm',
      sight: { cwd: '/srv', writableRoots: ['/srv/more'], repository: '/srv', facts: { operating_system: 'linux' } },
      config: { ...asked, workspaceWrite: { ...asked.workspaceWrite, writableRoots: ['/srv/more'] } },
    });
  });

  it(
    'waits for the executor, emits once, and lets it go when nobody waits',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<Reached>('--r|', { r: { executor: there.executor } });
      const { place } = opened(() => source$);
      const folder = place(asked);
      const folders$ = concat(folder, NEVER);
      expectObservable(folders$.pipe(map(({ sight }) => sight.cwd)), '-----!').toBe('--p', { p: '/srv' });
      expectObservable(folder, '-!').toBe('-');
      expectSubscriptions(source$.subscriptions).toBe(['^--!', '^!']);
    }),
  );

  it.each<[string, { id: string; executor?: string } | undefined, string | undefined]>([
    ['the member where the thread was', { id: 'box', executor: 'm' }, 'm'],
    ['any member for a thread that was in another environment', { id: 'moon', executor: 'm' }, undefined],
    ['any member for a thread that was not on one of a pool', { id: 'box' }, undefined],
    ['any member for a new thread', undefined, undefined],
  ])('reaches %s', async (_, last, member) => {
    const { place, asked: reached } = opened(() => of({ executor: there.executor }));
    await firstValueFrom(place(asked, last));
    expect(reached).toEqual([['box', member]]);
  });

  it('reports what keeps a thread from its machine, and where its files are', async () => {
    const lost = () => throwError(() => new Error('it does not answer'));
    const [fresh, stored] = [await failure(lost), await failure(lost, { id: 'box', executor: 'm' })];
    expect(fresh).toBeInstanceOf(CannotBegin);
    expect(fresh).toHaveProperty(
      'message',
      'The environment `box` cannot be used: it does not answer. Nothing was run on this machine.',
    );
    expect(stored).toHaveProperty(
      'message',
      expect.stringMatching(
        /\. The files of this thread are on its executor m: start that executor again, or name another environment in .*; with the same pool the thread stays on that executor\./,
      ),
    );
  });

  it('reports a folder that is not there', async () => {
    const bare = machine({ folders: [] });
    expect(await failure(() => of({ executor: bare.executor }))).toHaveProperty(
      'message',
      expect.stringMatching(/^The environment `box` cannot be used: \/srv is not an existing folder there/),
    );
  });

  it('passes a fault of the configuration on, also one that is thrown', async () => {
    const fault = new ConfigError('environment `box` not found');
    expect(await failure(() => throwError(() => fault))).toBe(fault);
    const thrown = await failure(() => {
      throw fault;
    });
    expect(thrown).toBe(fault);
  });
});
