import { natsPackages, toNatsPackages } from '../../../src/fleet/link/natsPackages';

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
