/** Owns what the turn metrics share: one call that must be answered with `done`, and the id of its thread. */
import { nowMs } from '../../processes.mjs';

/** Remembers the newest thread id: from the session_configured event, or from the result. */
export const watchThread = (client) => {
  let threadId;
  client.hooks.message = ({ params }) => {
    const { type, session_id, thread_id } = params?.msg ?? {};
    if (type === 'session_configured') threadId = session_id ?? thread_id ?? threadId;
  };
  return (answer) => answer.result?.structuredContent?.threadId ?? threadId;
};

/** Gives { ms, answer } of a call; throws when the answer is another than the model's. */
export const timed = async (request, expected = 'done') => {
  const startedAt = nowMs();
  const answer = await request();
  const ms = nowMs() - startedAt;
  if (answer.result?.isError || answer.result?.content?.[0]?.text !== expected) {
    throw new Error(`unexpected answer ${JSON.stringify(answer).slice(0, 200)}`);
  }
  return { ms, answer };
};
