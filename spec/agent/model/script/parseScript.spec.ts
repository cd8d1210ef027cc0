import { parseScript } from '../../../../src/agent/model/script/scriptedModel';
import { ModelError } from '../../../../src/protocol/model/model';

const errorOf = (text: string): unknown => {
  try {
    return parseScript('/s.json', text);
  } catch (error) {
    return error;
  }
};

describe('parseScript', () => {
  it('reads a script', () => {
    const script = { scenes: [{ when: 'hi', answers: [{ items: [{ text: 'hello' }] }] }] };
    expect(parseScript('/s.json', JSON.stringify(script))).toMatchObject({ scenes: [{ when: 'hi' }] });
  });

  it.each<[string, string, RegExp]>([
    ['a text that is not JSON', '{', /^The script \/s\.json is not JSON: ./],
    ['a document that is not an object', '7', /^The script \/s\.json cannot be used: the document: expected object/],
    ['a key that is unknown', '{"scenes":[],"x":1}', /cannot be used: the document: unknown key "x"/],
    ['a fault in a scene', '{"scenes":[{"when":1,"answers":[]}]}', /cannot be used: scenes\[0\]\.when: /],
  ])('refuses %s, with its place', (_, text, expected) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ retryable: false, message: expect.stringMatching(expected) });
  });

  it('names all faults of a script', () => {
    expect(errorOf('{"scenes":[{"when":1,"answers":[]},{"when":2,"answers":[]}]}')).toMatchObject({
      message: expect.stringMatching(/scenes\[0\]\.when: .*; scenes\[1\]\.when: /),
    });
  });
});
