import { nearest } from '../../../src/streams/text/nearest';

describe('nearest', () => {
  it.each<[string, string[], string | undefined]>([
    ['opnai', ['oss', 'openai', 'open'], 'openai'],
    ['openaj', ['openais', 'openai'], 'openai'],
    ['OPENAI', ['openai'], 'openai'],
    ['a', ['b', 'cd'], undefined],
    ['cs', ['cd', 'c'], undefined],
    ['foo', ['oss', 'for', 'too'], 'for'],
    ['port', ['out', 'sort'], undefined],
    ['yolo', ['tool', 'lock', 'codex'], undefined],
    ['modle', ['mode', 'model'], 'mode'],
    ['omdel', ['model'], undefined],
    ['moedl', ['profile', 'model'], 'model'],
    ['recrod', ['replay', 'record'], 'record'],
    ['nsandbox', ['sandbox'], 'sandbox'],
    ['Approval_Policy', ['sandbox', 'approval-policy'], 'approval-policy'],
    ['promt', ['prompt', 'profile'], 'prompt'],
    ['xyz', ['prompt', 'profile'], undefined],
    ['ä-1', ['ö1', 'Ä_1'], 'Ä_1'],
    ['zz', ['openai', 'oss'], undefined],
    ['', [], undefined],
    ['x'.repeat(65), ['x'.repeat(64)], undefined],
    ['x'.repeat(64), ['x'.repeat(65), 'x'.repeat(63)], 'x'.repeat(63)],
    ['x', [], undefined],
  ])('takes %j among %j for %j', (name, known, found) => expect(nearest(name, known)).toBe(found));
});
