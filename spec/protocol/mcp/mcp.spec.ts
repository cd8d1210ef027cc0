import { canElicit } from '../../../src/protocol/mcp';

describe('canElicit', () => {
  it.each([
    [{}, false],
    [{ elicitation: null }, false],
    [{ elicitation: true }, false],
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: { url: {}, form: {} } }, true],
    [{ sampling: {} }, false],
  ])('reads %j as %s', (capabilities, can) => {
    expect(canElicit(capabilities)).toBe(can);
  });
});
