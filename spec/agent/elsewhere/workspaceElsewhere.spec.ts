import { firstValueFrom, of } from 'rxjs';
import { workspaceElsewhere } from '../../../src/agent/elsewhere/workspaceElsewhere';
import type { FileState } from '../../../src/executor/patch/seen';
import type { TurnChanges } from '../../../src/executor/patch/turnChanges';
import { toStream } from '../../../src/streams/awaitable';
import { removeHomes } from '../../support/home';
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
