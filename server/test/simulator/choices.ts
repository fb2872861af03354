/** Picks one of so many options: a number from 0 to below it. */
export type Choose = (options: number) => number;

interface Choice {
  taken: number;
  readonly options: number;
}

/**
 * Runs once for each sequence of choices that there is. The same choices must meet the same options again. Ends early where
 * `run` resolves to false.
 */
export const runAllChoices = async (run: (choose: Choose) => Promise<boolean>): Promise<void> => {
  const choices: Choice[] = [];
  do {
    let depth = 0;
    const choose = (options: number): number => {
      const choice = choices[depth] ?? { taken: 0, options };
      if (choice.options !== options) throw new Error('the same choices met other options');
      choices[depth] = choice;
      depth += 1;
      return choice.taken;
    };
    if (!(await run(choose))) return;
    while (choices.length > 0) {
      const last = choices.at(-1);
      if (last === undefined || last.taken + 1 < last.options) break;
      choices.pop();
    }
    const next = choices.at(-1);
    if (next !== undefined) next.taken += 1;
  } while (choices.length > 0);
};
