/** Owns the methods of family process/ over the port Backend. */
import { of } from 'rxjs';
import { PROCESS_SIGNALS } from '../../../protocol/exec';
import { INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc';
import { answer, answers, type Method } from '../execMethod';
import { fieldsOf, optionalCount, optionalMillis, text, word } from '../params';
import { closeStdin, writeInput } from './inputQueue';
import { openSlots, type Slots } from './processTable';
import { type StartProcessDeps, startProcess } from './startProcess';
import { toPage } from './toWire';

export type ProcessMethodsDeps = StartProcessDeps;

/** The methods of one session; its processes end with whoever subscribed to their start. */
export const processMethods = (deps: ProcessMethodsDeps): Record<string, Method> => {
  const slots = openSlots(deps.limits);
  return {
    'process/start': startProcess(deps, slots),
    'process/read': readOutput(slots),
    'process/write': writeInput(deps.limits, slots),
    'process/closeStdin': closeStdin(slots),
    'process/signal': signal(slots),
    'process/terminate': terminate(slots),
  };
};

const readOutput =
  (slots: Slots): Method =>
  (params) => {
    const fields = fieldsOf(params);
    const processId = text(fields, 'processId');
    const afterSeq = optionalCount(fields, 'afterSeq') ?? 0;
    const maxBytes = optionalCount(fields, 'maxBytes');
    const waitMs = optionalMillis(fields, 'waitMs') ?? 0;
    const slot = slots.find(processId);
    if (slot === undefined) throw new RpcError(INVALID_REQUEST, `unknown process id ${processId}`);
    if (slot.process === undefined) throw new RpcError(INVALID_REQUEST, `process id ${processId} is starting`);
    return answers(slot.process.read({ afterSeq, waitMs, ...(maxBytes !== undefined && { maxBytes }) }), toPage);
  };

const signal =
  (slots: Slots): Method =>
  (params) => {
    const fields = fieldsOf(params);
    const process = slots.find(text(fields, 'processId'))?.process;
    const name = word(fields, 'signal', PROCESS_SIGNALS);
    return process ? answers(process.signal(name), () => ({})) : of(answer({}));
  };

/** A process that is still starting is ended as soon as it is there. */
const terminate =
  (slots: Slots): Method =>
  (params) => {
    const slot = slots.find(text(fieldsOf(params), 'processId'));
    if (slot?.process) return answers(slot.process.terminate(), (running) => ({ running }));
    if (slot) slot.cancelled = true;
    return of(answer({ running: slot !== undefined }));
  };
