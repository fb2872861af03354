/** Ends the command with one clear line instead of a stack trace. */
export class Stop extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs a command's main function and sets the exit code.
 * @param {() => Promise<number>} main
 */
export const runMain = async (main) => {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
  }
};
