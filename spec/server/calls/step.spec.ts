import { endsWait } from '../../../src/server/calls/step';
import { modern, outputsOf } from '../../support/mcpCalls';

describe('endsWait', () => {
  it('is true of what a request has waited for, and of nothing else', () => {
    const ending = Object.entries(outputsOf(modern)).flatMap(([name, output]) => (endsWait(output) ? [name] : []));
    expect(ending).toEqual(['suspended', 'cancelled', 'finished']);
  });
});
