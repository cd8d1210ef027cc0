import { findProgram } from '../../../src/io/processes/findProgram';

describe('findProgram', () => {
  it.each([
    [['/a', '/b/', '/c'], '/b/prog'],
    [['/c', '/b//'], '/c/prog'],
    [['/a', '/'], undefined],
    [[], undefined],
  ])('looks in %j', (folders, found) => {
    const isProgram = (path: string) => ['/b/prog', '/c/prog'].includes(path);
    expect(findProgram({ isProgram }, 'prog', folders)).toBe(found);
  });
});
