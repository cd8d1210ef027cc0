/** Owns the page: what is done to it changes its state, and each state is drawn once a frame. */
import { animationFrameScheduler, auditTime, scan, startWith, tap } from 'rxjs';
import type { PageData } from '../data';
import { type Model, toModel } from '../model';
import { openState, reduce, type State } from '../state';
import { actions, stageWidth } from './actions';
import { drawBar, fillBar } from './bar';
import { byId } from './dom';
import { openMinimap } from './minimap';
import { openPanel } from './panel';
import { labelOf } from './shapes';
import { drawStage } from './stage';

const openDrawing = (model: Model) => {
  const drawPanel = openPanel(model);
  const drawMinimap = openMinimap(model);
  const said: { marble?: number } = {};
  return (state: State): void => {
    drawPanel(state);
    drawBar(model, state);
    drawStage(model, state);
    drawMinimap(state);
    if (state.selected === said.marble) return;
    said.marble = state.selected;
    byId('say').textContent = state.selected === undefined ? '' : labelOf(model, state.selected);
  };
};

const model = toModel(JSON.parse(byId('tape').textContent ?? '') as PageData);
const draw = openDrawing(model);
fillBar(model);
const first = openState(model, stageWidth());
actions()
  .pipe(scan(reduce(model), first), startWith(first), auditTime(0, animationFrameScheduler), tap(draw))
  .subscribe();
