import { firstValueFrom } from 'rxjs';
import type { NatsLink } from '../../../src/fleet/link/natsLink';
import { openPlace } from '../../../src/fleet/threads/threadPlace';
import { ThreadError } from '../../../src/threads/threadError';

describe('openPlace', () => {
  it.each(['a b', 'a.b', '*', 'x'.repeat(65)])('refuses a store named %j before it asks the server', async (name) => {
    const link = { prefix: 'p', address: 'nats://h:4222' } as NatsLink;
    const refused = firstValueFrom(openPlace(link, name));
    await expect(refused).rejects.toThrow(ThreadError);
    await expect(refused).rejects.toThrow(
      'a thread store has a name of letters, digits, - and _, up to 64 of them. Set thread_store in config.toml.',
    );
  });
});
