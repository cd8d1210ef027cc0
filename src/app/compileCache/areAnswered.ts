/** Whether each of some requests has its response among lines of JSON. */

/** True where `output` holds a response to each of `ids`, in any order. */
export const areAnswered = (ids: readonly number[], output: string): boolean =>
  ids.every((id) => output.includes(`{"jsonrpc":"2.0","id":${id},`));
