/** Before Bedrock's ids: a group of regions that shares an inference profile. */
const regionGroup = /^(?:us-gov|us|eu|apac|ap|au|jp|in|ca|sa|me|af|il|mx|global)\.(?=[a-z])/;
/** Before Bedrock's ids: the maker. DeepSeek's is part of the model's name elsewhere. */
const maker =
  /^(?:ai21|amazon|anthropic|cohere|google|meta|minimax|mistral|moonshotai|moonshot|nvidia|openai|qwen|stability|twelvelabs|writer|xai|zai)\./;
/** Dates at the end: 20250929, 2025-08-07, 05-2026, 250715; 0905 and 2411 where they are a day or a month. */
const date =
  /-(?:20\d{6}|20\d\d-\d\d-\d\d|\d\d-20\d\d|2[3-9](?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|2[3-9](?:0[1-9]|1[0-2]))$/;
/** Google's numbers of stable versions. */
const stableVersion = /^(gemini-.*)-00\d$/;

/** The group of regions whose inference profile a Bedrock id names, as `us`; '' without one. */
export const regionOf = (model: string): string => regionGroup.exec(model.toLowerCase())?.[0].slice(0, -1) ?? '';

/** Bedrock's versions: `-v1:0`, `-v1`, and the version behind a date. */
const withoutVersion = (name: string): string => name.replace(/(?:-1)?:0$/, '').replace(/-v1$|(?<=-\d{8})-v\d$/, '');

/** The name that a vendor's own list has for the model: without path, region, maker, version and Vertex's `@`. */
const plainName = (exact: string): string => {
  const ownName = exact
    .slice(exact.lastIndexOf('/') + 1)
    .replace(regionGroup, '')
    .replace(/^gpt-35(?=-)/, 'gpt-3.5');
  const inBedrock = ownName.replace(maker, '').replace(/^deepseek\./, 'deepseek-');
  const bedrocks = inBedrock !== ownName || ownName.endsWith(':0') || exact.startsWith('amazon/');
  const name = bedrocks ? withoutVersion(inBedrock) : ownName;
  return name
    .replace(/@default$/, '')
    .replace('@', '-')
    .replace(/^(ft:[^:]+):.*$/, '$1');
};

/** The forms that a name shares with other spellings of it, the most exact first. */
const spellings = (exact: string): readonly string[] => {
  const path = exact.slice(exact.lastIndexOf('/') + 1);
  const plain = plainName(exact);
  return [exact, path, path.replace(regionGroup, ''), plain, plain.replaceAll(/(?<=\d)\.(?=\d)/g, '-')];
};

/**
 * The forms of a model's name under which a price may be found, in lower case, from most to least exact: as it is, without
 * what vendors add to it, with dashes for points between digits, and last without `-latest` or a date. Names of different
 * models have no form in common.
 */
export const nameCandidates = (model: string): readonly string[] => {
  const same = spellings(model.toLowerCase());
  const undated = same.slice(-2).map((name) =>
    name
      .replace(/-latest$/, '')
      .replace(date, '')
      .replace(stableVersion, '$1'),
  );
  return [...new Set([...same, ...undated])].filter((name) => name !== '');
};

/** Whether two names are spellings of one, which vendors write differently; names with and without a date are two. */
export const isSameName = (one: string, other: string): boolean => {
  const names = new Set(spellings(one.toLowerCase()));
  return spellings(other.toLowerCase()).some((name) => names.has(name));
};

/** The name without `-latest` or a date at its end: what vendors call the same model by. */
export const undatedName = (name: string): string => name.replace(/-latest$/, '').replace(date, '');

/** The day or month that a name ends with, as text that orders by time: without a year before others; '' without one. */
export const dateOf = (model: string): string => {
  const digits = date.exec(plainName(model.toLowerCase()))?.[0].slice(1) ?? '';
  const monthAndYear = /^(\d\d)-(20\d\d)$/.exec(digits);
  if (monthAndYear !== null) return `${monthAndYear[2]}${monthAndYear[1]}`;
  return digits.replaceAll('-', '').replace(/^(?=2[3-9](?:\d\d|\d{4})$)/, '20');
};
