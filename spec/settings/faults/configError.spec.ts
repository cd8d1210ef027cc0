import { notFound } from '../../../src/settings/faults/configError';

const asked = { what: 'config profile', name: 'wrk', where: '-p wrk', file: '/f' };
const text = '-p wrk: config profile `wrk` not found in /f; ';

describe('notFound', () => {
  it.each([
    ['there is none          ', [], 'there is none'],
    ['the known names        ', ['home', 'other'], 'known are `home`, `other`'],
    ['the nearest of them    ', ['home', 'work'], 'known are `home`, `work`; did you mean `work`?'],
  ])('names what was asked for, and %s', (_, known, rest) => {
    expect(notFound({ ...asked, known }).message).toBe(text + rest);
  });
});
