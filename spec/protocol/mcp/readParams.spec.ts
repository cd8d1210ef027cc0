import fc from 'fast-check';
import { checkParams } from '../../../src/protocol/jsonrpc/checkParams';
import { InitializeParams } from '../../../src/protocol/mcp/params';
import { readInitialize, readLevel, readListen, refuseCursor } from '../../../src/protocol/mcp/readParams';

const outcome = (read: () => unknown) => {
  try {
    return { value: read() };
  } catch (error) {
    return { error: String(error) };
  }
};

describe('readInitialize', () => {
  it('accepts and refuses what the schema does, with the same words', () => {
    const some = fc.oneof(fc.string(), fc.constant(undefined), fc.constant(null), fc.integer(), fc.constant([]));
    const object = fc.oneof(fc.dictionary(fc.constantFrom('a', 'elicitation'), fc.constant({})), some);
    const info = fc.oneof(fc.record({ name: some, version: some, title: some }), object);
    const params = fc.record({ protocolVersion: some, capabilities: object, clientInfo: info, more: some });
    fc.assert(
      fc.property(params, (given) => {
        expect(outcome(() => readInitialize(given))).toEqual(outcome(() => checkParams(InitializeParams(), given)));
      }),
    );
    const right = { protocolVersion: '1', capabilities: { a: 1 }, clientInfo: { name: 'c', version: '1', title: 'C' } };
    expect(readInitialize(right)).toEqual(checkParams(InitializeParams(), right));
  });
});

describe('refuseCursor', () => {
  it.each([
    [{}, undefined],
    [{ a: 1 }, undefined],
    [{ cursor: 'x' }, 'params.cursor'],
    [{ cursor: 7 }, 'params.cursor'],
  ])('for %j', (params, message) => {
    if (message === undefined) expect(() => refuseCursor(params)).not.toThrow();
    else expect(() => refuseCursor(params)).toThrow(message);
  });
});

describe('the params of other requests', () => {
  it('are read, or refused with the path of the fault', () => {
    expect(readLevel({ level: 'debug' })).toBe('debug');
    expect(() => readLevel({ level: 'loud' })).toThrow('params.level must be');
    expect(() => readListen({ notifications: { toolsListChanged: true } })).not.toThrow();
    expect(() => readListen({})).toThrow('params.notifications is missing');
  });
});
