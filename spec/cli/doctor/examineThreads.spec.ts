import { lastValueFrom } from 'rxjs';
import { examineThreads } from '../../../src/cli/doctor/examine';
import { wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

describe('examineThreads', () => {
  it('names the folder of threads on this machine', async () => {
    const { wiring } = wired();
    expect(await lastValueFrom(examineThreads(wiring))).toEqual({
      text: `in ${wiring.processInfo.codexHome}/sessions`,
    });
  });

  it('errors where the store on another machine cannot be reached', async () => {
    const { wiring } = wired({ toml: 'thread_store = "nats://127.0.0.1:1/x"' });
    await expect(lastValueFrom(examineThreads(wiring))).rejects.toThrow(/The thread store .* cannot be used/);
  });
});
