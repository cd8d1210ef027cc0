import { NEVER } from 'rxjs';
import { workspaceHere } from '../../../src/agent/native/nativeTools';
import { removeHomes } from '../../support/home';
import { config } from '../support';
import { wired } from '../wiring/wiring';

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
