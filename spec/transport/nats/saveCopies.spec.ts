import { saveCopies } from '../../../src/transport/nats/saveCopies';

/** A client as the package has it, of a class of its own, as it is changed for all of its class. */
const client = () => {
  const sent: string[] = [];
  class Buffer1 {
    capacity = 4;
    grown: number[] = [];
    constructor(readonly length: number) {}
    grow(bytes: number) {
      this.grown.push(bytes);
    }
  }
  class Parser {
    msgBuf: Buffer1 | undefined;
    ma = { size: 10 };
    parse(bytes: Uint8Array) {
      this.msgBuf = bytes.length === 0 ? undefined : new Buffer1(bytes.length);
    }
  }
  class Outbound {
    buffers: Uint8Array[] = [];
    size = () => this.buffers.reduce((sum, { length }) => sum + length, 0);
    reset = () => {
      this.buffers.length = 0;
    };
  }
  class Handler {
    parser = new Parser();
    outbound = new Outbound();
    infoReceived = true;
    connected = true;
    transport: { send: (bytes: Uint8Array) => void; socket?: object } = {
      send: (bytes) => void sent.push(String(bytes.length)),
      socket: { cork: () => sent.push('cork'), uncork: () => sent.push('uncork') },
    };
    flushPending() {
      sent.push(`packed ${this.outbound.size()}`);
      this.outbound.reset();
    }
  }
  const protocol = new Handler();
  return { connection: { protocol }, protocol, sent };
};
const LARGE = new Uint8Array(65_536);
const SMALL = new Uint8Array(10);

describe('saveCopies', () => {
  it('makes room for the whole of a message when its first part has come, once for all connections', () => {
    const { connection, protocol } = client();
    saveCopies(connection);
    saveCopies(connection);
    protocol.parser.parse(new Uint8Array(3));
    expect(protocol.parser.msgBuf?.grown).toEqual([7]);
    protocol.parser.ma.size = 4;
    protocol.parser.parse(new Uint8Array(3));
    expect(protocol.parser.msgBuf?.grown).toEqual([]);
    protocol.parser.parse(new Uint8Array());
    expect(protocol.parser.msgBuf).toBeUndefined();
  });

  it('sends what is large in the pieces that there are, as one write', () => {
    const { connection, protocol, sent } = client();
    saveCopies(connection);
    protocol.outbound.buffers.push(SMALL, LARGE, SMALL);
    protocol.flushPending();
    expect([sent.splice(0), protocol.outbound.size()]).toEqual([['cork', '10', '65536', '10', 'uncork'], 0]);
    protocol.outbound.buffers.push(SMALL, SMALL);
    protocol.flushPending();
    expect(sent.splice(0)).toEqual(['packed 20']);
  });

  it.each([
    ['that is not there', { connected: false }],
    ['that the server has not begun', { infoReceived: false }],
    ['that has no socket', { transport: { send: () => {} } }],
  ])('leaves a connection to the client %s', (_, state) => {
    const { connection, protocol, sent } = client();
    saveCopies(connection);
    Object.assign(protocol, state);
    protocol.outbound.buffers.push(LARGE);
    protocol.flushPending();
    expect(sent).toEqual(['packed 65536']);
  });

  it('leaves a client as it is that is made otherwise', () => {
    for (const connection of [{}, { protocol: 1 }, { protocol: {} }, { protocol: { parser: {} } }])
      expect(() => saveCopies(connection)).not.toThrow();
  });
});
