/** The methods that change a mode or an option of a session. Both sides know of each change: by the response, and by updates of what else it changes. */

import { SetConfigOptionParams, SetModelParams, SetModeParams } from '../../protocol/acp/params';
import { checkParams } from '../../protocol/jsonrpc/checkParams';
import { wordOf } from '../../protocol/jsonrpc/json';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import { clipName } from '../../protocol/rpc/failureOutcome';
import { opened } from './opening';
import { joinSteps, type Method, putSession, respond, type Session, toStep, toUpdate } from './session';
import { choose, toModes, toOptions } from './sessionConfig';

/** `session/set_mode`. */
export const setMode: Method = (_, state, request) => {
  const { sessionId, modeId } = checkParams(SetModeParams(), request.params);
  const session = chosen(opened(state, sessionId), ['mode', modeId]);
  return toStep(putSession(state, session), respond(request, {}), toOptionUpdate(session));
};

/** `session/set_model`, which older clients call. */
export const setModel: Method = (_, state, request) => {
  const { sessionId, modelId } = checkParams(SetModelParams(), request.params);
  const [, model = modelId, effort] = /^([^[]+)\[([^\]]+)\]$/.exec(modelId) ?? [];
  const withModel = chosen(opened(state, sessionId), ['model', model]);
  const session = effort === undefined ? withModel : chosen(withModel, ['reasoning_effort', effort]);
  return toStep(putSession(state, session), respond(request, {}), toOptionUpdate(session));
};

const toOptionUpdate = ({ id, facts, choices }: Session) =>
  toUpdate(id, { sessionUpdate: 'config_option_update', configOptions: toOptions(facts, choices) });

/** `session/set_config_option`. */
export const setConfigOption: Method = (_, state, request) => {
  const { sessionId, configId, value } = checkParams(SetConfigOptionParams(), request.params);
  const before = opened(state, sessionId);
  const session = chosen(before, [configId, value]);
  const { facts, choices } = session;
  const step = toStep(putSession(state, session), respond(request, { configOptions: toOptions(facts, choices) }));
  const { currentModeId } = toModes(facts, choices);
  if (currentModeId === before.choices.mode) return step;
  return joinSteps(
    step,
    toStep(step.state, toUpdate(sessionId, { sessionUpdate: 'current_mode_update', currentModeId })),
  );
};

const chosen = (session: Session, choice: [string, unknown]): Session => {
  const choices = choose(session.facts, session.choices, choice);
  if (choices !== undefined) return { ...session, choices };
  const [id, value] = choice.map((one) => clipName(wordOf(one)));
  const options = toOptions(session.facts, session.choices);
  const values = options.find((option) => option.id === choice[0])?.options.map((one) => one.value);
  throw new RpcError(
    INVALID_PARAMS,
    values === undefined
      ? `Invalid params: there is no option ${id}; there are ${options.map((option) => option.id).join(', ')}`
      : `Invalid params: ${id} has no value ${value}; it has ${clipName(values.join(', '))}`,
  );
};
