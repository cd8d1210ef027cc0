import { openState } from '../../../src/tapes/page/state';
import { modelOf } from './model';

describe('openState', () => {
  it('hides and selects nothing, and shows the beginning at the size of letters', () => {
    const { track, ...state } = openState(modelOf(Array.from({ length: 100 }, () => ({}))), 852);
    expect([track.axis, track.shown.length]).toEqual(['ordinal', 100]);
    expect(state).toEqual({
      filter: { lanes: new Set(), threads: new Set() },
      view: { start: 0, span: 25, width: 852 },
      selected: undefined,
      open: false,
      query: '',
      hits: [],
      theme: 'system',
    });
  });
});
