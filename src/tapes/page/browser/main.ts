/** Runs the page: actions change its state, and each state is drawn once a frame. */
import { animationFrameScheduler, auditTime, merge, scan, startWith, tap } from 'rxjs';
import { type Model, type PageData, toModel } from '../model';
import { openState, reduce, type State } from '../state';
import { actions, showAddress, stageWidth } from './actions';
import { drawBar, fillBar, openCallTable } from './bar';
import { byId, fill } from './dom';
import { hideCard, hovers } from './hover';
import { openMinimap } from './minimap';
import { openPanel } from './panel';
import { labelOf } from './shapes';
import { drawStage } from './stage';

const openDrawing = (model: Model) => {
  const drawPanel = openPanel(model);
  const drawMinimap = openMinimap(model);
  const drawCalls = openCallTable(model);
  let announced: number | undefined;
  return (state: State): void => {
    hideCard();
    drawPanel(state);
    drawBar(model, state);
    drawStage(model, state);
    drawMinimap(state);
    drawCalls(state);
    if (state.selected === announced) return;
    announced = state.selected;
    fill(byId('announcement'), state.selected === undefined ? '' : labelOf(model, state.selected));
    showAddress(model, state.selected);
  };
};

const model = toModel(JSON.parse(byId('tape').textContent ?? '') as PageData);
const draw = openDrawing(model);
fillBar(model);
const first = openState(model, stageWidth());
const drawn$ = actions().pipe(
  scan(reduce(model), first),
  startWith(first),
  auditTime(0, animationFrameScheduler),
  tap(draw),
);
merge(drawn$, hovers(model)).subscribe();
