import { compiledOnce } from '../../../src/agent/native/nativeTools';

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
