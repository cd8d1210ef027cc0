import { toVerdict } from '../../../src/cli/demo/demo';
import { CONTENT } from '../../../src/cli/demo/scene';
import type { Mark } from '../../../src/cli/demo/toMarks';
import { decodeMessage } from '../../../src/protocol/jsonrpc/decodeMessage';
import { mark } from './marks';
import { received } from './wire';

const asked = mark({ lane: 'question', symbol: 'Q' });
const yes = mark({ lane: 'question', symbol: 'y', sent: true });
const no = mark({ lane: 'question', symbol: 'x', sent: true });
const answered = mark({ lane: 'answer', symbol: 'C', message: decodeMessage(received.C) });
const replied = mark({ lane: 'answer', symbol: 'R', message: decodeMessage(received.R) });
const failed = mark({ lane: 'answer', symbol: 'C', message: decodeMessage(received.F) });

const reasonOf = (marks: Mark[], trouble: string, written: string | undefined): string => {
  const verdict = toVerdict({ marks, trouble, written });
  return verdict.kind === 'failed' ? verdict.reason : 'none';
};

describe('toVerdict', () => {
  it('is content with a question, a yes, the file and both answers', () => {
    const facts = { marks: [asked, yes, answered, replied], trouble: '', written: CONTENT };
    expect(toVerdict(facts)).toEqual({ kind: 'shown', codex: { threadId: 'T1', content: 'done', text: 'done' } });
  });

  it('names the first thing that is missing', () => {
    expect([
      reasonOf([asked, yes, answered, replied], 'the server ended with exit code 1', CONTENT),
      reasonOf([], '', undefined),
      reasonOf([asked, yes, failed], '', CONTENT),
      reasonOf([asked, no, answered, replied], '', undefined),
      reasonOf([answered, replied], '', CONTENT),
      reasonOf([asked, yes, answered, replied], '', undefined),
      reasonOf([asked, yes, answered, replied], '', 'Hello\n'),
      reasonOf([asked, yes, answered], '', CONTENT),
    ]).toEqual([
      'the server ended with exit code 1',
      'the call of codex got no answer with text and structuredContent',
      'the call of codex got no answer with text and structuredContent',
      'the command was declined, so hello.txt was not written',
      'nobody was asked before the command ran',
      'hello.txt was not written',
      'hello.txt holds something else',
      'the call of codex-reply got no answer with text and structuredContent',
    ]);
  });
});
