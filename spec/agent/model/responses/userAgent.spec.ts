import { toUserAgent } from '../../../../src/agent/model/responses/responsesModel';

describe('toUserAgent', () => {
  it('names the program, its version and the machine', () => {
    expect(toUserAgent('1.2.3')).toMatch(/^codex-rx\/1\.2\.3 \(\S+ [^;]+; \S+\)$/);
  });

  it('has only characters that a header may have', () => {
    expect(toUserAgent('ü\n')).toMatch(/^codex-rx\/__ \([ -~]+\)$/);
  });
});
