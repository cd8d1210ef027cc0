import { errorIn, lastWordsIn, toErrorData, wordsOf } from '../../../src/agent/modelHttp/serverError';

describe('errorIn', () => {
  it.each<[string, object, object | undefined]>([
    ['an error', { error: { message: 'm' } }, { message: 'm' }],
    ['an error that is a text', { error: 'm' }, { message: 'm' }],
    ['an error in an error', { error: { error: { message: 'm' } } }, { message: 'm' }],
    ['the first of a list', { errors: [{ detail: 'm' }] }, { detail: 'm' }],
    ['a flag', { error: true, msg: 'm' }, { error: true, msg: 'm' }],
    ['a kind', { object: 'error', message: 'm' }, { object: 'error', message: 'm' }],
    ['a kind with a prefix', { type: 'stream.error', message: 'm' }, { type: 'stream.error', message: 'm' }],
    ['a status', { status: 'failed' }, { status: 'failed' }],
    ['a number', { code: 500 }, { code: 500 }],
    ['a number as a text', { status_code: '503' }, { status_code: '503' }],
    ['a detail', { detail: [{ loc: [], msg: 'm' }] }, { detail: [{ loc: [], msg: 'm' }] }],
    ['no error', { error: null, message: 'm' }, undefined],
    ['an answer', { id: 'c', object: 'chat.completion.chunk', choices: [], code: 0, status: 'in_progress' }, undefined],
    ['a success', { success: true, code: 200, base_resp: { status_code: 0, status_msg: '' } }, undefined],
  ])('finds %s', (_, object, error) => {
    expect(errorIn(object as never)).toEqual(error);
  });
});

describe('wordsOf', () => {
  it('takes the first member with a text; a list is quoted as it is', () => {
    expect(wordsOf({ message: '', msg: 'm', detail: 'd' })).toBe('m');
    expect(wordsOf({ detail: [{ msg: 'm' }] })).toBe('[{"msg":"m"}]');
    expect(wordsOf({ message: {} })).toBeUndefined();
  });
});

describe('wordsOf a gateway', () => {
  it('adds the error of the server behind it', () => {
    const error = (raw: unknown) => ({ message: 'Provider returned error', metadata: { raw, provider_name: 'x' } });
    expect(wordsOf(error('{"type":"error","error":{"message":"prompt is too long"}}'))).toBe(
      'Provider returned error: prompt is too long',
    );
    expect(wordsOf(error('overloaded'))).toBe('Provider returned error: overloaded');
    expect(wordsOf(error({}))).toBe('Provider returned error');
  });
});

describe('lastWordsIn', () => {
  it.each([
    ['Error: out of memory', 'Error: out of memory'],
    ['"out of memory"', 'out of memory'],
    ['{"message":"m"}', 'm'],
    ['ping', undefined],
    ['{"a b', undefined],
    ['', undefined],
  ])('reads %j as %j', (data, words) => {
    expect(lastWordsIn(data)).toBe(words);
  });
});

describe('toErrorData', () => {
  it('has the JSON of a text, or the text', () => {
    expect(toErrorData('{"message":"m"}')).toBe('{"error":{"message":"m"}}');
    expect(toErrorData('down')).toBe('{"error":"down"}');
  });
});
