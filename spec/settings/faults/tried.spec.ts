import { ConfigError } from '../../../src/settings/faults/configError';
import { tried } from '../../../src/settings/faultsOf';

describe('tried', () => {
  it('gives the value, or the faults in its place', () => {
    expect(tried(() => 7)).toEqual({ value: 7, faults: [] });
    const fail = () => {
      throw new ConfigError(['a', 'b']);
    };
    expect(tried(fail)).toEqual({ faults: ['a', 'b'] });
  });

  it('lets other errors pass', () => {
    const fail = () => {
      throw new TypeError('a bug');
    };
    expect(() => tried(fail)).toThrow(TypeError);
  });
});
