import fc from 'fast-check';
import { toSentArguments } from '../../../src/agent/modelHttp/request';
import { isObject } from '../../../src/protocol/jsonrpc/json';

describe('toSentArguments', () => {
  it.each([
    ['{"command":["ls"]}', '{"command":["ls"]}'],
    ['{ "command": [] }', '{ "command": [] }'],
    ['', ''],
    ['{"command": ["echo", "la', '{"input":"{\\"command\\": [\\"echo\\", \\"la"}'],
    ['["ls"]', '{"input":"[\\"ls\\"]"}'],
    ['7', '{"input":"7"}'],
  ])('sends %j as %s', (args, sent) => {
    expect(toSentArguments(args)).toBe(sent);
  });

  it('sends a JSON object or nothing, and the same again', () => {
    const text = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(text, (args) => {
        const sent = toSentArguments(args);
        expect(sent === '' || isObject(JSON.parse(sent))).toBe(true);
        expect(toSentArguments(sent)).toBe(sent);
      }),
    );
  });
});
