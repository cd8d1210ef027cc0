import { messageBytesOf } from '../../../src/fleet/served/serveExecutor';

const of = (maxPayload: number) => messageBytesOf({ maxPayload, address: 'nats://h' });

describe('messageBytesOf', () => {
  it('leaves room for a chunk and a header in what the server takes', () => {
    expect([131_072, 1_048_576, 8_388_608].map(of)).toEqual([32_768, 524_288, 524_288]);
  });

  it('refuses a server that takes less, with what to do', () => {
    expect(() => of(65_536)).toThrow(
      'the server at nats://h takes messages of at most 65536 bytes: set its max_payload to at least 131072',
    );
  });
});
