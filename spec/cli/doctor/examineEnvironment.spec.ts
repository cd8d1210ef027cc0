import { lastValueFrom } from 'rxjs';
import { examineEnvironment } from '../../../src/cli/doctor/examine';
import { scriptedToml, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

describe('examineEnvironment', () => {
  it('connects to nothing where threads work on this machine', async () => {
    const { wiring } = wired({ toml: scriptedToml });
    expect(await lastValueFrom(examineEnvironment(wiring))).toEqual({ text: 'threads work on this machine' });
  });

  it('errors where the executor of the environment cannot be started', async () => {
    const toml = `environment_id = "box"\n${scriptedToml}\n[[environments]]\nid = "box"\nprogram = "/no/such/program"\n`;
    await expect(lastValueFrom(examineEnvironment(wired({ toml }).wiring))).rejects.toThrow('/no/such/program');
  });
});
