import { watchLoop } from '../../../src/cli/serve/watchLoop';

const mockRefusals: string[] = [];

jest.mock('node:worker_threads', () => ({
  Worker: class {
    constructor() {
      mockRefusals.push('thread');
      throw Object.assign(new Error('Access to this API has been restricted'), { code: 'ERR_ACCESS_DENIED' });
    }
  },
}));

describe('watchLoop', () => {
  it("lets calls go on, and asks once, if Node's permission model refuses threads", () => {
    expect([watchLoop(), watchLoop(), mockRefusals]).toEqual(['not watched', 'not watched', ['thread']]);
  });
});
