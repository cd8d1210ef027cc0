import { lazy } from '../../../src/streams/lazy/lazy';

describe('lazy', () => {
  it('makes its value at the first call, and once', () => {
    const make = jest.fn(() => ({}));
    const get = lazy(make);
    expect(make).not.toHaveBeenCalled();
    expect(get()).toBe(get());
    expect(make).toHaveBeenCalledTimes(1);
  });

  it("keeps '' as well", () => {
    const make = jest.fn(() => '');
    const get = lazy(make);
    expect([get(), get()]).toEqual(['', '']);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('tries again after a throw', () => {
    const make = jest
      .fn(() => 'made')
      .mockImplementationOnce(() => {
        throw new Error('not yet');
      });
    const get = lazy(make);
    expect(get).toThrow('not yet');
    expect(get()).toBe('made');
  });
});
