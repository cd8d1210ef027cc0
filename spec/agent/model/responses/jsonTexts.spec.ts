import fc from 'fast-check';
import { jsonTexts } from '../../../../src/agent/model/responses/responsesModel';

describe('jsonTexts', () => {
  it('has the JSON of a list, however often its values are sent', () => {
    const values = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
    fc.assert(
      fc.property(values, (all) => {
        const toText = jsonTexts<object>((value) => ({ value }));
        const expected = JSON.stringify(all.map((value) => ({ value })));
        expect([toText(all), toText(all)]).toEqual([expected, expected]);
      }),
    );
  });

  it('makes a short text once and a long one each time', () => {
    const made: object[] = [];
    const toText = jsonTexts<object>((value) => {
      made.push(value);
      return value;
    });
    const [short, long] = [{ text: 's' }, { text: 'l'.repeat(3_000) }];
    toText([short, long]);
    toText([short, long]);
    expect(made).toEqual([short, long, long]);
  });
});
