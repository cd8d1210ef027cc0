import { NEVER } from 'rxjs';
import { compiledOnce } from '../../../src/agent/native/bashHere';
import { workspaceHere } from '../../../src/agent/native/nativeTools';
import { removeHomes } from '../../support/home';
import { config } from '../support';
import { wired } from '../wiring/wiring';

describe('compiledOnce', () => {
  const run = (load: () => Promise<string>) => {
    const steps: string[] = [];
    const loaded = compiledOnce({ setFlag: (flag) => void steps.push(flag) })(() => {
      steps.push('load');
      return load();
    });
    return { steps, loaded };
  };
  const SET_AND_RESET = ['--liftoff-only', 'load', '--no-liftoff-only'];

  it('sets the flag while it loads, and gives what was loaded', async () => {
    const { steps, loaded } = run(() => Promise.resolve('module'));
    expect(await loaded).toBe('module');
    expect(steps).toEqual(SET_AND_RESET);
  });

  it('resets the flag where the load fails, and fails with it', async () => {
    const { steps, loaded } = run(() => Promise.reject(new Error('broken')));
    await expect(loaded).rejects.toThrow('broken');
    expect(steps).toEqual(SET_AND_RESET);
  });

  it('uses flags that this V8 knows', async () => {
    expect(await compiledOnce()(() => Promise.resolve('module'))).toBe('module');
  });
});

afterEach(removeHomes);

describe('workspaceHere', () => {
  it('reads AGENTS.md once for threads that are opened together, and again for a later one', async () => {
    const { wiring, home } = wired();
    home.write('work/AGENTS.md', 'one');
    const open = workspaceHere(wiring, { start: () => NEVER });
    const settings = config({ cwd: home.work });
    const instructions = () => open(settings).userInstructions();
    expect(instructions()).toBe('one');
    home.write('work/AGENTS.md', 'two');
    expect(instructions()).toBe('one');
    await undefined;
    expect(instructions()).toBe('two');
  });
});
