import { outcomeOf } from '../../../src/agent/tapeEngine/recordedOutcome';

const texts = (...parts: string[]) => parts.map((text) => ({ type: 'text', text }));

describe('outcomeOf', () => {
  it('takes the text from structuredContent, as the server may have added the thread id to the other', () => {
    const structuredContent = { threadId: 'T', content: 'done' };
    expect(outcomeOf({ result: { content: texts('done', 'threadId: T'), structuredContent } })).toEqual({
      text: 'done',
    });
    const failed = { content: texts('down\n\nthreadId: T'), isError: true };
    expect(outcomeOf({ result: { ...failed, structuredContent: { threadId: 'T', content: 'down' } } })).toEqual({
      text: 'down',
      failure: 'down',
    });
  });

  it('takes the text of an old release, which had no structuredContent', () => {
    expect(outcomeOf({ result: { content: texts('a', 'b') } })).toEqual({ text: 'ab' });
  });

  it.each([
    ['after a text', 'done\n\n', 'done'],
    ['without a text', '', ''],
  ])('has what was not done apart from the text: %s', (_, before, text) => {
    const notDone = [{ what: '`touch a`' }, { what: '`touch b`', reason: 'the client cannot be asked' }];
    const notes = 'Not done: `touch a`: the client declined it\n\nNot done: `touch b`: the client cannot be asked';
    const structuredContent = { threadId: 'T', content: `${before}${notes}`, notDone };
    expect(outcomeOf({ result: { content: [], structuredContent } })).toEqual({ text, notDone });
  });

  it('reads a call without an answer, and what no server of this kind writes', () => {
    expect(outcomeOf({})).toEqual({ text: '' });
    const structuredContent = { content: 1, notDone: [1, { what: 2 }, { what: 'a', reason: 3 }] };
    expect(outcomeOf({ result: { content: [1, { text: 'x' }], structuredContent } })).toEqual({
      text: 'x',
      notDone: [{ what: 'a' }],
    });
  });
});
