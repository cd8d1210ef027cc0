import { removeHomes } from '../../support/home';
import { soak } from '../../support/load/soak';

afterEach(removeHomes);

const CONVERSATIONS = Number(process.env.SOAK_CONVERSATIONS ?? 200);
const REQUESTS = Number(process.env.SOAK_REQUESTS ?? 10_000);
/** Live memory may grow by the turns that 200 conversations remember (4 were seen), and by little once these are no longer in use (2 were seen). */
const MAX_LIVE_GROWTH_MIB = { end: 8, replaced: 4 };
/** The process grows under load, by 60 with Node 20 and 90 with Node 26. When V8 gives that back is left to V8: what is in use is bounded above. */
const MAX_GROWTH_MIB = 130;

describe('a client with many conversations, cancels and a stall', () => {
  it(`gets each answer and each event once: ${CONVERSATIONS} conversations, ${REQUESTS} requests`, async () => {
    const report = await soak({
      conversations: CONVERSATIONS,
      requests: REQUESTS,
      stallMs: 3_000,
      random: Math.random,
    });
    process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(report.faults).toEqual([]);
    expect(report.ending).toEqual({ code: 0, signal: null });
    expect(report.live.end - report.live.start).toBeLessThan(MAX_LIVE_GROWTH_MIB.end);
    expect(report.live.replaced - report.live.start).toBeLessThan(MAX_LIVE_GROWTH_MIB.replaced);
    expect(report.memory.peak - report.memory.start).toBeLessThan(MAX_GROWTH_MIB);
  }, 1_200_000);
});
