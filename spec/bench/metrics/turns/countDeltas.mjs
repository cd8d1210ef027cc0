/**
 * Owns the count of text deltas: each of a call must arrive once and in order. A server may send them under one name, the
 * other, or both; per call the name that carries them counts.
 */
const KINDS = ['agent_message_delta', 'agent_message_content_delta'];
const TYPE = '"type":"agent_message_';
const PLACE = '-delta-text-';

const requestOf = (text) => {
  const at = text.indexOf('"requestId":');
  return at < 0 ? 'unknown' : Number.parseInt(text.slice(at + 12, at + 24), 10);
};

/** Sees raw lines through `raw`; `wrong` is, in words, what is missing for the calls `ids`, each with `expected` deltas. */
export const countDeltas = () => {
  const calls = new Map();
  const callOf = (id) => {
    if (!calls.has(id)) calls.set(id, [{ seen: 0, misplaced: 0 }, { seen: 0, misplaced: 0 }]); // biome-ignore format: one line
    return calls.get(id);
  };
  let notifications = 0;

  const raw = (bytes, start, end) => {
    if (end - start > 2000) return false;
    const text = bytes.latin1Slice(start, end);
    const at = text.indexOf(TYPE);
    if (at < 0) return false;
    const type = text.slice(at + 8, text.indexOf('"', at + 8));
    const kind = KINDS.indexOf(type);
    const place = text.indexOf(PLACE);
    if (kind < 0 || place < 0) return false;
    const tally = callOf(requestOf(text))[kind];
    if (Number(text.slice(place - 8, place)) !== tally.seen) tally.misplaced += 1;
    tally.seen += 1;
    notifications += 1;
    return true;
  };

  const wrongOf = (id, expected) => {
    const kinds = callOf(id).filter(({ seen }) => seen > 0);
    if (kinds.length === 0) return [`call ${id}: no delta events`];
    return kinds.flatMap(({ seen, misplaced }) => [
      ...(seen === expected ? [] : [`call ${id}: ${seen} of ${expected} deltas`]),
      ...(misplaced === 0 ? [] : [`call ${id}: ${misplaced} deltas out of order`]),
    ]);
  };

  return { raw, wrong: (ids, expected) => ids.flatMap((id) => wrongOf(id, expected)), events: () => notifications };
};
