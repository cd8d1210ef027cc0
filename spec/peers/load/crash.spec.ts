import { endServers } from '../../support/daemon/peer';
import { crash } from '../../support/load/crashes';

afterEach(async () => {
  await endServers();
});

const ROUNDS = 200;

describe('a thread whose server is killed at random points', () => {
  it(`survives ${ROUNDS} times`, async () => {
    const { answered, kept, brokenLines, rounds } = await crash(ROUNDS, Math.random);
    expect(answered).toHaveLength(ROUNDS);
    expect(kept.filter((prompt) => prompt.startsWith('whole'))).toEqual(answered);
    expect(brokenLines).toBeLessThanOrEqual(rounds);
  }, 600_000);
});
