import { map, of } from 'rxjs';
import { answerQuestions } from '../../../src/tapes/rerun/answerCalls';
import { marbles } from '../../support/marbles';

const ask = (id: string, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message } });
const answered = (id: string, action: string) => JSON.stringify({ jsonrpc: '2.0', id, result: { action } });

const lines = {
  a: '{"id":1,"method":"tools/call"}',
  y: answered('q', 'decline'),
  Q: ask('q', 'recorded?'),
  N: ask('n', 'new?'),
  R: '{"id":1,"result":{}}',
  q: answered('q', 'accept'),
  n: answered('n', 'accept'),
};

describe('answerQuestions', () => {
  it(
    'keeps the recorded answers, and ends at a question that was not recorded',
    marbles(({ hot, cold, expectObservable }) => {
      const asked: string[] = [];
      const line$ = hot('  a-y-a----|', lines);
      const daemon = cold('-Q---N-R-|', lines);
      const expected = '   -Q---(N|)';
      const run = answerQuestions({ answer: undefined, recorded: [lines.Q], onQuestion: (text) => asked.push(text) });
      const sent: string[] = [];
      expectObservable(
        line$.pipe(
          run((in$) =>
            in$.pipe(
              map((line) => sent.push(line)),
              () => daemon,
            ),
          ),
        ),
      ).toBe(expected, lines);
      expectObservable(of(asked)).toBe('(a|)', { a: ['new?'] });
    }),
  );

  it(
    'answers each question at once, instead of as recorded',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  a-----y--|', lines);
      const expected = '   a--------|';
      const echo = answerQuestions({
        answer: () => of({ action: 'accept' }),
        recorded: [lines.Q],
        onQuestion: () => {},
      });
      expectObservable(line$.pipe(echo((in$) => in$))).toBe(expected, lines);
      const questions$ = hot('-Q--N----|', lines);
      const got: string[] = [];
      const run = answerQuestions({
        answer: () => of({ action: 'accept' }),
        recorded: [lines.Q],
        onQuestion: (text) => got.push(text),
      });
      expectObservable(
        hot('---------|', lines).pipe(
          run((in$) => {
            in$.subscribe((line) => got.push(line));
            return questions$;
          }),
        ),
      ).toBe('-Q--N----|', lines);
      expectObservable(of(got)).toBe('(a|)', { a: ['recorded?', lines.q, 'new?', lines.n] });
    }),
  );
});
