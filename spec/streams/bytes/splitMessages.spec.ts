import fc from 'fast-check';
import { splitMessages, toFramed } from '../../../src/streams/bytes/splitMessages';
import { cuts, through, tokenize } from '../../support/streams';

describe('toFramed', () => {
  it.each([
    ['lines', 'é', 'é'],
    ['contentLength', 'é', 'Content-Length: 3\r\n\r\né'],
  ] as const)('frames a message in %s, counting bytes and the line end', (framing, message, expected) => {
    expect(toFramed(framing)(message)).toBe(expected);
  });
});

describe('splitMessages', () => {
  it.each(['lines', 'contentLength'] as const)(
    'reads what toFramed and a line end make of messages, in %s',
    (framing) => {
      const message = fc.jsonValue().map((value) => JSON.stringify(value));
      fc.assert(
        fc.property(fc.array(message, { minLength: 1 }), cuts, (messages, places) => {
          const bytes = Buffer.from(messages.map((one) => `${toFramed(framing)(one)}\n`).join(''));
          expect(through(splitMessages(), tokenize(bytes, places))).toEqual(messages);
        }),
      );
    },
  );
});
