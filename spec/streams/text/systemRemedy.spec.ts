import { systemRemedy } from '../../../src/streams/text/systemRemedy';

describe('systemRemedy', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])(
    'has the cause of %s, and what to do',
    (code) => expect(systemRemedy(code)).toMatch(/^[^:]+: (free|set|check|raise|end) .*/),
  );

  it.each(['ENOENT', 'toString', undefined])('has none for %s', (code) => expect(systemRemedy(code)).toBeUndefined());
});
