import { linesOf, nameOf } from '../../../src/tapes/page/model';
import { modelOf } from './model';

const model = modelOf(
  [{ thread: 0 }, { lane: 1, thread: 0 }, { lane: 1, count: 3 }],
  [
    [0, 1, 0, 0],
    [2, -1, 3, 0],
  ],
);

describe('toModel', () => {
  it('knows the errors', () => {
    expect(modelOf([{ mark: 1 }, {}, { mark: 2 }, { mark: 1 }]).errors).toEqual([0, 3]);
  });

  it('knows who answers whom, and how many marbles lanes and threads have, those of none last', () => {
    expect([...model.partner]).toEqual([1, 0, -1]);
    expect(model.laneCounts).toEqual([1, 2]);
    expect(model.threadCounts).toEqual([2, 0, 1]);
  });
});

describe('linesOf', () => {
  it('is the range of lines that a marble stands for', () => {
    expect([linesOf(model, 0), linesOf(model, 2)]).toEqual([
      [0, 1],
      [2, 5],
    ]);
  });
});

describe('nameOf', () => {
  it('is empty for a marble that is not there', () => {
    expect([nameOf(model, 1), nameOf(model, 9)]).toEqual(['pong', '']);
  });
});
