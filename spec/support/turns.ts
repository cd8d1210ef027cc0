/** Lets this process do what is under way in it, however slow the machine is: turns of its loop are counted, and no time. */
export const someTurns = async (count = 30): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((wake) => setTimeout(wake, 1));
};
