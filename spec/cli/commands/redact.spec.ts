import { redact } from '../../../src/cli/commands/redact';
import { givenBy, problemBy } from '../reading';

describe('redact', () => {
  it('takes a tape and texts to remove', () => {
    expect(givenBy(redact, 't', '--value', 'acme-corp', '--value=10.0.0.7', '-o', 'u')).toEqual({
      file: 't',
      out: 'u',
      value: ['acme-corp', '10.0.0.7'],
      command: [],
    });
  });

  it('refuses a text that is too short to be removed', () => {
    expect(problemBy(redact, 't', '--value', 'acme')).toBe('--value must have 6 characters or more; "acme" has fewer');
  });
});
