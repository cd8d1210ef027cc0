import { endServers } from '../../support/daemon/peer';
import { crash } from '../../support/load/crashes';

afterEach(async () => {
  await endServers();
});

/** Always the same numbers from 0 up to 1. */
const numbers = (): (() => number) => {
  let last = 7;
  return () => {
    last = (last * 16_807) % 2_147_483_647;
    return last / 2_147_483_647;
  };
};

describe('a thread whose server is killed in the middle of a turn', () => {
  it('is resumed by the next server, with every turn whose result came', async () => {
    const { answered, kept, brokenLines, rounds } = await crash(3, numbers());
    expect(answered).toEqual(['whole 0', 'whole 1', 'whole 2']);
    expect(kept.filter((prompt) => prompt.startsWith('whole'))).toEqual(answered);
    expect(brokenLines).toBeLessThanOrEqual(rounds); // at most the line that was being written, each time
  });
});
