/** What is learned of the prompts for an agent. */
import { lastValueFrom } from 'rxjs';
import { learnAgent } from '../../../src/testing/conform/learnOffer';
import { promptFor } from '../../../src/testing/conform/needs';
import { agentOf } from './acp/agents';

const deps = { server: agentOf(), limitMs: 400, settleMs: 10, now: () => 0 };
const learn = (...prompts: string[]) => lastValueFrom(learnAgent(deps, { folder: '/work', prompts }));

describe('learnPrompts', () => {
  it('learns what the agent asks of its client, the least first', async () => {
    const { prompts = [] } = await learn('run', 'ask', 'read', 'hi');
    expect(prompts).toEqual([
      { text: 'hi', asks: [], options: [] },
      { text: 'ask', asks: ['session/request_permission'], options: ['allow_once', 'reject_once'] },
      { text: 'read', asks: ['fs/read_text_file'], options: [] },
      { text: 'run', asks: ['terminal/create', 'terminal/wait_for_exit', 'terminal/release'], options: [] },
    ]);
    expect(promptFor(['prompt', 'image'], prompts)).toBe('hi');
    expect(promptFor(['readsFiles'], prompts)).toBe('read');
    expect(promptFor(['writesFiles'], prompts)).toBe('');
    expect(promptFor([], prompts)).toBe('');
  });

  it('sends none to an agent that opens no session', async () => {
    const closed = agentOf((good) => (line) => good(line.replace('"session/new"', '"session/none"')));
    const { prompts } = await lastValueFrom(
      learnAgent({ ...deps, server: closed }, { folder: '/work', prompts: ['hi'] }),
    );
    expect(prompts).toEqual([]);
  });
});
