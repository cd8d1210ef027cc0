/** Lets this process finish what is under way in it, however slow the machine is: it waits for turns of the event loop, not for a time. */
export const someTurns = async (count = 30): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((wake) => setTimeout(wake, 1));
};
