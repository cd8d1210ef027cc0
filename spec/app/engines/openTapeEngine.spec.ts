import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { lastValueFrom, NEVER, of } from 'rxjs';
import { openTapeEngine } from '../../../src/app/engines/openTapeEngine';
import { turn, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

describe('openTapeEngine', () => {
  /** The event of a call with this tape, whose path is made in the home. */
  const call = async (makeTape: (folder: string) => string) => {
    const { home, wiring } = wired();
    const path = makeTape(home.path);
    const tape = { path, speed: 'max', match: 'strict' } as const;
    const engine = await lastValueFrom(openTapeEngine({ ...wiring, options: { ...wiring.options, tape } }));
    return { path, event: await lastValueFrom(of(turn('hi')).pipe(engine(() => NEVER))) };
  };

  it('does not wait for the other end of a pipe, and rejects the call', async () => {
    const { path, event } = await call((folder) => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      return pipe;
    });
    expect(event).toMatchObject({
      kind: 'rejected',
      message: `${path} is not a regular file: copy what it holds to one, and name that`,
    });
  });

  it.each([
    ['a folder', (folder: string) => folder, 'it is a folder'],
    ['nothing', (folder: string) => join(folder, 'none'), 'cannot be read'],
  ])('rejects the call for %s, with the reason', async (_, makeTape, reason) => {
    expect((await call(makeTape)).event).toMatchObject({ kind: 'rejected', message: expect.stringContaining(reason) });
  });
});
