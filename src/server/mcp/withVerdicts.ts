/** The answers of a client as verdicts: what they mean depends on what was asked. */
import type { Event } from '../../protocol/codex/events';
import type { Calls } from '../calls/call';
import { askedBy, questionsOf } from '../calls/openCalls';
import type { CallInput } from '../calls/step';
import { formOf } from '../faces/toElicitation';
import type { Caller } from './caller';
import type { CallCommand } from './command';
import { readAnswers } from './questions/inputRequests';
import { readResponse, readSampling } from './questions/readAnswer';

/** What a client sent, or an event, as the input that it is for the calls. Answers to questions that are not open mean nothing. */
export const withVerdicts = (calls: Calls<unknown>, input: CallCommand | Event): CallInput<Caller> => {
  switch (input.kind) {
    case 'answered': {
      const { question, response } = input;
      const msg = askedBy(calls, question)?.msg;
      const verdict = msg === undefined ? readSampling(response) : readResponse(formOf(msg), response);
      return { kind: 'answered', question, verdict };
    }
    case 'resume': {
      const { call, responses, asked } = input;
      const { verdicts, misread } = readAnswers(questionsOf(calls, call.callId), responses, asked);
      return { kind: 'resume', call: { ...call, caller: { ...call.caller, misread } }, verdicts };
    }
    default:
      return input;
  }
};
