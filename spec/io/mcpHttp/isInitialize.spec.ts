import { isInitialize, isInitialized } from '../../../src/io/mcpHttp/isInitialize';

describe('isInitialize', () => {
  it('finds initialize, also in a batch', () => {
    expect(isInitialize('[{"id":1,"method":"ping"},{"id":2,"method":"initialize"}]')).toBe(true);
    expect(isInitialize('{"method":"notifications/initialized"}')).toBe(false);
  });
});

describe('isInitialized', () => {
  it('finds the end of the handshake', () => {
    expect(isInitialized('{"method":"notifications/initialized"}')).toBe(true);
    expect(isInitialized('{"id":1,"method":"notifications/initialized"}')).toBe(false);
  });
});
