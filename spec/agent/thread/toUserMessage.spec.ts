import { of } from 'rxjs';
import { toUserMessage } from '../../../src/agent/thread/toUserMessage';
import type { ReadImage } from '../../../src/agent/tools/image';
import { toInput } from '../../../src/protocol/codex/input';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { toStream } from '../../../src/streams/awaitable';
import { isPrompt, SUMMARY_MARK } from '../../../src/threads/lines/prompts';
import { marbles } from '../../support/marbles';
import { messageOf } from '../../support/models';

const read: ReadImage = (path) =>
  path === '/w/p.png' ? of({ kind: 'image', url: 'data:p' }) : of({ kind: 'unreadable', reason: 'it is not a file' });

describe('toUserMessage', () => {
  it.each([
    ['texts and pictures in their order', [...toInput('a'), { type: 'image', url: 'u' } as const], ['a', { url: 'u' }]],
    ['a picture of the disk', [{ type: 'localImage', path: 'p.png' } as const], [{ url: 'data:p' }]],
    [
      'the reason in place of a picture that cannot be read',
      [{ type: 'localImage', path: '/x' } as const],
      ['The picture /x could not be read: it is not a file'],
    ],
    ['nothing', [], []],
  ])('holds %s', (_, input, expected) =>
    marbles(({ expectObservable }) => {
      const content = expected.map((part) =>
        typeof part === 'string' ? { type: 'input_text', text: part } : { type: 'input_image', image_url: part.url },
      );
      expectObservable(toStream(toUserMessage(read, '/w', input))).toBe('(m|)', {
        m: { ...messageOf('user', ''), content },
      });
    })(),
  );

  it.each([
    ['a summary                 ', [`${SUMMARY_MARK}\nmine`]],
    ['a summary, in two pieces  ', [SUMMARY_MARK.slice(0, 9), SUMMARY_MARK.slice(9)]],
    ['an environment            ', ['<environment_context>\n</environment_context>']],
    ['instructions of a project ', ['# AGENTS.md instructions for /w']],
  ])('marks as the words of the user a text that begins as %s', (_, texts) => {
    const input = texts.flatMap(toInput);
    const message = toUserMessage(read, '/w', input) as ResponseItem;
    const content = ['The user writes:\n', ...texts].map((text) => ({ type: 'input_text', text }));
    expect(message).toEqual({ type: 'message', role: 'user', content });
    expect(isPrompt(message)).toBe(true);
  });
});
