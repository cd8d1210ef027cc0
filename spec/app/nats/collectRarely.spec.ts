import { collectRarely } from '../../../src/app/nats/collectRarely';

describe('collectRarely', () => {
  it('lets the heap grow to seven times what lives in it', () => {
    const flags: string[] = [];
    collectRarely({ setFlag: (flag) => flags.push(flag) });
    expect(flags).toEqual(['--heap-growing-percent=600']);
  });
});
