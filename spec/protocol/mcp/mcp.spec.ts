import { canElicit, canSample } from '../../../src/protocol/mcp/mcp';

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

describe('canSample', () => {
  it.each([
    [{}, undefined],
    [{ sampling: null }, undefined],
    [{ sampling: true }, undefined],
    [{ sampling: {} }, 'text'],
    [{ sampling: { context: {} } }, 'text'],
    [{ sampling: { tools: {} } }, 'tools'],
  ])('reads %j as %s', (capabilities, can) => {
    expect(canSample(capabilities)).toBe(can);
  });
});
