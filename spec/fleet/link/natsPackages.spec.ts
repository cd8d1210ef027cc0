import { harden, natsPackages, toNatsPackages } from '../../../src/fleet/link/natsPackages';

type Decoder = { decode: (bytes: Uint8Array) => { keys: () => string[] } };

const decode = (text: string) =>
  (natsPackages().core.headers().constructor as unknown as Decoder).decode(Buffer.from(text)).keys();

describe('toNatsPackages', () => {
  it('names the command that installs what is missing', () => {
    const load = () => {
      throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
    };
    const missing = {
      kind: 'missing',
      message: expect.stringContaining('npm install --global @nats-io/transport-node@3'),
    };
    expect(() => toNatsPackages(load)).toThrow(expect.objectContaining(missing));
  });

  it('passes on any other failure', () => {
    const load = () => {
      throw new TypeError('a fault in a package');
    };
    expect(() => toNatsPackages(load)).toThrow(TypeError);
  });

  it('loads them', () => {
    expect(typeof natsPackages().core.connect).toBe('function');
    expect(natsPackages()).toBe(natsPackages());
  });
});

describe('harden', () => {
  it('gives no headers to a message whose headers are malformed', () => {
    expect(decode('NATS/1.0\r\nA: 1\r\n\r\n')).toEqual(['A']);
    expect(decode('NATS/1.0\r\nbad key: 1\r\n\r\n')).toEqual([]);
    expect(decode('NATS/1.0\r\nA: 1\nB: 2\r\n\r\n')).toEqual([]);
  });

  it('makes each subject of responses at random as a whole', () => {
    const { core } = natsPackages();
    const made = Array.from({ length: 64 }, () => core.createInbox('_INBOX_a'));
    expect(made.filter((one) => !/^_INBOX_a\.[0-9a-f]{32}$/.test(one))).toEqual([]);
    expect(new Set(made.map((one) => one.slice(0, '_INBOX_a.'.length + 8))).size).toBe(64); // a common beginning is what counting leaves
  });

  it('has what the packages print on stderr, on one line', () => {
    const { log } = console;
    const written = jest.spyOn(console, 'error').mockImplementation(() => {});
    try {
      harden(natsPackages());
      console.log('read', new Error('\u001b[31m\n{}'));
      expect(written.mock.calls).toEqual([['"read Error: \\u001b[31m\\n{}"']]);
    } finally {
      console.log = log;
      written.mockRestore();
    }
  });
});
